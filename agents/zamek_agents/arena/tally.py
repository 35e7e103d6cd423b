"""What a game record says of each player: points by source, tokens, discards.

Sources are called as the record calls them: by the feature of an area that was scored, and by the reason of a payment
at the end. Nothing here knows which features or reasons there are.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

OTHER = "other"  # source of points of games whose records name none


class Tally(NamedTuple):
    """What one player did in a game."""

    sources: dict[str, int]  # points by source; they add up to the player's points
    tokens_taken: int
    discards: int


def tally(record: Mapping[str, Any]) -> tuple[Tally, ...]:
    """Return the `Tally` of each player in the record of a finished game.

    An area brings its player what it added to the score, which a rule can make less than it is worth (rule S12). What
    has no source in a record is counted under `OTHER`. A game without scores counts the cards left, below 0.
    """
    if "scores" not in record:
        return _count_cards(record)
    scores = record["scores"]
    sources, so_far = [Counter[str]() for _ in scores], [0] * len(scores)
    tokens, discards = [0] * len(scores), [0] * len(scores)
    for turn in record.get("turns", ()):
        discards[turn["player"]] += len(turn.get("discarded", ()))
        for area in turn.get("scored", ()):
            player = area["player"]
            sources[player][area["feature"]] += area["score"] - so_far[player]
            so_far[player] = area["score"]
            tokens[player] += area["took"] is not None
    for payment in record.get("end", ()):
        sources[payment["player"]][payment["reason"]] += payment["points"]
    for found, points in zip(sources, scores, strict=True):
        if found.total() != points:
            found[OTHER] = points - found.total()
    return tuple(
        Tally(dict(sorted(found.items())), *counts) for found, *counts in zip(sources, tokens, discards, strict=True)
    )


def rank_sources(tallies: Iterable[Mapping[str, int]]) -> tuple[str, ...]:
    """Return the names of all sources in `tallies` of points by source, those that brought most first."""
    totals: Counter[str] = Counter()
    for sources in tallies:
        totals.update(sources)
    return tuple(sorted(totals, key=lambda source: (-totals[source], source)))


def _count_cards(record):
    """Return the `Tally` of each player of a game in which cards left count against them."""
    left = zip(record["hands_left"], record["decks_left"], strict=True)
    return tuple(Tally({"cards in deck": -deck, "cards in hand": -hand}, 0, 0) for hand, deck in left)
