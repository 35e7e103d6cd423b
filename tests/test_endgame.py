"""The solver of the last turns against plain counting, and against itself without windows, order and table."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.support import naive_endgame
from tests.support.games import play_greedily
from tests.support.rulesets import IS_COMPILED, IS_PROOF
from zamek_agents.suites.endgame import MAX_LEFT, Solver
from zamek_env import Game

# A placement, a sending and a scoring with one tile left; chance reveals tokens, and windows leave nodes out.
LINES = json.loads((Path(__file__).parent / "support" / "data" / "endgames.json").read_text(encoding="ascii"))
pytestmark = pytest.mark.skipif(IS_COMPILED and not IS_PROOF, reason="compiling the solver takes long; run as Python")


@pytest.mark.parametrize("line", LINES, ids=[line.split()[2] for line in LINES])
@pytest.mark.plays("zamek")
def test_values_are_those_of_plain_counting(line):
    game = Game.parse_position(line, seed=0)
    before, solver, plain = game.state.tobytes(), Solver(game.ruleset), Solver(game.ruleset, plain=True)
    expected = naive_endgame.solve(game)
    np.testing.assert_allclose(solver.solve(game), expected, atol=1e-9)
    np.testing.assert_allclose(plain.solve(game), expected, atol=1e-9)
    assert solver.nodes < plain.nodes
    assert game.state.tobytes() == before


@pytest.mark.plays("zamek")
def test_values_do_not_depend_on_what_is_hidden():
    found = [Solver(game.ruleset).solve(game) for game in (Game.parse_position(LINES[0], seed=seed) for seed in (1, 2))]
    np.testing.assert_allclose(*found, atol=1e-9)


@pytest.mark.plays("zamek")
def test_too_many_tiles_are_refused():
    game = Game(seed=0)
    with pytest.raises(ValueError, match="at most 2 tiles to be drawn, not 59"):
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
