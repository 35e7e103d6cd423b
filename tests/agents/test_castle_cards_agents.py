"""Agents for castle-cards: they decide by nothing hidden, play with any number of players, and play well."""

import time

import numpy as np
import pytest

from tests.support.games import list_decisions
from tests.support.rulesets import IS_COMPILED
from zamek_agents import make_agent
from zamek_agents.arena.sets import Lineup
from zamek_agents.castle_cards import greedy
from zamek_agents.registry import list_untrained
from zamek_env import game_protocol
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.components.box import SOLDIER
from zamek_env.castle_cards.layout.actions import DRAW
from zamek_env.errors import EndlessGameError
from zamek_env.fair_play import ask, list_proven
from zamek_env.game_protocol import take_turns

RULESET = "castle-cards"
SIMULATIONS = 30 if IS_COMPILED else 4  # the same code, less of it
QUICK = {"ismcts": f"ismcts:simulations={SIMULATIONS}"}
FOR_ANY_NUMBER = ("random", "greedy", "ismcts")
LONG = pytest.mark.long
needs_compiled = pytest.mark.skipif(not IS_COMPILED, reason="in plain Python this takes minutes")


def make_quick(name):
    return make_agent(QUICK.get(name, name))


def play(agents, deal, rng):
    """Return the game that `agents`, one a seat, play on that deal."""
    game = CastleCards(len(agents), deal)
    while not game.is_terminal:
        game.step(ask(agents[game.current_player].act, game, rng))
    return game


def win_rate(agent, other, players, deals):
    """Return the share of games that `agent` wins against others of one kind, from each seat of each deal."""
    lineup = Lineup((agent, *[other] * (players - 1)), ("agent", *(f"other {n}" for n in range(1, players))),
                    ruleset=RULESET, players=players)  # fmt: skip
    return float(np.mean([game.find_wins()[0] for played in lineup.play(deals) for game in played.games]))


# --- what they may know ---


@pytest.mark.rule("K10")
@pytest.mark.parametrize("players", [2, pytest.param(3, marks=LONG), pytest.param(5, marks=LONG)])
@pytest.mark.parametrize("name", list_untrained(RULESET))
def test_an_agent_decides_by_nothing_hidden_and_changes_nothing(name, players):
    if name == "ppo" and players > 2:
        pytest.skip("ppo plays games of two")
    agent = make_quick(name)
    assert type(agent) in list_proven().values()
    for number, game in enumerate(list_decisions(CastleCards(players, 6), 6, 40 if IS_COMPILED else 80)):
        before = game.state.tobytes(), game.history, game.seed
        ours = agent.act(game, np.random.default_rng(number))
        assert (game.state.tobytes(), game.history, game.seed) == before
        assert ours in game.legal_actions()
        twin = game.concealed(np.random.default_rng(100 + number), game.current_player)
        assert ours == agent.act(twin, np.random.default_rng(number))


@pytest.mark.rule("K10", "K12")
def test_a_search_does_not_tell_apart_games_that_look_the_same_while_others_choose():
    """What others chose for the Fool is hidden until all have chosen, and the search re-deals it too."""
    agent, seen = make_quick("ismcts"), 0
    for seed in range(40):
        for game in list_decisions(CastleCards(4, seed), seed):
            if game.phase == "pass-on" and len(game.legal_actions()) > 1 and game.current_player != game.turn_player:
                twin = game.concealed(np.random.default_rng(1), game.current_player)
                choices = [agent.act(each, np.random.default_rng(2)) for each in (game, twin)]
                assert choices[0] == choices[1]
                seen += 1
        if seen:
            return
    pytest.fail("nobody played the Fool")


# --- games ---


@needs_compiled
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_agents_play_legally_to_the_end_whatever_the_number_of_players(players):
    names = [FOR_ANY_NUMBER[seat % len(FOR_ANY_NUMBER)] for seat in range(players)]
    game = play([make_quick(name) for name in names], 3, np.random.default_rng(0))
    assert game.is_terminal and CastleCards.replay(game.record(names)) == game


@needs_compiled
@pytest.mark.parametrize("players", [2, 5])
def test_greedy_beats_random(players):
    assert win_rate(make_agent("greedy"), make_agent("random"), players, deals=20) > 0.9


@needs_compiled
def test_games_of_greedy_players_end():
    agents = [make_agent("greedy")] * 2
    turns = [int(play(agents, deal, np.random.default_rng(deal)).raw_states["turns"][0]) for deal in range(50)]
    assert max(turns) < 10 * greedy.PATIENCE


