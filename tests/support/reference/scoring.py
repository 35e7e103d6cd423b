"""Points on the track, nests from the pool, and the end scoring."""

from tests.support.reference.table import WalledTable

TRACK_FIELDS = 100  # Z1: fields 0 to 99, a ring
UNFINISHED_TOKENS = ((7, "house", 1), (8, "pigsty", 2), (9, "road", 1))  # Z23: kind, feature, points a tile


def move_marker(score: int, at_gate: bool, points: int, gates: set[int]) -> tuple[int, bool]:
    """Move a marker point by point, as far as it gets; return its score and whether it is on a gate then (S12).

    `gates` are the fields after which a gate lies. A marker on a gate keeps the score of the field before it.
    """
    for _ in range(points):
        if not at_gate and score % TRACK_FIELDS in gates:
            return score, True  # from the field before it onto the gate: what is left is lost
        score, at_gate = score + 1, False
    return score, at_gate


def take_nests(nests: list[int], pool: int, player: int, due: int) -> tuple[list[int], int]:
    """Both players' nests after one has taken what is due from the pool; return how many that were, too (S9, S10)."""
    left = list(nests)
    if due > pool:
        returned = min(nests)
        left = [held - returned for held in nests]
        pool += 2 * returned
    taken = min(due, pool)
    left[player] += taken
    return left, taken


def end_scoring(castle: WalledTable, family_houses: list[int], tokens: list[dict], nests: list[int]) -> list[dict]:
    """The entries of the end scoring that are not 0, kinds 4 to 9 used as well as they can be (Z24, Z27 to Z29, S11).

    Where a player's own prince stands, the area gives that player twice as much, with tokens too (S7).
    """
    areas = castle.areas()
    sizes = [size + 2 * owned.get(5, 0) if size else 0 for size, owned in zip(family_houses, tokens, strict=False)]
    entries = []
    for player in (0, 1):
        own, owned = [area for area in areas if area.controller == player], tokens[player]
        shrines = [area.shrines * area.prince_factor(player) for area in own if area.feature == "meadow"]
        points = {
            "meadow": 3 * sum(shrines),
            "family house": castle.largest_empty_group() if sizes[player] > sizes[1 - player] else 0,
            "nests": castle.largest_empty_group() if nests[player] > nests[1 - player] else 0,
            "token 4": sum_of_largest(shrines, owned.get(4, 0)),
            "token 6": 5 * owned.get(6, 0),
        }
        for kind, feature, a_tile in UNFINISHED_TOKENS:
            unfinished = [area for area in own if area.feature == feature and not area.is_complete]
            gains = [a_tile * area.tiles * area.prince_factor(player) for area in unfinished]
            points[f"token {kind}"] = sum_of_largest(gains, owned.get(kind, 0))
        entries += [{"player": player, "reason": reason, "points": value} for reason, value in points.items() if value]
    return entries


def sum_of_largest(values: list[int], count: int) -> int:
    """The sum of the `count` largest values: as many tokens on as many different areas (Z24)."""
    return sum(sorted(values, reverse=True)[:count])
