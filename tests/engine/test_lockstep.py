"""Whole games of the engines and the references side by side: the same choices, the same board, the same record."""

import random

import numpy as np
import pytest

from tests.support import variants
from tests.support.castle_cards.lockstep import STORED, Lockstep, load, play_at_random
from tests.support.castle_cards.reference.board import DEALT
from tests.support.games import few
from tests.support.lockstep import OPEN_TABLES, RULESETS, WALLED, ask, make_rich, play_in_lockstep, strive_outward
from tests.support.record_checker import check_record
from tests.support.variants import draw_house
from zamek_agents import GreedyAgent, RandomAgent
from zamek_env import Game
from zamek_env.components.house_rules import HOUSE_RULES


def play(seed, choose, ruleset, **seats):
    """Play a deal in lockstep, compare the records of both engines, and replay them."""
    game = Game(ruleset, seed=seed, **seats)
    twin = play_in_lockstep(game, choose)
    check_record(game.record(), twin)
    for record in (game.record(), twin.record(seed=seed)):
        assert Game.replay(record).state.tobytes() == game.state.tobytes()


def some_games(first, of_base, of_others):
    """Return (ruleset, deal) of as many games of the base game, and of each other ruleset, from deal `first` on."""
    return [
        (ruleset, first + number)
        for ruleset in RULESETS
        for number in range(of_base if ruleset == RULESETS[0] else of_others)
    ]


@pytest.mark.parametrize("ruleset, seed", some_games(0, few(25, 3), few(3, 1)))
def test_random_games_are_the_same(ruleset, seed):
    play(seed, ask(RandomAgent(), np.random.default_rng(seed)), ruleset)


@pytest.mark.parametrize("ruleset, seed", some_games(100, few(5, 0), few(3, 0)))
def test_greedy_games_are_the_same(ruleset, seed):
    play(seed, ask(GreedyAgent(), np.random.default_rng(seed)), ruleset)


@pytest.mark.parametrize("ruleset", OPEN_TABLES)
@pytest.mark.parametrize("seed", range(few(5, 1)))
def test_games_that_go_far_out_are_the_same(ruleset, seed):
    play(seed, strive_outward(np.random.default_rng(seed)), ruleset)


@pytest.mark.compiles
@pytest.mark.parametrize("seed", range(few(6, 4)))
def test_games_of_any_number_of_players_by_house_rules_are_the_same(seed):
    rng = random.Random(seed)
    ruleset, players = rng.choice(OPEN_TABLES[:3]), seed % 5 + 1
    play(seed, lambda game, legal: rng.choice(legal), ruleset, players=players, rules=draw_house(rng))


def test_the_proof_plays_each_number_of_players_each_switch_and_some_together():
    tasks = variants.list_tasks(3, 2, 20)
    alone, switches, together = tasks[:12], tasks[12:-20], tasks[-20:]
    assert {(players, deal) for _, players, _, deal in alone} == {(n, deal) for n in (1, 3, 4, 5) for deal in range(3)}
    assert {name for _, _, rules, _ in switches for name in rules} == {*HOUSE_RULES}
    assert {players for _, players, _, _ in together} == {1, 2, 3, 4, 5}
    assert max(len(rules) for _, _, rules, _ in together) > 3


@pytest.mark.compiles
@pytest.mark.parametrize(
    ("players", "rules", "deal", "least"),
    [
        (3, {"draw_ahead": True, "table": (3, 3)}, 1, 9),
        (2, {"back_into_bag": True, "hand": "open", "table": (5, 5), "edges_complete": True}, 176, 40),
    ],
)
def test_the_proof_checks_the_records_of_games_by_house_rules(players, rules, deal, least):
    assert variants.prove_variant(("carcassonne-demo", players, rules, deal)) >= least


@pytest.mark.parametrize("ruleset", WALLED)
@pytest.mark.parametrize("agent", [RandomAgent(), GreedyAgent()][: few(2, 1)], ids=lambda agent: type(agent).__name__)
def test_games_that_begin_with_riches_are_the_same(agent, ruleset):
    game, rng = Game(ruleset, seed=200), np.random.default_rng(200)
    play_in_lockstep(game, ask(agent, rng), lambda game, twin: make_rich(game, twin, rng))


# --- Castle ---


@pytest.mark.parametrize("players", DEALT)
@pytest.mark.parametrize("number", range(few(4, 1)))
def test_random_games_of_castle_are_the_same(players, number):
    assert play_at_random(players, number)["end"] is not None


@pytest.mark.long
@pytest.mark.parametrize("players", DEALT)
def test_many_random_games_of_castle_are_the_same(players):
    for number in range(1000, 1000 + few(150, 20)):
        play_at_random(players, number)


def test_a_game_in_which_nobody_plays_a_card_ends_alike():
    game = Lockstep(2, 0)
    while options := game.slow.options():
        game.play(min(option for option in options if option[0] != "play"))
    assert (game.slow.end, len(game.slow.turns)) == ("quiet", 200)


@pytest.mark.parametrize("game", STORED)
def test_a_stored_game_is_played_as_it_was(game):
    stored, found = load()[STORED.index(game)], play_at_random(*game)
    for number, (then, now) in enumerate(zip(stored["turns"], found["turns"], strict=False)):
        assert then == now, f"turns[{number}]"
    assert stored == found


@pytest.mark.parametrize(
    "field, what",
    [
        ("known", "what is known"),
        ("hand", "the hands"),
        ("pawns", "the supply"),
        ("removed", "the removed cards"),
        ("exchange", "the exchange"),
        ("options", "the options"),
    ],
)
def test_a_difference_is_named(field, what):
    game = Lockstep(3, 0)
    game.fast.states[field][..., 0] += 1
    with pytest.raises(AssertionError, match=f"now: {what} is"):
        game.compare("now")
