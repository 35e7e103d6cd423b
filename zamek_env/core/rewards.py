"""What a learner may be rewarded for, the same in all environments."""

from zamek_env.core.jit import kernel

REWARDS = ("win", "score", "delta")
REWARD_WIN, REWARD_SCORE, REWARD_DELTA = range(len(REWARDS))
SCORE_UNIT = 100  # points that make a reward of 1 under "score" and "delta"
ILLEGAL_REWARD = -1.0


def find_reward(kind: int, lead: float, last_lead: float, is_over: bool) -> float:
    """Return the reward of a player who is `lead` points ahead, and was `last_lead` ahead when last rewarded.

    `kind` is REWARD_WIN: 1, 0 or -1 for a game that ends won, shared or lost (rules Z30, C7). REWARD_SCORE: the lead at
    the end. REWARD_DELTA: by how much the lead has grown, at every step; the sum is the same.
    """
    if kind == REWARD_DELTA:
        return (lead - last_lead) / SCORE_UNIT
    if not is_over:
        return 0.0
    if kind == REWARD_SCORE:
        return lead / SCORE_UNIT
    return 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0


find_reward_in_kernel = kernel(find_reward)  # the same for kernels; from Python, a call of one would take longer
