"""Many games in one array beside as many single environments: what each is and becomes is the same."""

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence


def play_side_by_side(many, singles, seed, steps):
    """Play random games of a vector environment, of Gymnasium's mode "SameStep", and the same in single environments.

    Fail where anything differs. Yield (number, `info` of all, reward and `info` of the single one) of games that end.
    """
    rng, (seen, info) = np.random.default_rng(seed), many.reset(seed=seed)
    alone = [env.reset(seed=seed + number) for number, env in enumerate(singles)]
    for _ in range(steps):
        for number, (look, one) in enumerate(alone):
            assert data_equivalence(pick(seen, number), look, exact=True)
            assert find_shown(info, number) == find_shown(one)
        actions = [int(rng.choice(np.flatnonzero(mask))) for mask in info["action_mask"]]
        seen, rewards, over, truncated, info = many.step(actions)
        assert not truncated.any()
        for number, env in enumerate(singles):
            look, reward, is_over, _, one = env.step(actions[number])
            assert (rewards[number], over[number]) == (reward, is_over)
            if is_over:
                points = "scores" if "scores" in one else "returns"
                assert info["result"][points][number].tolist() == pytest.approx(list(one[points]))
                assert data_equivalence(info["final_obs"][number], look, exact=True)
                assert find_shown(info["final_info"], number) == find_shown(one) and one["current_player"] == -1
                yield number, info, reward, one
                look, one = env.reset()
            alone[number] = look, one


def pick(seen, number):
    """Return what is seen of one of many games."""
    return {name: part[number] for name, part in seen.items()} if isinstance(seen, dict) else seen[number]


def find_shown(info, number=...):
    """Return mask, player and deal in an `info`: of a game, or of that of many."""
    return [np.asarray(info[key])[number].tolist() for key in ("action_mask", "current_player", "deal")]
