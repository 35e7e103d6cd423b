"""What people see of a game: a picture, their choices, and whether a move has revealed what was hidden.

`Sight` does for any `GameProtocol`: choices in words. `TileSight` adds what the games of tiles have: a picture, and
where on it each choice lies. Actions are called by their notation everywhere; their numbers never leave this file.
"""

from typing import Any

from zamek_env.checks import show
from zamek_env.components.model import SIDES
from zamek_env.game import Game
from zamek_env.game_protocol import GameProtocol
from zamek_env.records import notation
from zamek_env.records.position import Position
from zamek_env.render import draw_svg
from zamek_env.render.anchors import anchors_of
from zamek_env.render.faces import turned
from zamek_env.render.labels import find_tile


class Sight:
    """What there is to see of any game whose players may have private hands."""

    has_hands = True  # what one player sees, others may not

    def name(self, game: Any, action: int) -> str:
        """Return `action` as a person may type it: in notation, or as its number where the game has none."""
        return game.format_action(action) if hasattr(game, "format_action") else str(action)

    def read(self, game: Any, text: str) -> int:
        """Return the action, legal or not, that `text` names. Raises `ValueError` where there is none."""
        if hasattr(game, "parse_action"):
            return int(game.parse_action(text))
        if not (text.isascii() and text.isdecimal() and len(text) < 10):
            raise ValueError(f"text must be the number of an action, not {show(text)}")
        return int(text)

    def list_choices(self, game: Any) -> list[dict[str, Any]]:
        """Return the legal actions: each its notation `action` and what it would do in `words`."""
        return [{"action": self.name(game, action), "words": game.describe(action)} for action in game.legal_actions()]

    def task(self, game: Any) -> str:
        """Return what is to be decided, as an order."""
        return "choose what to play"

    def picture(self, game: Any, viewer: int | None) -> str | None:
        """Return an SVG document of what `viewer` sees, a player or None for what all see; None where there is none."""
        return None

    def text(self, game: Any, viewer: int | None) -> str:
        """Return what `viewer` sees for a terminal."""
        return "points: " + ", ".join(f"player {player} {points}" for player, points in enumerate(game.scores))

    def reveals(self, before: Any, after: Any) -> bool:
        """Return whether somebody has learnt anything on the way from one game to the other, so none may be undone."""
        return True


class TileSight(Sight):
    """What there is to see of a `Game`: nobody has anything that others do not see."""

    has_hands = False

    def list_choices(self, game: Game) -> list[dict[str, Any]]:
        """Return the legal actions as `Sight` does, and for the board: `at`, where each lies in the picture.

        `at` is [x, y] in sides of a tile. A placement has its `cell`, [row, column], and `rotation` in clockwise
        quarter turns. The order is that of the actions.
        """
        position, actions = game.position(), game.legal_actions()
        texts = notation.list_legal(game.ruleset, game.state[0])
        return [
            {"action": text, "words": game.describe(action)} | _find_spot(game, position, action, text)
            for action, text in zip(actions, texts, strict=True)
        ]

    def task(self, game: Game) -> str:
        tile = game.position().tile
        return {
            "place": f"place {tile}",
            "send": f"send a piece to {tile}, or nobody",
            "score": "choose the area to score next",
            "extra turn": "end the turn, or use a token for another",
        }.get(game.phase, "")

    def picture(self, game: Game, viewer: int | None) -> str:
        return draw_svg(game.ruleset.components, game.position())

    def text(self, game: Game, viewer: int | None) -> str:
        return str(game)

    def reveals(self, before: Game, after: Game) -> bool:
        first, second = before.state[0], after.state[0]
        is_same_turn = first.drawn == second.drawn and not after.is_terminal
        return not (is_same_turn and first.tower_taken.tolist() == second.tower_taken.tolist())


def sight_of(game: GameProtocol) -> Sight:
    """Return what suits the kind of `game`."""
    return TileSight() if isinstance(game, Game) else Sight()


def _find_spot(game: Game, position: Position, action: int, text: str) -> dict[str, Any]:
    """Return what the board has to know of the legal `action`, `text` in notation; nothing where it has no place."""
    if read := notation.TILE_AT.fullmatch(text):
        row, column = int(read[2]), int(read[3])
        return {"cell": [row, column], "rotation": SIDES.index(read[4]), "at": [column + 0.5, row + 0.5]}
    if position.phase == "send" and position.cell and position.tile:
        number, _ = game.ruleset.actions.parse_send(action)
        if number is not None:
            tile = find_tile(game.ruleset.components, position.tile)
            return {"at": _find_anchor(game, position, position.cell, tile.segments[number].name)}
    if position.phase == "score":
        cell, named = notation.read_segment(text.split(" ")[1]) or ((0, 0), "")
        tile = find_tile(game.ruleset.components, position.board[cell][0])
        for segment in tile.segments:
            if notation.word(segment.name) == named:
                return {"at": _find_anchor(game, position, cell, segment.name)}
    return {}


def _find_anchor(game: Game, position: Position, cell: tuple[int, int], segment: str) -> list[float]:
    """Return [x, y] of the place in the picture where a follower stands on that segment of the tile at `cell`."""
    name, rotation = position.board[cell]
    tile = find_tile(game.ruleset.components, name)
    x, y = turned(anchors_of(tile)[segment][-1], rotation)
    return [round(cell[1] + x, 3), round(cell[0] + y, 3)]
