"""Agents play Carcassonne for one to five players, and by house rules; of hands they know what they may see."""

import numpy as np
import pytest

from tests.agents.test_incremental import compare_ends
from tests.agents.test_value import random_weights
from tests.support.box import packaged_files, write_box
from tests.support.games import play_randomly
from zamek_agents import GreedyAgent, RandomAgent, make_agent
from zamek_agents.arena.round_robin import RoundRobin, prepare
from zamek_agents.arena.sets import line_up
from zamek_agents.arena.standings import find_seats, find_shares
from zamek_agents.pretrained import find_path, find_shipped, is_shipped
from zamek_agents.search.base import can_solve
from zamek_agents.search.evaluation import deal_next_tile
from zamek_agents.search.mcts import MCTSAgent
from zamek_agents.value.agent import LearnedAgent
from zamek_agents.value.evaluator import new_evaluators
from zamek_agents.value.features import BASIC, SHAPE, evaluate_learned, find_promise, find_start
from zamek_agents.value.incremental import begin_ends
from zamek_agents.value.learner import learn_chunk, new_learner
from zamek_agents.value.weights import load_weights, new_weights, write_file
from zamek_env import Game, load_components
from zamek_env.core.areas import is_paid
from zamek_env.core.greedy import evaluate_action
from zamek_env.ruleset import get_ruleset
from zamek_scripts import evaluate

pytestmark = pytest.mark.compiles
FEW_TILES = {"copies": {"D": 2, "E": 3, "N": 2, "U": 2, "V": 2}, "table": {"start": "D", "window": 3}}
TABLES = [
    (1, None),
    (5, {"edges_complete": True, "table": [5, 5], "back_into_bag": True}),
    (3, {"draw_ahead": True, "table": [3, 5], "hole_plays_again": True}),
    (2, {"hand": "hidden"}),
    (3, {"hand": "open", "start_in_bag": True, "small_city": True}),
]
HANDS = TABLES[2:]
SEARCHES = {
    "expectimax": "expectimax:evaluation=hand,width=2,tiles=2,turns=0",
    "mcts": "mcts:evaluation=hand,simulations=6,turns=2,tries=2,width=3",
    "uct": "uct:simulations=4",
}


@pytest.fixture(scope="module")
def few_tiles(tmp_path_factory):
    """Return components of Carcassonne with few tiles, so that games are short."""
    rules = packaged_files()["carcassonne.json"] | FEW_TILES
    return load_components(write_box(tmp_path_factory.mktemp("tables") / "box", {"carcassonne.json": rules}))


def begin(components, players, rules, seed=0):
    return Game("carcassonne", seed, components, players, rules)


def list_agents(ruleset):
    """Return one agent of each kind."""
    searches = map(make_agent, SEARCHES.values())
    return [RandomAgent(), GreedyAgent(), LearnedAgent("value", random_weights(ruleset), ruleset), *searches]


@pytest.mark.parametrize(("players", "rules"), TABLES)
def test_every_agent_plays_at_every_table(few_tiles, players, rules):
    rng, game = np.random.default_rng(0), begin(few_tiles, players, rules)
    agents = list_agents(game.ruleset)
    while not game.is_terminal:
        game.step(agents[len(game.history) % len(agents)].act(game, rng))
    assert len(game.history) > len(agents)


@pytest.mark.parametrize(("players", "rules"), HANDS)
def test_no_agent_decides_by_what_others_hold_or_what_comes_next(few_tiles, players, rules):
    games = list(map(Game.copy, play_randomly(begin(few_tiles, players, rules, 1), 1)))[:-1]
    agents, seen = list_agents(games[0].ruleset), set()
    for number, game in enumerate(games[1::9]):
        twin = game.copy()
        twin.redeal(np.random.default_rng(number), game.current_player)
        seen.add(twin == game)
        for agent in agents:
            chosen = [agent.act(each, np.random.default_rng(number)) for each in (game, twin)]
            assert chosen[0] == chosen[1], (agent.name, game.format_position())
    assert False in seen


def test_a_tile_of_the_hand_is_worth_its_best_placement(few_tiles):
    worths = set()
    for game in play_randomly(begin(few_tiles, 2, {"hand": "open"}, 3), 5):
        t, log, trials = game.ruleset.tables[0], game.ruleset.new_log()[0], game.ruleset.new_states(2)
        for slot in game.legal_actions() if game.phase == "choose" else ():
            taken = game.copy()
            taken.step(slot)
            best = []
            for placement in taken.legal_actions():
                trials[0] = taken.state[0]
                best.append(evaluate_action(t, trials, log, placement))
            trials[0] = game.state[0]
            assert evaluate_action(t, trials, log, slot) == max(best)
            worths.add(max(best))
    assert len(worths) > 3


