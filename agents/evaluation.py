"""What a position is worth that has not been played to its end, for agents that search.

`search` is the record of any search: it has the fields `evaluation`, one of the numbers below, and `weights`, of
float32, those of an evaluation that has been learned and empty otherwise.
"""

from zamek_env.core import greedy
from zamek_env.core.jit import kernel

HAND = 0
EVALUATIONS = ("hand",)  # by number: as the greedy player values it


@kernel
def evaluate(t, s, player, search):
    """Return the points that `player` may expect to win by; once the game is over, those that he won by."""
    return greedy.evaluate(t, s, player)
