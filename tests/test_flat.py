"""Observations as one row of numbers: what Gymnasium's `flatten` makes of them, for one game and for many."""

import numpy as np
import pytest
from gymnasium.spaces import flatten as flatten_by_gymnasium
from gymnasium.spaces import flatten_space

from tests.support.rulesets import PLAYED
from zamek_env import Game
from zamek_env.flat import flatten, make_flat_space
from zamek_env.ruleset import get_ruleset
from zamek_env.spaces import make_observation_space


@pytest.mark.parametrize("ruleset", PLAYED)
def test_an_observation_is_flattened_as_gymnasium_does_it(ruleset):
    space = make_observation_space(get_ruleset(ruleset))
    assert make_flat_space(space) == flatten_space(space)
    game, rng = Game(ruleset, seed=3), np.random.default_rng(3)
    rows = []
    for _ in range(12):
        seen = game.observe(0)
        rows.append((seen, flatten(seen)))
        due = flatten_by_gymnasium(space, seen)
        assert np.array_equal(rows[-1][1], due) and rows[-1][1].dtype == due.dtype == np.float32
        game.step(int(rng.choice(game.legal_actions())))
    assert rows[-1][1].any() and rows[-1][1] in make_flat_space(space)
    many = {part: np.stack([seen[part] for seen, _ in rows]) for part in space}
    out = np.zeros((12, len(rows[0][1])), np.float32)
    assert flatten(many, out) is out
    assert np.array_equal(flatten(many), out) and np.array_equal(out, [row for _, row in rows])
    assert flatten({part: values[:0] for part, values in many.items()}).shape == (0, out.shape[1])
