"""Spaces of many games are those of Gymnasium, but take the memory of one game, in pickles and copies too."""

import pickle
from copy import deepcopy

import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.spaces import flatten as flatten_by_gymnasium
from gymnasium.spaces import flatten_space
from gymnasium.vector.utils import batch_space

from tests.support.rulesets import PLAYED
from zamek_env import Game
from zamek_env.castle_cards.vector import CastleCardsVectorEnv
from zamek_env.environments.flat import flatten, make_flat_space
from zamek_env.environments.vector_base import BatchedBox, batch
from zamek_env.ruleset import get_ruleset, make_observation_space
from zamek_env.vector import ZamekVectorEnv

COPIES = {"made": lambda space: space, "pickled": lambda space: pickle.loads(pickle.dumps(space)), "copied": deepcopy}


def list_values(whole):
    return list(whole.values()) if isinstance(whole, dict | spaces.Dict) else [whole]


@pytest.fixture(params=["base game", "flat", "castle cards"])
def vector_env(request):
    if request.param == "castle cards":
        return CastleCardsVectorEnv(5, players=3)
    return ZamekVectorEnv(5, flat=request.param == "flat")


@pytest.mark.parametrize("how", COPIES)
def test_spaces_are_those_that_gymnasium_makes(vector_env, how):
    for single, batched in (
        (vector_env.single_observation_space, vector_env.observation_space),
        (vector_env.single_action_space, vector_env.action_space),
    ):
        space, wanted = COPIES[how](batched), batch_space(single, 5)
        assert space == wanted and wanted == space and space.contains(wanted.sample())
        space.seed(3), wanted.seed(3)
        for one, other in zip(list_values(space.sample()), list_values(wanted.sample()), strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("how", COPIES)
def test_bounds_take_the_memory_of_one_game(vector_env, how):
    for box in list_values(COPIES[how](vector_env.observation_space)):
        for bounds in (box.low, box.high, box.bounded_below, box.bounded_above):
            assert bounds.shape == box.shape and bounds.strides[0] == 0
            with pytest.raises(ValueError, match="read-only"):
                bounds[0] = 1
    assert len(pickle.dumps(batch(vector_env.single_observation_space, 1000))) < 2 * len(
        pickle.dumps(vector_env.single_observation_space)
    )


def test_a_batched_space_is_batched_and_read_like_any_other():
    box = BatchedBox(spaces.Box(np.float32([-np.inf, 0]), np.float32([3, np.inf])), 4)
    assert batch_space(box, 2).shape == (2, 4, 2)
    assert not box.is_bounded() and box.contains(box.sample())
    assert not box.contains(np.full((4, 2), -1, np.float32))
    single = spaces.Box(-1, 3, (2,))
    assert repr(BatchedBox(single, 4)) == repr(batch_space(single, 4))


# --- flat observations ---


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
