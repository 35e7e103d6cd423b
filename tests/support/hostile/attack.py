"""Makes many random and malformed calls, of the kinds in the files `tests/support/hostile/`.

python -m tests.support.hostile.attack [--calls 100000] [--seed 0]
"""

import argparse
import tempfile
from collections import Counter

import numpy as np
from tqdm import tqdm

from tests.support.hostile.learning import LearningAttacker

KINDS = {  # method: how many in a thousand calls
    "step_or_describe": 115,
    "make_game": 100,
    "deal_game": 60,
    "redeal": 40,
    "name_players": 10,
    "step_env": 50,
    "step_aec": 30,
    "reset_env": 60,
    "reset_with_odd_option": 20,
    "set_env_state": 10,
    "set_foreign_env_state": 10,
    "make_env": 70,
    "step_vector": 40,
    "step_chosen_in_vector": 30,
    "reset_vector": 50,
    "make_vector": 130,
    "copy_vector": 10,
    "fork_vector": 3,
    "use_closed_vector": 7,
    "replay_spoilt": 50,
    "replay_with_odd_value": 20,
    "replay_anything": 20,
    "load_spoilt": 45,
    "load_at_limits": 5,
    "load_from_odd_place": 5,
    "learn_at_odd_rate": 5,
    "choose_by_odd_weights": 5,
}


def attack(calls, seed=0, progress=False):
    """Make so many calls, the kinds in turn; return {kind, what became of it: how often}.

    Raises `ViolationError` at the first that does what it must not.
    """
    outcomes = Counter()
    with tempfile.TemporaryDirectory() as folder:
        attacker = LearningAttacker(seed, folder)
        for kind, share in KINDS.items():
            attacker.rng = np.random.default_rng([seed, *kind.encode()])  # so that no kind depends on the others
            for _ in tqdm(range(calls * share // 1000), desc=kind, disable=not progress):
                outcomes[kind, getattr(attacker, kind)()] += 1
    return outcomes


def main():
    """Make the calls and print what became of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    for (kind, outcome), count in sorted(attack(**vars(arguments), progress=True).items()):
        print(f"{count:7}  {kind}: {outcome}")


if __name__ == "__main__":
    main()
