"""The choices of a decision in the order in which an agent likes them."""

import numpy as np

from zamek_env.evaluation import Evaluation


def rank(evaluation: Evaluation) -> list[int]:
    """Return the actions, the best first, and last those at which the agent did not look."""
    order = np.argsort(-np.nan_to_num(evaluation.values, nan=-np.inf), kind="stable")
    return [evaluation.actions[number] for number in order]
