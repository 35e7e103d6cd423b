"""A game with the moves that led to it, some of which can be taken back. It knows no seats, no file, no agents."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from zamek_env.castle_cards.game import CastleCards
from zamek_env.common.messages import show
from zamek_env.game import Game
from zamek_env.game_protocol import GameProtocol
from zamek_scripts.playing.castle_presenter import CastlePresenter
from zamek_scripts.playing.presenter import News, Presenter
from zamek_scripts.playing.tile_presenter import TilePresenter

PRESENTERS: dict[type, Callable[[], Presenter]] = {
    Game: TilePresenter,
    CastleCards: CastlePresenter,
}  # the presenter of each kind of game


@dataclass(frozen=True)
class Move:
    """A decision that was made."""

    player: int
    action: str  # in notation
    words: str
    is_open: bool  # all players saw it
    news: Sequence[News]  # what it brought
    gains: Sequence[dict[str, Any]]  # the points that it brought, as of `Presenter.list_gains`
    game: GameProtocol  # before it
    is_forced: bool  # there was no other choice


class PlayedGame:
    """A `game`, new at the beginning, and its moves since; `names` are how sentences call the players."""

    def __init__(self, game: GameProtocol, names: Sequence[str] = ()) -> None:
        self.game = game
        self.presenter = next((make for kind, make in PRESENTERS.items() if isinstance(game, kind)), Presenter)()
        self.presenter.names = names
        self.moves: list[Move] = []
        self._undoable = 0  # of the last moves

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions played so far, in notation."""
        return tuple(move.action for move in self.moves)

    @property
    def can_undo(self) -> bool:
        """Whether the last move that was a choice was a person's who still decides, and nothing hidden was shown."""
        return any(not move.is_forced for move in self.moves[len(self.moves) - self._undoable :])

    def play(self, action: int, is_final: bool) -> None:
        """Play `action` on a copy, so that a refused one changes nothing; `is_final`: it cannot be taken back.

        Raises what `step` of the game raises.
        """
        before, after = self.game, self.game.copy()
        after.step(action)
        player = before.current_player
        is_open = self.presenter.is_open(before, action)
        news = self.presenter.describe_news(before, action)
        text, words = self.presenter.name(before, action), self.presenter.describe(before, action)
        gains, is_forced = self.presenter.list_gains(before, action), len(before.legal_actions()) == 1
        self.moves.append(Move(player, text, words, is_open, news, gains, before, is_forced))
        ends_turn = after.current_player != player or self.presenter.reveals(before, after)
        self._undoable = 0 if is_final or ends_turn else self._undoable + 1
        self.game = after

    def undo(self) -> None:
        """Take back the last move that was a choice; `can_undo` must hold."""
        assert self.can_undo
        is_forced = True
        while is_forced:
            self._undoable -= 1
            move = self.moves.pop()
            self.game, is_forced = move.game, move.is_forced

    def replay(self, actions: Iterable[str], final: Iterable[int]) -> None:
        """Play `actions` in notation; those of the players in `final` cannot be taken back.

        Raises `ValueError`, naming the action, where one cannot be played.
        """
        for number, text in enumerate(actions, 1):
            try:
                if self.game.is_terminal:
                    raise ValueError("the game is over")
                self.play(self.presenter.read(self.game, text), self.game.current_player in final)
            except (ValueError, TypeError) as error:
                raise ValueError(f"action {number}, {show(text)}: {error}") from error