def test_a_game_of_players_who_undo_what_the_other_did_is_broken_off(monkeypatch):
    game = play([make_agent("random")] * 2, 1, np.random.default_rng(1))
    monkeypatch.setattr(game_protocol, "MOST_DECISIONS", len(game.history))
    again = CastleCards(2, 1)
    for action, player in zip(game.history, take_turns(again), strict=True):
        assert player == again.current_player
        again.step(action)
    monkeypatch.setattr(game_protocol, "MOST_DECISIONS", 20)
    with pytest.raises(EndlessGameError, match="a game has not ended after 20 decisions"):
        next(Lineup((make_agent("random"),) * 2, ("one", "two"), ruleset=RULESET).play(1))


def test_greedy_keeps_a_soldier_as_long_as_it_can_draw_and_plays_its_last_card():
    game, rng = CastleCards(2, 1), np.random.default_rng(0)
    state, only_soldiers = game.raw_states[0], 1 << SOLDIER
    state["hand"][0] = 0
    state["hand"][0, SOLDIER] = 1
    state["hand_size"][0], state["hand_kinds"][0] = 1, only_soldiers
    state["options"][:] = [1 << DRAW, only_soldiers, only_soldiers, 0, 0, 0, 0]
    state["num_options"] = 3
    assert game.format_action(make_agent("greedy").act(game, rng)) == "draw"
    state["deck_size"][0], state["options"][0], state["num_options"] = 0, 0, 2
    assert game.format_action(make_agent("greedy").act(game, rng)) == "play Soldier"


@LONG
@needs_compiled
def test_few_simulations_beat_greedy():
    assert win_rate(make_agent("ismcts:simulations=200"), make_agent("greedy"), 2, deals=20) > 0.6


@LONG
@needs_compiled
def test_a_search_for_oneself_beats_greedy_among_three():
    assert win_rate(make_agent("ismcts:simulations=200"), make_agent("greedy"), 3, deals=10) > 0.4


# --- what they think, and what they refuse ---


def test_a_search_tells_its_visits_as_probabilities():
    game = CastleCards(3, seed=4)
    agent = make_quick("ismcts")
    evaluation = agent.evaluate(game, np.random.default_rng(1))
    assert evaluation.actions == game.legal_actions() and evaluation.unit == "probability"
    assert np.nansum(evaluation.values) == pytest.approx(1)
    assert evaluation.best == agent.act(game, np.random.default_rng(1))
    assert agent.simulations == SIMULATIONS


@pytest.mark.parametrize("name", list_untrained(RULESET))
def test_no_agent_decides_in_a_game_that_is_over(name):
    rng = np.random.default_rng(0)
    game = play([make_agent("random")] * 2, 1, rng)
    with pytest.raises(ValueError, match="the game is over"):
        make_quick(name).act(game, rng)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("simulations=0", "simulations must be a whole number from 1 to 1000"),
        ("rollout=clever", "rollout must be one of greedy, random"),
        ("depth=3", "with a KEY of simulations, seconds"),
        ("nodes=1", "nodes must be a whole number from 2 to 10"),
    ],
)
def test_options_of_a_search_are_checked(options, message):
    with pytest.raises(ValueError, match=message):
        make_agent(f"ismcts:{options}")


@pytest.mark.parametrize("options", ["nodes=2", "seconds=0.000001"])
def test_the_least_room_and_the_least_time_suffice_for_a_decision(options):
    game = CastleCards(seed=2)
    assert make_agent(f"ismcts:{options}").act(game, np.random.default_rng(0)) in game.legal_actions()


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("unit", ["0.001", "0.02"])
def test_results_are_numbers_however_small_the_unit(unit, players):
    agent, game = make_agent(f"ismcts:simulations={SIMULATIONS},unit={unit}"), CastleCards(players, seed=2)
    agent.evaluate(game, np.random.default_rng(0))
    results = agent._searches["results"][0, :players]  # of the last simulation
    assert np.isfinite(results).all() and results.max() > 0
    assert results.sum() == pytest.approx(0)


@needs_compiled
def test_a_search_takes_the_seconds_it_is_given():
    agent, game = make_agent("ismcts:seconds=0.02"), CastleCards(seed=2)
    agent.act(game, np.random.default_rng(0))  # which compiles
    tries = []
    for _ in range(5):  # of which other work on the machine may hold up some
        started = time.perf_counter()
        agent.act(game, np.random.default_rng(0))
        tries.append((agent.simulations, time.perf_counter() - started))
    simulations, seconds = zip(*tries, strict=True)
    assert max(simulations) > 20 and 0.015 < min(seconds) < 0.5
