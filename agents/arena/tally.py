"""What a game record tells of each player: points by source, tokens, discards.

Sources are called as the record calls them: by the feature of an area that was scored, and by the reason of a payment
at the end. Nothing here knows which features or reasons there are.
"""

from collections import Counter
from typing import NamedTuple


class Tally(NamedTuple):
    """What one player did in a game."""

    sources: dict[str, int]  # points by source; they add up to the player's points
    tokens_taken: int
    discards: int


def tally(record):
    """Return the `Tally` of player 0 and of player 1 in the record of a finished game.

    An area brings its player what it added to the score, which a rule can make less than it is worth (rule S12).
    """
    sources, scores, tokens, discards = (Counter(), Counter()), [0, 0], [0, 0], [0, 0]
    for turn in record["turns"]:
        discards[turn["player"]] += len(turn["discarded"])
        for area in turn["scored"]:
            player = area["player"]
            sources[player][area["feature"]] += area["score"] - scores[player]
            scores[player] = area["score"]
            tokens[player] += area["took"] is not None
    for payment in record["end"]:
        sources[payment["player"]][payment["reason"]] += payment["points"]
    return tuple(Tally(dict(sorted(sources[player].items())), tokens[player], discards[player]) for player in range(2))
