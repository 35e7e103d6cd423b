"""Rows: what an observation says of each legal action is what the reference engine finds; nothing hidden is in it."""

from functools import partial

import numpy as np
import pytest

from tests.support.expected_rows import expected_rows
from tests.support.games import few, play_randomly
from tests.support.lockstep import as_decisions, ask, make_rich, twin_of
from zamek_agents.heuristic import GreedyAgent, RandomAgent
from zamek_env import Game, castle_cards_v1
from zamek_env.components.box_folder import RULESETS
from zamek_env.layout.observation import PARTS, ROW_PARTS
from zamek_env.observer import Observer
from zamek_env.ruleset import get_ruleset
from zamek_env.single import ZamekEnv
from zamek_env.vector import ZamekVectorEnv
from zamek_env.zamek_v0 import raw_env

AGENTS = {"random": RandomAgent(), "greedy": GreedyAgent()}


def look(game, player=None):
    """Return {action: {name of a column: what it says, where that is not 0}} as `player` sees it."""
    seen = Observer(game.ruleset, ("rows",)).look(game, player)[0]
    names, count = game.ruleset.rows.names, np.count_nonzero(seen["row_actions"] >= 0)
    assert not seen["rows"][count:].any()
    rows = [{names[column]: int(row[column]) for column in np.flatnonzero(row)} for row in seen["rows"][:count]]
    return dict(zip(seen["row_actions"][:count].tolist(), rows, strict=True))


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("agent", AGENTS)
def test_rows_say_what_the_reference_engine_finds(ruleset, agent):
    rng = np.random.default_rng(5)
    for seed in range(few(4, 1)):
        game = Game(ruleset, seed=seed)
        twin, choose, number = twin_of(game), ask(AGENTS[agent], rng), 0
        if game.ruleset.sizes.fields and seed % 2 == 0:
            make_rich(game, twin, rng)
        while not game.is_terminal:
            legal = game.legal_actions()
            decisions = as_decisions(game, legal)
            if game.phase in ("score", "extra turn") or number % few(4, 32) == 0:
                due = expected_rows(twin, decisions, game.ruleset.rows.names)
                assert look(game) == dict(zip(legal, due, strict=True)), (seed, number)
            action = choose(game, legal)
            twin.play(decisions[legal.index(action)])
            game.step(action)
            number += 1
        assert look(game) == {}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_rows_say_nothing_of_what_is_hidden(ruleset):
    rng = np.random.default_rng(2)
    for number, game in enumerate(play_randomly(Game(ruleset, seed=4), 4)):
        if number % few(2, 32) == 0 and not game.is_terminal:
            shown = look(game)
            twin = game.copy()
            twin.redeal(rng, game.current_player)
            assert look(twin) == shown
            assert look(game.concealed(rng, game.current_player)) == shown


@pytest.mark.parametrize("ruleset", RULESETS)
def test_there_is_a_row_for_every_legal_action_and_room_for_more(ruleset):
    game = Game(ruleset, seed=8)
    observer = Observer(game.ruleset, ROW_PARTS)
    for number, _ in enumerate(play_randomly(game, 8)):
        legal = game.legal_actions()
        if number % few(1, 20) == 0 and legal:
            actions = observer.look(game)[0]["row_actions"]
            assert actions[: len(legal)].tolist() == legal
            assert (actions[len(legal) :] == -1).all()
            assert not look(game, 1 - game.current_player)


def test_the_bound_of_rows_follows_from_the_open_cells_of_a_board():
    sizes = get_ruleset("zamek").sizes
    assert sizes.most_open_cells == max(min(7 + 2 * laid, 76 - laid) for laid in range(60))
    table = get_ruleset("carcassonne").sizes
    assert table.most_open_cells == 4 + 2 * (table.tiles - 1)


@pytest.mark.long
@pytest.mark.parametrize("ruleset", RULESETS)
def test_parts_are_what_they_are_in_all_company(ruleset):
    game = Game(ruleset, seed=3)
    observers = [Observer(game.ruleset, parts) for parts in (*([part] for part in PARTS), ROW_PARTS)]
    whole = Observer(game.ruleset, PARTS)
    for number, _ in enumerate(play_randomly(game, 3)):
        if number % few(1, 20) == 0:
            seen, mask, *_ = whole.look(game)
            for observer in observers:
                part, same, *_ = observer.look(game)
                assert (same == mask).all()
                for name, values in part.items():
                    np.testing.assert_array_equal(values, seen[name], name)
            flat = whole.look_flat(game)[0]
            np.testing.assert_array_equal(flat, np.concatenate([seen[name].ravel() for name in sorted(seen)]))


@pytest.mark.parametrize(
    ("parts", "flat"),
    [(ROW_PARTS, False), *(pytest.param(PARTS, flat, marks=pytest.mark.compiles) for flat in (False, True))],
)
@pytest.mark.parametrize("opponent", [None, "random"])
def test_many_games_show_the_parts_of_single_ones(opponent, parts, flat):
    arguments = {"observation": parts, "flat": flat, "opponent": None}
    many = ZamekVectorEnv(3, autoreset_mode="SameStep", **arguments | {"opponent": opponent})
    assert many.single_observation_space == ZamekEnv(**arguments).observation_space
    rng = np.random.default_rng(1)
    seen, info = many.reset(seed=5)
    for _ in range(few(200, 20)):
        assert many.observation_space.contains(seen)
        for number in range(3):
            game = many.copy_game(number)
            player = int(info["current_player"][number])
            due = game.observe(player if player >= 0 else 0, flat, parts)
            shown = seen[number] if flat else {name: values[number] for name, values in seen.items()}
            np.testing.assert_equal(shown, due)
        seen, _, _, _, info = many.step([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])


@pytest.mark.parametrize("make", [partial(raw_env, flat=False), partial(castle_cards_v1.raw_env, players=3)])
def test_an_agent_that_is_not_to_decide_sees_no_rows(make):
    env = make(observation=("rows",))
    env.reset(seed=1)
    acting, *others = (env.observe(agent)["observation"]["row_actions"] for agent in env.possible_agents)
    assert acting[0] >= 0 and others and all((waiting == -1).all() for waiting in others)


@pytest.mark.parametrize(
    ("given", "error", "problem"),
    [
        ("rows", TypeError, r"observation must be a sequence of names such as \('vector', 'rows'\), not 'rows'"),
        (3, TypeError, "observation must be a sequence of names"),
        ((), ValueError, "observation must name some of 'planes', 'codes', 'vector', 'rows', not empty"),
        (("vector", "row"), ValueError, "observation must name some of 'planes', 'codes', 'vector', 'rows', not 'row'"),
    ],
)
@pytest.mark.parametrize(
    "make", [ZamekEnv, ZamekVectorEnv, raw_env, lambda observation: Game().observe(0, False, observation)]
)
def test_other_parts_are_refused(make, given, error, problem):
    with pytest.raises(error, match=problem):
        make(observation=given)
