"""Whole games of the reference engine keep what must hold before every decision."""

from collections import Counter

import pytest

from tests.support.reference import STEPS, ReferenceGame
from tests.support.reference_games import BOX, GATES, GENEROUS, SOKOL, generous, play_out, point_of, whole_game


def points_of(game: ReferenceGame, location) -> dict[int, tuple]:
    """Port -> the point of the plane in which it lies, so that facing ports lie in one point."""
    if location in game.castle.starts:
        side = "NESW".index(game.castle.starts[location]["side"])
        (row, col), (down, right) = game.castle.starts[location]["cell"], STEPS[side]
        location = (row + down, col + right)
    return {port: (6 * location[1] + point_of(port)[0], 6 * location[0] + point_of(port)[1]) for port in range(12)}


def areas_by_points(game: ReferenceGame) -> set[frozenset]:
    """All areas, found another way: segments of one feature with a common point are merged until nothing changes."""
    groups = []
    for location in [*game.castle.starts, *game.board]:
        points = points_of(game, location)
        for name in game.castle.segments(location):
            own = {(name[0], points[port]) for port, owner in game.castle.ports(location).items() if owner == name}
            joined = [group for group in groups if group[1] & own]
            groups = [group for group in groups if not group[1] & own]
            groups.append(
                (
                    frozenset({(location, name)}).union(*(group[0] for group in joined)),
                    own.union(*(group[1] for group in joined)),
                )
            )
    return {segments for segments, _ in groups}


def check_invariants(game: ReferenceGame) -> None:
    """What must hold before every decision."""
    areas, decisions = game.areas(), game.decisions()
    assert len(decisions) == len(set(decisions)) and len(decisions) > (game.phase != "place")
    assert {area.segments for area in areas} == areas_by_points(game)
    assert sum(len(area.segments) for area in areas) == len(frozenset().union(*(area.segments for area in areas)))
    for player in (0, 1):
        standing = sum(area.followers[player] for area in areas)
        assert 0 <= game.supplies[player] <= 6
        assert game.supplies[player] + len(game.pieces[player]) + standing == 6 + len(game.rules.special_pieces)
    assert min(game.nests) >= 0 and game.nest_pool >= 0 and sum(game.nests) + game.nest_pool == game.rules.nests
    assert {cell for _, cell, _, _ in game.followers} <= set(game.board)
    used = [entry["token"] for played in [*game.turns, game.turn] for entry in played["scored"] if entry["token"]]
    used += [1 for played in game.turns if played["extra_turn"]]
    owned = [Counter(tokens) for tokens in [*game.tokens_usable, *game.tokens_fresh]]
    assert sum(owned, Counter(game.tower_tokens.values()) + Counter(used)) == Counter(game.tokens_at_start.values())
    drawn = [tile for tile, _ in game.board.values()] + game.discarded + [game.tile] * (game.phase == "place")
    assert sorted(drawn + game.remaining) == sorted(game.castle.tiles)
    if game.phase in ("place", "extra turn"):
        assert not any(area.is_complete and any(area.followers) for area in areas)
    if game.phase == "place":
        assert game.tokens_fresh == [{}, {}]


@pytest.mark.parametrize(
    "seed, box", [(1, BOX), (2, BOX), (3, GENEROUS), (4, GENEROUS), (1, SOKOL), (3, generous(GATES))]
)
@pytest.mark.long
def test_whole_games_keep_the_invariants(seed, box):
    game = play_out(whole_game(seed, box), seed, check_invariants)
    assert len(game.board) + len(game.discarded) == len(box.tiles["tiles"]) and not game.remaining
    assert game.castle.largest_empty_group() <= len(game.castle.interior) - len(game.board)
