"""The number of players, and bounds of the numbers that describe a training, in arguments and in files."""

MAX_COUNT = 10**12
MAX_PAST = 1000  # selves
MAX_SIZE = 1024  # of `width` and `hidden`: both at most make a network of 23 MB
PLAYERS = 2  # of the games that it plays
