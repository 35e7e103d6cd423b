"""What the page says of a game of tiles beside the board: what players hold, and the rules in short."""

from typing import Any

from zamek_env.common.messages import show_count
from zamek_env.components.model import NUM_ROTATIONS, Components, Feature, Tile, rotated_port
from zamek_env.components.token_text import describe_token, name_token
from zamek_env.records.position import Position
from zamek_env.render.labels import has_family_houses

PIECES = {
    "prince": "Doubles the points of its owner for the area.",
    "falconer": "Brings its owner a nest more for a completed area.",
}


def find_faces(tile: Tile) -> tuple[frozenset[Any], ...]:
    """Return what `tile` shows at each rotation: equal where two look the same."""
    return tuple(
        frozenset(
            (
                segment.feature,
                frozenset(rotated_port(port, rotation) for port in segment.ports),
                segment.marks,
                segment.nests,
            )
            for segment in tile.segments
        )
        for rotation in range(NUM_ROTATIONS)
    )


def list_held(components: Components, position: Position, player: int) -> list[dict[str, Any]]:
    """Return what a player has beside the board, as of `Beside.held`."""
    supply = position.supplies[player]
    held = [_hold("follower", supply, f"{show_count(supply, 'follower')} in supply")]
    for piece in position.pieces[player]:
        held.append(_hold(piece, 1, f"{piece} in supply", PIECES.get(piece, "")))
    if has_family_houses(components):
        tiles = position.family_houses[player]
        words = f"family house of {show_count(tiles, 'tile')}" if tiles else "no family house"
        held.append(_hold("house", tiles, words, "At the end the larger one pays for empty spaces."))
    if components.nests:
        held.append(_hold("nest", position.nests[player], show_count(position.nests[player], "nest")))
    for hand, note in ((position.tokens[player], ""), (position.fresh_tokens[player], " From the next turn on.")):
        for kind in sorted(hand):
            if hand[kind]:
                hint = describe_token(components, kind) + note
                held.append(_hold("token", hand[kind], name_token(components, kind), hint))
    return held


def _hold(icon: str, count: int, words: str, hint: str = "") -> dict[str, Any]:
    return {"icon": icon, "count": count, "words": words, "hint": hint}


def list_help(components: Components) -> list[tuple[str, list[str]]]:
    """Return the rules in short, as (title, lines)."""
    areas = [feature for feature in components.features if components.farmers or not feature.touches]
    sections = [
        (
            "A turn",
            [
                "Place the tile so that touching sides show the same.",
                "You may send a piece from your supply to an area of that tile on which nobody stands.",
                "A completed area pays whoever has most pieces there, and all pieces on it come home. "
                + ("A tie pays everybody." if components.ties_pay else "A tie pays nobody."),
            ],
        ),
        ("Areas", [_describe_feature(feature) for feature in areas]),
    ]
    if components.tokens:
        intro = "A marker that stops at a tower takes the token there. It serves from the next turn on."
        kinds = [token.kind for token in components.tokens]
        lines = [f"{name_token(components, kind)}: {describe_token(components, kind)}" for kind in kinds]
        sections.append(("Special tokens", [intro, *lines]))
    if components.special_pieces:
        lines = [f"{piece.name}: {PIECES.get(piece.name, '')}" for piece in components.special_pieces]
        sections.append(("Special pieces", lines))
    return sections


def _describe_feature(feature: Feature) -> str:
    """Return what an area of a feature pays, and who stands there."""
    parts = []
    if feature.size_points:
        parts.append(f"completed with 1, 2 … tiles {', '.join(map(str, feature.size_points))} points")
    elif feature.completes and feature.surrounded:
        parts.append(f"with the eight tiles around it {show_count(9 * feature.points, 'point')}")
    elif feature.completes:
        marked = f", with {feature.mark} {feature.marked_points}" if feature.marked_points else ""
        parts.append(f"completed {show_count(feature.points, 'point')} a tile{marked}")
    if feature.completed_mark_points:
        parts.append(f"{show_count(feature.completed_mark_points, 'point')} for each of its {feature.mark}")
    if feature.unfinished_points:
        parts.append(f"at the end, unfinished, {show_count(feature.unfinished_points, 'point')} a tile")
    if feature.mark_points:
        parts.append(f"at the end {show_count(feature.mark_points, 'point')} for each of its {feature.mark}")
    if feature.touch_points:
        each = f"each completed {feature.touches} beside it"
        parts.append(f"at the end {show_count(feature.touch_points, 'point')} for {each}")
    if feature.family_house:
        parts.append("the largest completed one becomes the family house")
    return f"{feature.name} ({feature.role}): {'; '.join(parts)}."
