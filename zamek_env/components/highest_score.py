"""Bounds the points that components can bring a player: no game exceeds the bound, and none need reach it.

An area pays a player once, when it is completed or at the end. So a tile pays once for each of its segments, by
whichever way pays most, and a mark once. What a prince multiplies is taken to be multiplied everywhere.
"""

import math
from fractions import Fraction

from zamek_env.components.model import NUM_AROUND, TOKEN_USES, Components

_, COMPLETED_TOKEN, MARK_TOKEN, _, POINT_TOKEN, UNFINISHED_TOKEN = TOKEN_USES


def bound_score(components: Components) -> int:
    """Return a number of points that a player cannot exceed in a game (rules Z18, Z23, Z27, Z28, S7, S11, C4–C8)."""
    factor = math.prod(piece.factor for piece in components.pieces)
    total = sum(_bound_feature(components, feature, factor, components.tokens) for feature in components.features)
    total += sum(token.count * token.points for token in components.tokens if token.use == POINT_TOKEN)
    groups = (components.nests > 0) + any(feature.family_house for feature in components.features)
    return total + groups * len(components.board.cells)


def bound_area(components: Components) -> int:
    """Return an upper bound of the points, without prince and token, the tiles and the open ports of an area."""
    points = max(_bound_feature(components, feature, 1, ()) for feature in components.features)
    faces = (*components.tiles, *components.laid)
    ports = sum(len(segment.ports) for tile in faces for segment in tile.segments)
    return max(points, ports, len(faces), NUM_AROUND + 1)


def _bound_feature(components, feature, factor, tokens):
    """Return what all areas of `feature` together can pay one player who may use `tokens`."""
    segments = [
        segment
        for tile in (*components.tiles, *components.laid)
        for segment in tile.segments
        if segment.feature == feature.name
    ]
    tiles = len(segments) * (1 + NUM_AROUND * feature.surrounded)  # each area has at most these, counted for each area
    given = {use: [token.points for token in tokens if (token.use, token.feature) == (use, feature.name)]
             for use in (COMPLETED_TOKEN, MARK_TOKEN, UNFINISHED_TOKEN)}  # fmt: skip
    a_tile = max(
        factor * _bound_tile(feature),
        factor * (feature.unfinished_points + sum(given[UNFINISHED_TOKEN])),
        *given[COMPLETED_TOKEN],
        0,
    )
    a_mark = factor * max(feature.completed_mark_points, feature.mark_points + sum(given[MARK_TOKEN]))
    touched = sum(len(segment.touches) for segment in segments)
    marks = sum(segment.marks for segment in segments)
    return math.floor(tiles * a_tile) + marks * a_mark + touched * factor * feature.touch_points


def _bound_tile(feature):
    """Return what each tile of a completed area of `feature` pays at most, without prince and token; a fraction."""
    if not feature.completes:
        return 0
    by_size = (Fraction(points, size) for size, points in enumerate(feature.size_points, start=1))
    return max(feature.points, feature.marked_points if feature.mark else 0, *by_size, 0)
