"""The solver of the last turns against plain counting, and against itself without windows, order and table."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.support import naive_endgame
from tests.support.games import few, play_greedily
from tests.support.rulesets import IS_COMPILED, IS_PROOF
from zamek_agents.search import star_search
from zamek_agents.search.base import MAX_LEFT, Solver
from zamek_env import Game

# Positions by ruleset, with a tile or none left: placements, sendings and scorings, most with tokens to reveal. In
# those of zamek, windows and table leave nodes out.
LINES = json.loads((Path(__file__).parents[1] / "support" / "data" / "endgames.json").read_text(encoding="ascii"))
pytestmark = pytest.mark.skipif(IS_COMPILED and not IS_PROOF, reason="compiling the solver takes long; run as Python")


def check_values(line):
    """Compare the solver, with and without what makes it fast, with plain counting; return how many nodes each took."""
    game = Game.parse_position(line, seed=0)
    before, solver, plain = game.state.tobytes(), Solver(game.ruleset), Solver(game.ruleset, plain=True)
    expected = naive_endgame.solve(game)
    np.testing.assert_allclose(solver.solve(game), expected, atol=1e-9)
    np.testing.assert_allclose(plain.solve(game), expected, atol=1e-9)
    assert game.state.tobytes() == before
    return solver.nodes, plain.nodes


@pytest.mark.parametrize("number", range(few(2, 2)))
@pytest.mark.plays("sokol")
def test_values_are_those_of_plain_counting(number):
    check_values(LINES["sokol"][number])


@pytest.mark.parametrize("number", range(3))
@pytest.mark.plays("zamek")
@pytest.mark.long
def test_values_are_those_of_plain_counting_where_nodes_are_left_out(number):
    fast, plain = check_values(LINES["zamek"][number])
    assert fast < plain


@pytest.mark.plays("zamek")
def test_the_tile_drawn_after_one_that_fits_nowhere_is_chance_too():
    """By plain counting, over every order of the three tiles left, the second of the actions is worth 1 point."""
    game = Game.parse_position(LINES["a tile may fit nowhere"][0], seed=0)
    solver = Solver(game.ruleset)
    assert find_worth(solver, game, game.legal_actions()[1]) == pytest.approx(1)


@pytest.mark.plays("zamek")
def test_the_best_is_chosen_where_a_bound_is_equal_but_for_rounding():
    game = Game.parse_position(LINES["a bound may lie above the best by rounding"][0], seed=0)
    solver = Solver(game.ruleset)
    chosen = solver.choose(game, 10**6)
    best = solver._room.frames["best"][0]
    star_search.begin_with(solver._room, chosen)
    assert star_search.go_on(solver._ruleset.tables, solver._room, 10**6)
    assert solver._room.frames["best"][0] == pytest.approx(best)


def find_worth(solver, game, action):
    """Return what one action is worth; `Solver.solve` takes six times as long here."""
    solver._begin(game)
    star_search.begin_with(solver._room, action)
    assert star_search.go_on(solver._ruleset.tables, solver._room, 10**6)
    return solver._room.frames["best"][0]


@pytest.mark.plays("sokol")
def test_values_do_not_depend_on_what_is_hidden():
    line = LINES["sokol"][1]
    found = [Solver(game.ruleset).solve(game) for game in (Game.parse_position(line, seed=seed) for seed in (1, 2))]
    np.testing.assert_allclose(*found, atol=1e-9)


@pytest.mark.plays("sokol")
def test_too_many_tiles_are_refused():
    game = Game("sokol", seed=0)
    with pytest.raises(ValueError, match="at most 3 tiles to be drawn, not "):
        Solver(game.ruleset).solve(game)


@pytest.mark.parametrize("ruleset", ["zamek", "sokol-gates", "carcassonne"])
@pytest.mark.long
def test_windows_order_and_table_change_no_value(ruleset):
    solver = plain = None
    compared = 0
    for seed in range(60):
        for game in play_greedily(Game(ruleset, seed=seed), seed):
            left = game.ruleset.sizes.tiles - int(game.state["drawn"][0])
            if game.is_terminal or left > MAX_LEFT or (left == MAX_LEFT and len(game.legal_actions()) > 12):
                continue
            solver, plain = solver or Solver(game.ruleset), plain or Solver(game.ruleset, plain=True)
            np.testing.assert_allclose(solver.solve(game), plain.solve(game), atol=1e-9)
            compared += 1
    assert compared > 60
