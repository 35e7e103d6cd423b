"""The rewards of a learner, the same in all environments."""

from collections.abc import Sequence

from zamek_env.compiler.jit import kernel

REWARDS = ("win", "score", "delta")
REWARD_WIN, REWARD_SCORE, REWARD_DELTA = range(len(REWARDS))
SCORE_UNIT = 100  # points that make a reward of 1 under "score" and "delta"
ILLEGAL_REWARD = -1.0


def find_reward(kind: int, lead: float, last_lead: float, is_over: bool) -> float:
    """Return the reward of a player who is `lead` points ahead, and was `last_lead` ahead when last rewarded.

    `kind` is REWARD_WIN: 1, 0 or -1 for a game that ends won, shared or lost (rules Z30, C7); with more or fewer than
    two players `find_result` gives it. REWARD_SCORE: the lead at the end. REWARD_DELTA: the growth of the lead, at
    every step; the sum is the same.
    """
    if kind == REWARD_DELTA:
        return (lead - last_lead) / SCORE_UNIT
    if not is_over:
        return 0.0
    if kind == REWARD_SCORE:
        return lead / SCORE_UNIT
    return 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0


def find_lead(scores: Sequence[int], player: int) -> int:
    """Return how many points `player` is ahead of the best other; alone, the player's points (rule C12)."""
    best, others = 0, 0
    for other in range(len(scores)):
        if other != player:
            best = max(best, int(scores[other])) if others > 0 else int(scores[other])
            others += 1
    return int(scores[player]) - best


def find_result(scores: Sequence[int], player: int) -> float:
    """Return the result of `player` in a game that ended with these `scores` (rules Z30, C11, C12).

    +1 for a sole winner and -1 ÷ (players - 1) for each other; a shared victory is split equally. The sum of all
    results is 0, and so is the result of a player alone.
    """
    best, others, winners = 0, len(scores) - 1, 0
    for number in range(len(scores)):
        if int(scores[number]) > best:
            best, winners = int(scores[number]), 0
        winners += int(scores[number]) == best
    if others == 0:
        return 0.0
    if int(scores[player]) < best:
        return -1.0 / others
    return (len(scores) - winners) / (winners * others)  # exactly 0 where all share the victory


# the same for kernels; from Python, a call of one would take longer
find_reward_in_kernel = kernel(find_reward)
find_lead_in_kernel = kernel(find_lead)
find_result_in_kernel = kernel(find_result)