def test_before_a_tile_is_chosen_no_tile_of_the_turn_is_looked_at(few_tiles):
    """Compiled code would read before the beginning of the deck."""
    game = next(game for game in play_randomly(begin(few_tiles, 2, {"hand": "open"}, 3)) if game.phase == "choose")
    assert int(game.state["drawn"][0]) == 0
    evaluator = new_evaluators(game.ruleset, new_weights(game.ruleset))[0]
    evaluator.base_tile = 99
    begin_ends(game.ruleset.tables[0], game.state[0], evaluator)
    assert evaluator.base_tile == 99


def test_value_takes_the_tile_of_its_hand_by_which_most_points_are_won(few_tiles):
    game = begin(few_tiles, 2, {"hand": "open"}, 3)
    player = LearnedAgent("value", new_weights(game.ruleset), game.ruleset)  # it counts points alone
    differing = 0
    for _ in play_randomly(game, 5):
        mover, best = game.current_player, {}
        for slot in game.legal_actions() if game.phase == "choose" else ():
            taken = game.copy()
            taken.step(slot)
            best[slot] = max(find_gains(taken, mover))
        if best:
            assert best[player.act(game, np.random.default_rng(0))] == max(best.values())
            differing += len(set(best.values())) > 1
    assert differing


def find_gains(game, mover):
    """Yield by how much `mover` leads after each way to play the turn that goes on in `game`."""
    for action in game.legal_actions():
        after = game.copy()
        after.step(action)
        if after.current_player == mover and after.phase == "send":
            yield from find_gains(after, mover)
        else:
            yield after.scores[mover] - after.scores[1 - mover]


# --- the learned evaluation ---


@pytest.mark.parametrize(("players", "rules"), TABLES)
def test_ends_of_a_turn_are_worth_as_much_after_others_as_alone(few_tiles, players, rules):
    games = (game for game in play_randomly(begin(few_tiles, players, rules, 2), 2) if game.phase != "choose")
    assert sum(compare_ends(list(map(Game.copy, games))[4::12]).values()) > 0


def test_an_area_counts_for_all_who_lead_in_it(few_tiles):
    shared = 0
    for seed in (0, 18):  # in the latter two of three share an area
        game = begin(few_tiles, 3, None, seed)
        weights, t = new_weights(game.ruleset), game.ruleset.tables[0]
        weights[find_start(t, BASIC) : find_start(t, SHAPE)] = 1  # an area is worth what it would pay
        evaluator = new_evaluators(game.ruleset, weights)[0]
        for _ in play_randomly(game, seed):
            if game.phase != "place":
                continue
            s = game.state[0]
            values = [evaluate_learned(t, s, player, evaluator) for player in range(3)]
            areas = {int(area) for area in s["follower_area"].flat if area >= 0}
            due = [int(points) for points in s["score"]]
            for area in areas:
                paid = [player for player in range(3) if is_paid(t, s, area, player)]
                shared += len(paid) > 1
                for player in paid:
                    due[player] += int(find_promise(t, s, area, player))
            assert evaluator.totals.tolist() == due
            for player, value in enumerate(values):
                others = due[:player] + due[player + 1 :]
                assert due[player] - max(others) - 1e-9 <= value <= due[player] - np.mean(others) + 1e-9
    assert shared


def test_learning_among_three_moves_the_weights_and_is_measured(few_tiles, tmp_path):
    folder = tmp_path / "box"
    write_box(folder, {"carcassonne.json": packaged_files()["carcassonne.json"] | FEW_TILES})
    ruleset = get_ruleset("carcassonne", str(folder), 3, {"draw_ahead": True})
    settings = {"rate": 0.3, "trace": 0.8, "exploration": 200, "memory": 10}
    learners = new_learner(ruleset, 1, settings, random_weights(ruleset))
    named = ("carcassonne", str(folder), 3, "draw_ahead")
    after, row, _ = learn_chunk(named, learners, 2, 1)
    changed = after["evaluator"]["weights"] != learners["evaluator"]["weights"]
    assert changed.any() and not changed[0, 0] and row["games"] == 2
    assert 0 <= row["win_rate"] <= 1 and np.isfinite(row["error"])


# --- weights ---


def test_weights_are_for_all_numbers_of_players_and_house_rules(tmp_path, monkeypatch):
    shipped = find_path("value", "carcassonne")
    for name in ("carcassonne", "carcassonne-3p"):
        (tmp_path / f"value-{name}.npz").symlink_to(shipped)
    monkeypatch.setattr("zamek_agents.pretrained.FOLDER", tmp_path)
    for name in ("carcassonne", "carcassonne-bga", "carcassonne-hand"):
        for players in (1, 2, 3, 5):
            ruleset = get_ruleset(name, players=players, rules={"small_city": True})
            path = find_shipped("value", ruleset)
            assert path == find_path("value", "carcassonne-3p" if players > 2 else "carcassonne")
            assert load_weights(path, ruleset).size == new_weights(ruleset).size
    path, three = tmp_path / "weights.npz", get_ruleset("carcassonne", players=3)
    write_file(path, new_weights(three), three, {})
    assert load_weights(path, get_ruleset("carcassonne", rules={"hand": "open"})).size
    with pytest.raises(ValueError, match="was trained for the ruleset 'carcassonne', not for 'carcassonne-demo'"):
        load_weights(path, get_ruleset("carcassonne-demo", players=3))


