"""What people see of a game: a picture, their choices, and whether a move has revealed what was hidden.

`Sight` does for any `GameProtocol`: choices in words. `TileSight` adds what the games of tiles have: a picture, and
where on it each choice lies. Actions are called by their notation everywhere; their numbers never leave this file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zamek_env.checks import show
from zamek_env.choices import locate, make_overlay
from zamek_env.evaluation import Evaluation
from zamek_env.game import Game
from zamek_env.game_protocol import GameProtocol
from zamek_env.hints import find_hints
from zamek_env.layout.actions import PHASE_NAMES, PLACE
from zamek_env.records import notation
from zamek_env.render import Overlay, draw_parts
from zamek_env.render.overlay import Location, name_location


@dataclass(frozen=True)
class Glance:
    """Who looks at a picture, and what for."""

    viewer: int | None = None  # a player, or None for somebody who sees only what all see
    may_choose: bool = False
    evaluation: Evaluation | None = None  # of the choices, to be shown with them
    played: Sequence[str] = ()  # the actions so far, in notation


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

    def pictures(self, game: Any, glance: Glance) -> list[str] | None:
        """Return SVG documents, the board and what lies beside it, as many of them as there are; None for none."""
        return None

    def text(self, game: Any, viewer: int | None) -> str:
        """Return what `viewer` sees for a terminal."""
        return "points: " + ", ".join(f"player {player} {points}" for player, points in enumerate(game.scores))

    def is_open(self, game: Any, action: int) -> bool:
        """Return whether all players see what `action` is when it is played in `game`."""
        return False

    def reveals(self, before: Any, after: Any) -> bool:
        """Return whether somebody has learnt anything on the way from one game to the other, so none may be undone."""
        return True


class TileSight(Sight):
    """What there is to see of a `Game`: nobody has anything that others do not see."""

    has_hands = False

    def list_choices(self, game: Game) -> list[dict[str, Any]]:
        """Return the legal actions as `Sight` does, and for the board where on it they lie.

        `location` is that of `zamek_env.render.Overlay`, in notation; `rotation` is that of a tile to place, in
        clockwise quarter turns. The order is that of the actions.
        """
        actions = game.legal_actions()
        texts, locations = notation.list_legal(game.ruleset, game.state[0]), locate(game, actions)
        return [
            {"action": text, "words": game.describe(action)} | _tell_spot(game, action, locations[action])
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

    def pictures(self, game: Game, glance: Glance) -> list[str]:
        position = game.position()
        last = _find_last_placed(glance.played)
        last = None if last == position.cell else last  # which is outlined anyway
        overlay = make_overlay(game, glance.evaluation, last) if glance.may_choose else Overlay(last=last)
        hints = find_hints(game.ruleset, game.state[0])
        return [*draw_parts(game.ruleset.components, position, overlay=overlay, hints=hints)]

    def text(self, game: Game, viewer: int | None) -> str:
        return str(game)

    def is_open(self, game: Game, action: int) -> bool:
        return True

    def reveals(self, before: Game, after: Game) -> bool:
        first, second = before.state[0], after.state[0]
        is_same_turn = first.drawn == second.drawn and not after.is_terminal
        return not (is_same_turn and first.tower_taken.tolist() == second.tower_taken.tolist())


def sight_of(game: GameProtocol) -> Sight:
    """Return what suits the kind of `game`."""
    return TileSight() if isinstance(game, Game) else Sight()


def _tell_spot(game: Game, action: int, location: Location | None) -> dict[str, Any]:
    """Return what the board has to know of the legal `action`; nothing where it has no place there."""
    spot: dict[str, Any] = {} if location is None else {"location": name_location(location)}
    if game.phase == PHASE_NAMES[PLACE]:
        spot["rotation"] = game.ruleset.actions.parse_place(action)[1]
    return spot


def _find_last_placed(played: Sequence[str]) -> tuple[int, int] | None:
    """Return (row, column) of the last placement among actions in notation."""
    placements = filter(None, map(notation.TILE_AT.fullmatch, reversed(played)))
    return next(((int(read[2]), int(read[3])) for read in placements), None)
