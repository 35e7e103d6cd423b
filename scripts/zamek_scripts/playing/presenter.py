"""Shows a game to people: a picture, their choices, and whether a move has revealed what was hidden.

`Presenter` suits any `GameProtocol`: choices in words. Its subclasses are for kinds of games. Actions are called by
their notation everywhere; their numbers never leave these files.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from zamek_env.common.messages import show
from zamek_env.common.player_names import YOU, Sentence, label_players, name_player
from zamek_env.evaluation import Evaluation
from zamek_scripts.playing.kept_game import HUMAN

Choice: TypeAlias = dict[str, Any]  # "action" in notation, "words", and what the page has to know besides


def call_players(names: Sequence[str]) -> list[str]:
    """Return the page's names of the players with these `names`: a single person is `You`."""
    person = YOU if names.count(HUMAN) == 1 else ""
    return [*label_players([person if name == HUMAN else name for name in names])]


@dataclass(frozen=True)
class ViewRequest:
    """The viewer of a picture, and its purpose."""

    viewer: int | None = None  # a player, or None for somebody who sees only what all see
    may_choose: bool = False
    evaluation: Evaluation | None = None  # of the choices, to be shown with them
    played: Sequence[str] = ()  # the actions so far, in notation
    recent: Sequence[tuple[Any, str]] = ()  # of what has happened last: the game before an action, and the action


@dataclass(frozen=True)
class Beside:
    """The panel beside the board."""

    held: Sequence[Sequence[dict[str, Any]]]  # by each player: `icon`, `count`, `words`, what it does as `hint`
    facts: Sequence[str] = ()  # such as how many tiles are left
    tile: str | None = None  # the name of the tile to place, or of the one just placed
    left: dict[str, int] = field(default_factory=dict)  # how many of each tile are still to be drawn


class Picture(NamedTuple):
    """A picture for a terminal, in lines of text."""

    board: Sequence[str]
    beside: Sequence[str]  # what lies below the board
    aside: Sequence[str] = ()  # the same, in fewer columns, for where there is room at its side
    legend: Sequence[str] = ()
    middle: int = 0  # the line of the board that matters most


class Presenter:
    """Shows any game whose players may have private hands."""

    names: Sequence[str] = ()  # how sentences call the players; by number where there are none
    colours: Sequence[str] = ()  # of the players in the picture, `#rrggbb`
    measure: str = "points"  # what `count` counts
    advisers: Sequence[str] = ()  # agents of this package that evaluate choices of such a game
    is_spread: bool = False  # there are choices in the second picture too

    def hides_hands(self, game: Any) -> bool:
        """Return whether a player sees something that others may not."""
        return True

    def name(self, game: Any, action: int) -> str:
        """Return the legal `action` as a person may type it: in notation, or in words if the game has no notation.

        Where two actions have the same words, each has its number behind them.
        """
        return game.format_action(action) if hasattr(game, "parse_action") else _name_in_words(game)[action]

    def read(self, game: Any, text: str) -> int:
        """Return the action, legal or not, that `text` names. Raises `ValueError` where there is none."""
        if hasattr(game, "parse_action"):
            return int(game.parse_action(text))
        named = {name: action for action, name in _name_in_words(game).items()}
        if text not in named:
            raise ValueError(f"text must be an action, not {show(text)}")
        return named[text]

    def describe(self, game: Any, action: int) -> str:
        """Return what the legal `action` does, in words."""
        return str(game.describe(action))

    def list_choices(self, game: Any) -> list[Choice]:
        """Return the legal actions: each its notation `action` and what it would do in `words`."""
        return [{"action": name, "words": self.describe(game, action)} for action, name in _name_in_words(game).items()]

    def count(self, game: Any) -> list[int]:
        """Return each player's points, or what else counts."""
        return [int(points) for points in game.scores]

    def turn_of(self, game: Any) -> int:
        """Return the player whose turn it is, who may be another than who decides."""
        return int(game.current_player)

    def task(self, game: Any) -> str:
        """Return the decision as an order to the player who makes it, for nobody else's eyes."""
        return "choose what to play"

    def pictures(self, game: Any, request: ViewRequest) -> list[str] | None:
        """Return SVG documents, the board and what lies next to it, as many of them as there are; None for none."""
        return None

    def list_buttons(self, game: Any, request: ViewRequest) -> list[dict[str, Any]]:
        """Return what the viewer sees besides the pictures, such as cards of a hand: `location` and `words`."""
        return []

    def sum_up(self, request: ViewRequest) -> list[dict[str, Any]]:
        """Return in sentences what `request.recent` brought: `words`, and the `places` in pictures that they name."""
        return []

    def drop_alike(self, game: Any, choices: Sequence[Choice]) -> Sequence[Choice]:
        """Return `choices` without those that do the same as another."""
        return choices

    def beside(self, game: Any) -> Beside:
        """Return what lies next to the board and is seen by all."""
        return Beside([[] for _ in game.scores])

    def box(self, game: Any) -> dict[str, Any]:
        """Return what does not change during a game: `tiles`, pictures by name, and `help`, (title, lines) each.

        `tokens` says whether players may hold some.
        """
        return {"tiles": {}, "help": [], "tokens": False}

    def list_gains(self, game: Any, action: int) -> list[dict[str, Any]]:
        """Return the points that `action` brings: `player`, `points`, `source`, and `at`, an area or None, of each."""
        return []

    def text(self, game: Any, viewer: int | None) -> str:
        """Return what `viewer` sees for a terminal."""
        points = (f"{name_player(player, self.names)} {points}" for player, points in enumerate(game.scores))
        return f"{game}\npoints: {', '.join(points)}" if any(game.scores) else str(game)

    def picture(self, game: Any, viewer: int | None, played: Sequence[str] = ()) -> Picture:
        """Return the parts of `text`, what `viewer` sees in a terminal; `played` are the actions so far."""
        return Picture((), self.text(game, viewer).splitlines())

    def is_open(self, game: Any, action: int) -> bool:
        """Return whether all players see which `action` is played in `game`, as the game tells."""
        return hasattr(game, "is_open") and bool(game.is_open(action))

    def describe_news(self, game: Any, action: int) -> Sequence[Sentence]:
        """Return the effects of `action` in `game`, beyond what `describe` says."""
        return ()

    def reveals(self, before: Any, after: Any) -> bool:
        """Return whether somebody has learnt anything on the way from one game to the other, so none may be undone."""
        return True


def _name_in_words(game: Any) -> dict[int, str]:
    """Return the legal actions of a game without notation, each with a unique name."""
    words = {action: str(game.describe(action)) for action in game.legal_actions()}
    are_alike = len({*words.values()}) < len(words)
    return {action: f"{text} ({action})" for action, text in words.items()} if are_alike else words