def test_networks_and_solvers_are_for_two_without_hands(few_tiles):
    for players, rules, is_solved in (
        (3, None, False), (2, {"draw_ahead": True}, False), (2, {"back_into_bag": True}, False), (2, None, True),
        (2, {"small_city": True}, True),
    ):  # fmt: skip
        game = begin(few_tiles, players, rules)
        assert can_solve(game.ruleset) == is_solved
        if not is_solved:
            with pytest.raises(ValueError, match="the agent 'star25' plays for two, without hands"):
                make_agent("star25").check_game(game)
            with pytest.raises(ValueError, match="the agent 'star25' plays for two, without hands"):
                make_agent("star25").act(game, np.random.default_rng(0))
        assert not is_shipped("ppo", get_ruleset("carcassonne", players=players, rules=rules)) or rules is None


def test_a_search_without_a_solver_searches_to_the_end(few_tiles):
    agent = MCTSAgent(evaluation="hand", simulations=4, turns=1, tries=1, width=2)
    *_, last, _ = map(Game.copy, play_randomly(begin(few_tiles, 3, None), 3))
    assert agent.act(last, np.random.default_rng(0)) in last.legal_actions() and not agent.is_solved


# --- what the next player has ---


def test_any_tile_unseen_can_be_what_the_next_player_has_drawn(few_tiles):
    for game in map(Game.copy, play_randomly(begin(few_tiles, 3, {"draw_ahead": True}, 4), 4)):
        if game.phase != "place" or int(game.state["drawn"][0]) < 5:
            continue
        s = game.state[0]
        next_player, drawn = (game.current_player + 1) % 3, int(s["drawn"])
        if s["hand"][next_player, 0] < 0:
            continue
        for tile in s["deck"][drawn:].tolist():
            twin = game.copy()
            after = twin._states[0]
            deal_next_tile(after, tile)
            assert after["hand"][next_player, 0] == tile
            held = [tile for tile in after["hand"].flat if tile >= 0]
            assert sorted(after["deck"][drawn : drawn + int(after["held"][0])]) == sorted(held)
            assert sorted(after["deck"]) == sorted(s["deck"])
        return
    raise AssertionError("there was no such position")


# --- the arena ---


def test_every_agent_meets_every_other_from_every_seat(few_tiles):
    agents = [GreedyAgent(), RandomAgent(), RandomAgent()]
    components = begin(few_tiles, 3, {"draw_ahead": True}).ruleset.components
    (lineup,) = line_up(agents, 0, "carcassonne", True, components)
    results = list(lineup.play(2))
    assert [game.record["players"].index("greedy") for game in results[0].games] == [0, 1, 2]
    assert sum(share.wins for share in find_shares(results)) == pytest.approx(1)
    assert [seat.games for seat in find_seats(results)] == [6, 6, 6]


def test_a_round_robin_is_told_players_and_rules():
    lineups = prepare(RoundRobin(("random",) * 4, "carcassonne-demo", players=3, rules="hand=open"))
    assert [len(lineup.names) for lineup in lineups] == [3, 3, 3, 3]
    assert lineups[0].components.house.hand == "open" and lineups[0].components.players == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"players": 3, "agents": ("greedy", "random")}, "--agents must name 3 or more, not 2"),
        ({"players": 1}, "--players must be 2 or more"),
        ({"players": 6}, "--players must be 1 to 5 in the ruleset carcassonne"),
        ({"players": 3, "sprt": True}, "--sprt is for games of two players only, not of 3"),
        ({"rules": "draw"}, "--rules must name some of draw_ahead"),
        ({"ruleset": "zamek", "rules": "draw_ahead"}, "goes with a table"),
        ({"ruleset": "castle-cards", "rules": "draw_ahead"}, "--rules is for games of tiles only, not for castle"),
        ({"agents": ("star25", "greedy"), "rules": "draw_ahead"}, "the agent 'star25' plays for two, without hands"),
        ({"agents": ("ppo", "greedy"), "rules": "small_city"}, "the agent 'ppo' knows games of two players"),
    ],
)
def test_arguments_of_the_arena_that_cannot_be_are_refused(refused, arguments, said):
    assert said in refused(evaluate.main, evaluate.Args(**{"ruleset": "carcassonne", "games": 6, **arguments}))
