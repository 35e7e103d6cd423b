"""Shows games of tiles to people: a picture, where on it each choice lies, what players hold, and the rules."""

from collections.abc import Sequence
from typing import Any

from zamek_env.choices import locate, make_overlay
from zamek_env.common.messages import show_count
from zamek_env.common.player_names import Sentence, tell_player
from zamek_env.components.model import NUM_ROTATIONS, Components, Feature, Tile, rotated_port
from zamek_env.components.token_text import describe_token, name_token
from zamek_env.game import Game
from zamek_env.hints import find_hints
from zamek_env.layout.actions import CHOOSE, PHASE_NAMES, PLACE
from zamek_env.notation import action_line
from zamek_env.notation.explain import describe
from zamek_env.notation.position import Position
from zamek_env.records.step_text import describe_news, name_reason
from zamek_env.records.write import Recorder, deal_again
from zamek_env.render import Overlay, draw_parts, draw_tile
from zamek_env.render.labels import count_words, find_tile, has_family_houses, pool_words
from zamek_env.render.overlay import Location, name_location
from zamek_env.render.palette import PLAYERS
from zamek_env.render.text import LEAST_LINE, draw_lines
from zamek_scripts.playing.presenter import Beside, Choice, Picture, Presenter, ViewRequest


class TilePresenter(Presenter):
    """Shows a `Game`; by some house rules players hold tiles that others do not see."""

    colours, advisers = PLAYERS, ("value", "mcts", "expectimax")
    _recorder: Recorder[Game] | None = None  # of the game as it was after the last action described

    def hides_hands(self, game: Game) -> bool:
        return game.ruleset.sizes.hides_hands

    def list_choices(self, game: Game) -> list[Choice]:
        """Return the legal actions as `Presenter` does, and for the board where on it they lie.

        `location` is that of `zamek_env.render.Overlay`, in notation; `rotation` is that of a tile to place, in
        clockwise quarter turns. The order is that of the actions.
        """
        actions = game.legal_actions()
        texts, locations = action_line.list_legal(game.ruleset, game.state[0]), locate(game, actions)
        return [
            {"action": text, "words": self.describe(game, action)} | _make_spot(game, action, locations[action])
            for action, text in zip(actions, texts, strict=True)
        ]

    def describe(self, game: Game, action: int) -> str:
        return describe(game.ruleset, game.state[0], action, self.names)

    def task(self, game: Game) -> str:
        tile = game.position().tile
        return {
            "choose": "choose the tile of your hand to lay",
            "place": f"place {tile}",
            "send": f"send a piece to {tile}, or nobody",
            "score": "choose the area to score next",
            "extra turn": "end the turn, or use a token for another",
        }.get(game.phase, "")

    def pictures(self, game: Game, request: ViewRequest) -> list[str]:
        position = game.position(request.viewer)
        last = _find_last_placed(request.played)
        last = None if last == position.cell else last  # which is outlined anyway
        overlay = make_overlay(game, request.evaluation, last) if request.may_choose else Overlay(last=last)
        hints = find_hints(game.ruleset, game.state[0], self.names)
        return [draw_parts(game.ruleset.components, position, overlay=overlay, hints=hints, names=self.names)[0]]

    def list_buttons(self, game: Game, request: ViewRequest) -> list[dict[str, Any]]:
        """Return the tiles in the viewer's hand, each with the name of its picture (rules H1, H2)."""
        hands = game.position(request.viewer).hands
        held = enumerate(hands[request.viewer] if hands and request.viewer is not None else ())
        return [{"location": _name_slot(slot), "words": tile, "tile": tile} for slot, tile in held if tile]

    def drop_alike(self, game: Game, choices: Sequence[Choice]) -> Sequence[Choice]:
        if game.phase != PHASE_NAMES[PLACE]:
            return choices
        faces = find_faces(find_tile(game.ruleset.components, str(game.position().tile)))
        first: dict[Any, Choice] = {}
        for choice in choices:
            first.setdefault((choice["location"], faces[choice["rotation"]]), choice)
        return [*first.values()]

    def beside(self, game: Game) -> Beside:
        components, position = game.ruleset.components, game.position()
        held = [list_held(components, position, player) for player in range(len(position.scores))]
        hands = [f"{tell_player(player, self.names, 'holds')} {', '.join(filter(None, hand))}"
                 for player, hand in enumerate(position.hands) if any(hand)]  # fmt: skip
        facts = [count_words(position), *hands, *([pool_words(position)] if components.nests else [])]
        left = {name: count for name, count in position.remaining.items() if count}
        return Beside(held, facts, position.tile, left)

    def box(self, game: Game) -> dict[str, Any]:
        components = game.ruleset.components
        return {
            "tiles": {tile.id: draw_tile(components, tile.id) for tile in components.kinds},
            "help": list_help(components),
            "tokens": bool(components.tokens),
        }

    def list_gains(self, game: Game, action: int) -> list[dict[str, Any]]:
        recorder = self._play(game, action)
        return [
            {
                "player": item["player"],
                "points": item["points"],
                "source": item["feature"] if kind == "scored" else name_reason(game.ruleset.components, item["reason"]),
                "at": name_location(item["at"]) if "at" in item else None,
            }
            for kind, item in recorder.news
            if kind in ("scored", "paid")
        ]

    def text(self, game: Game, viewer: int | None) -> str:
        return str(game)

    def picture(self, game: Game, viewer: int | None, played: Sequence[str] = ()) -> Picture:
        """Return what all see, without the places of pieces in words: the board shows them."""
        components, position = game.ruleset.components, game.position()
        board, beside, legend = draw_lines(components, position, has_places=False, names=self.names)
        aside = draw_lines(components, position, width=LEAST_LINE, has_places=False, names=self.names)[1]
        row = str((_find_last_placed(played) or (0, 0))[0])
        numbered = (number for number, line in enumerate(board) if number and line[:3].strip() == row)
        return Picture(board, beside, aside, legend, next(numbered, len(board) // 2))

    def is_open(self, game: Game, action: int) -> bool:
        return True

    def describe_news(self, game: Game, action: int) -> list[Sentence]:
        """Return what `action` scores and pays, and which tiles fit nowhere, all of which all players see."""
        recorder = self._play(game, action)
        return [Sentence(words) for words in describe_news(recorder, recorder.news, self.names)]

    def _play(self, game: Game, action: int) -> Recorder[Game]:
        """Return a recorder of `game` that has just played `action`."""
        recorder = self._recorder
        if recorder is not None and recorder.game.history == (*game.history, action):  # asked twice
            return recorder
        if recorder is None or recorder.game != game:  # after an undo, say
            recorder = Recorder(deal_again(game))
            for played in game.history:
                recorder.step(played)
        recorder.step(action)
        self._recorder = recorder
        return recorder

    def reveals(self, before: Game, after: Game) -> bool:
        first, second = before.state[0], after.state[0]
        is_same_turn = first.drawn == second.drawn and not after.is_terminal
        return not (is_same_turn and first.tower_taken.tolist() == second.tower_taken.tolist())


def _make_spot(game: Game, action: int, location: Location | None) -> dict[str, Any]:
    """Return what the board needs to know of the legal `action`; nothing where it has no place there."""
    spot: dict[str, Any] = {} if location is None else {"location": name_location(location)}
    if game.phase == PHASE_NAMES[PLACE]:
        spot["rotation"] = game.ruleset.actions.parse_place(action)[1]
    if game.phase == PHASE_NAMES[CHOOSE]:
        spot["location"] = _name_slot(game.ruleset.actions.parse_choose(action))
    return spot


def _name_slot(slot: int) -> str:
    """Return the page's name of a place in the hand."""
    return f"hand {slot}"


def _find_last_placed(played: Sequence[str]) -> tuple[int, int] | None:
    """Return (row, column) of the last placement among actions in notation."""
    placements = filter(None, map(action_line.TILE_AT.fullmatch, reversed(played)))
    return next(((int(read[2]), int(read[3])) for read in placements), None)


PIECES = {
    "prince": "Doubles the points of its owner for the area.",
    "falconer": "Brings its owner a nest more for a completed area.",
}


def find_faces(tile: Tile) -> tuple[frozenset[Any], ...]:
    """Return a key of the face of `tile` at each rotation: equal where two look the same."""
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
    """Return what a player has next to the board, as in `Beside.held`."""
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
    """Return what an area of a feature pays, and the role of its followers."""
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
