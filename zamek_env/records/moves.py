"""Plays games of which only the moves are known, as those are that people played elsewhere."""

from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import unquote

from zamek_env.core.log import DISCARDED, LOGGED_EVENT, LOGGED_SUBJECT
from zamek_env.layout.actions import PHASE_NAMES, SEND
from zamek_env.messages import show
from zamek_env.records.notation import NOTHING, TILE_AT, word
from zamek_env.ruleset import Ruleset

if TYPE_CHECKING:
    from zamek_env.game import Game

DISCARD = "discard "  # begins the move that tells of a tile that fitted nowhere
AnyGame = TypeVar("AnyGame", bound="Game")


class TilesLeft:
    """The tiles of a `Ruleset` that have not been drawn yet; copies are taken in the order of the components."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._numbers: dict[str, list[int]] = {}  # id -> numbers of the copies left
        for number, tile in enumerate(ruleset.components.tiles):
            self._numbers.setdefault(tile.id, []).append(number)
        self._counts = {name: len(numbers) for name, numbers in self._numbers.items()}

    def take(self, name: object) -> int:
        """Return the number of a tile called `name`. Raises `ValueError` where none is left."""
        if not isinstance(name, str) or name not in self._numbers:
            raise ValueError(f"there is no tile {show(name)}")
        if not self._numbers[name]:
            often = "was" if self._counts[name] == 1 else f"is there {self._counts[name]} times and was so often"
            raise ValueError(f"{name} {often} drawn before")
        return self._numbers[name].pop(0)


def play_moves(game_class: type[AnyGame], ruleset: Ruleset, moves: Iterable[str], seed: int | None) -> AnyGame:
    """Return the game that comes of `moves`, as `Game.from_moves` describes."""
    if isinstance(moves, str | bytes | Mapping | Set) or not isinstance(moves, Iterable):
        raise TypeError(f"moves must be a row of texts, not {show(moves)}")
    texts = list(moves)
    game = game_class.from_deal(ruleset, _read_drawn(ruleset, texts), seed=seed)
    discarded = _list_discarded(game)
    for number, text in enumerate(texts, 1):
        with _numbered(number, text):
            if text.startswith(DISCARD):
                _compare_discarded(discarded, text.removeprefix(DISCARD))
            else:
                _check_not_discarded(discarded, text)
                discarded += _play(game, text)
    return game


def _read_drawn(ruleset, texts):
    """Return the numbers of the tiles that moves tell of, in the order in which they were drawn."""
    left, drawn = TilesLeft(ruleset), []
    for number, text in enumerate(texts, 1):
        if not isinstance(text, str):
            raise TypeError(f"moves must be texts, and move {number} is {show(text)}")
        placed = TILE_AT.fullmatch(text)
        if placed or text.startswith(DISCARD):
            with _numbered(number, text):
                drawn.append(left.take(unquote(placed[1] if placed else text.removeprefix(DISCARD))))
    return drawn


@contextmanager
def _numbered(number: int, text: str) -> Iterator[None]:
    """Let errors of the block begin with the number of the move and its text."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"move {number}, {show(text)}: {error}") from error


def _list_discarded(game):
    """Return the words of the tiles that left the game in the last step."""
    events = game.last_events
    subjects = events[events[:, LOGGED_EVENT] == DISCARDED, LOGGED_SUBJECT]
    return [word(game.ruleset.tile(tile).id) for tile in subjects.tolist()]


def _compare_discarded(discarded, tile):
    if discarded[:1] != [tile]:
        raise ValueError(f"{tile} fits somewhere" if not discarded else f"{discarded[0]} was discarded first")
    discarded.pop(0)


def _check_not_discarded(discarded, text):
    placed = TILE_AT.fullmatch(text)
    if placed and placed[1] in discarded:
        raise ValueError(f"{placed[1]} fits nowhere and leaves the game")


def _play(game, text):
    """Play a move, and before it that nobody is sent where that was left out; return the tiles discarded."""
    may_send = game.phase == PHASE_NAMES[SEND]
    if text == NOTHING and not may_send:
        return []
    discarded = _play(game, NOTHING) if TILE_AT.fullmatch(text) and may_send else []
    game.step(game.parse_action(text))
    return discarded + _list_discarded(game)
