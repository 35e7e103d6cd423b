"""What a learner may be rewarded for, the same in all environments."""

REWARDS = ("win", "score", "delta")
WIN, SCORE, DELTA = range(len(REWARDS))
SCORE_UNIT = 100  # points that make a reward of 1 under "score" and "delta"
ILLEGAL_REWARD = -1.0
