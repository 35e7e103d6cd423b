"""One game of people and agents: moves, undo, agents that think, and what to show. It knows nothing of the web.

Every state of the game has a name, and a move names the state that its player saw: one that comes too late is refused.
The game is kept in a file after each move. Views contain nothing hidden.
A `PlayedGame` is the game with the moves that led to it. It knows no seats, no file, no agents.
"""

import re
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from zamek_agents.base import Agent, Evaluating, find_evaluating
from zamek_agents.registry import make_agent
from zamek_env.castle_cards import CastleCards
from zamek_env.choices import format_value
from zamek_env.common.messages import show
from zamek_env.common.player_names import Sentence
from zamek_env.evaluation import Evaluation
from zamek_env.fair_play import ask, ask_evaluation
from zamek_env.game import Game
from zamek_env.game_protocol import GameProtocol
from zamek_scripts.playing.castle_cards_presenter import CastleCardsPresenter
from zamek_scripts.playing.kept_game import HUMAN, Keeper, KeptGame
from zamek_scripts.playing.presenter import Presenter, ViewRequest, call_players
from zamek_scripts.playing.tile_presenter import TilePresenter

PRESENTERS: dict[type, Callable[[], Presenter]] = {
    Game: TilePresenter,
    CastleCards: CastleCardsPresenter,
}  # the presenter of each kind of game


@dataclass(frozen=True)
class Move:
    """A decision that was made."""

    player: int
    action: str  # in notation
    words: str
    is_open: bool  # all players saw it
    news: Sequence[Sentence]  # what it brought
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

        Raises `ValueError`, with the number of the action from 1, where one cannot be played.
        """
        for number, text in enumerate(actions, 1):
            try:
                if self.game.is_terminal:
                    raise ValueError("the game is over")
                self.play(self.presenter.read(self.game, text), self.game.current_player in final)
            except (ValueError, TypeError) as error:
                raise ValueError(f"action {number}: {error}") from error


TICK = 0.02  # seconds
LONGEST = 60.0  # seconds that an agent may be asked to wait
UNSEEN = "decides something that others do not see"


class RefusedError(Exception):
    """A request was refused, and the game is as it was; the message says why."""


class StaleError(RefusedError):
    """The game has gone on since."""


class NotNowError(RefusedError):
    """It is not this player's turn, or there is nothing to do."""


class Session:
    """A game of `deal` from its beginning, played on through the actions of `deal`, with a seat for each player.

    Args:
        game: the new game of that deal.
        deal: what is kept of it in the file.
        seats: an agent for each player, or None for a person.
        keeper: keeps the game after each move; None: nobody does.
        pace: seconds that an agent waits before it decides, so that its moves can be followed.

    Set `adviser` before `start` to an agent that evaluates choices, and people are shown its values. Set `save_record`
    to a function, and it gets the record of the game at its end; it may raise `OSError`.

    Raises `ValueError`, naming the action, where one of `deal` cannot be played. All methods may be called from any
    thread.
    """

    def __init__(
        self,
        game: GameProtocol,
        deal: KeptGame,
        seats: Sequence[Agent | None],
        keeper: Keeper | None = None,
        pace: float = 0.0,
    ) -> None:
        self.adviser: Evaluating | None = None
        self.save_record: Callable[[dict[str, Any]], None] | None = None
        self.closed = threading.Event()
        self.deal, self.keeper, self._seats, self.pace = deal, keeper, tuple(seats), pace
        self.is_paused, self._steps = False, 0  # agents wait, and how many decisions they may make nevertheless
        self.played = PlayedGame(game, call_players(self.names))
        self.presenter = self.played.presenter
        self._lock = threading.RLock()
        self._asking = threading.Lock()  # an agent decides in one thread at a time
        self._token = secrets.token_hex(4)  # so that a page left from an earlier session does not fit
        self._revision, self._number = 0, 0
        self._since = time.monotonic()  # the state is the present one
        self._uncovered: int | None = None  # the person who has looked at their hand
        self.trouble: dict[str, str] = {}  # "agent", "file" or "record": what is wrong
        self.failure: BaseException | None = None  # what the agent whose turn it is has raised
        self.evaluation: Evaluation | None = None  # of the choices there are now
        self._shown: tuple[Any, dict[str, Any]] | None = None
        self.played.replay(deal.actions, [player for player, agent in enumerate(self._seats) if agent is not None])

    # --- what is asked of it ---

    def start(self) -> None:
        """Keep the game as it is and let an agent whose turn it is begin to think."""
        with self._lock:
            self._go_on()

    def move(self, state: str, action: str) -> None:
        """Play `action`, in notation, for the person whose turn it is.

        Raises `StaleError` unless `state` names the present state, `NotNowError` where it is no person's decision, and
        `ValueError` where `action` is no legal one, saying why.
        """
        with self._lock:
            self.check_state(state)
            if self.game.is_terminal:
                raise NotNowError("the game is over")
            if not self.is_persons_turn:
                raise NotNowError(f"it is the turn of {self.presenter.names[self.game.current_player]}")
            if self.is_covered:
                raise NotNowError("the hand of the player whose turn it is has not been uncovered")
            self.played.play(self.presenter.read(self.game, action), is_final=False)
            self._go_on()

    def undo(self, state: str) -> None:
        """Take back the last move. Raises `StaleError` as `move` does, `NotNowError` where it cannot be taken back."""
        with self._lock:
            self.check_state(state)
            if not self.played.can_undo:
                raise NotNowError("nothing can be taken back: the last move has shown something new, or was another's")
            self.played.undo()
            self._go_on()

    def uncover(self, state: str) -> None:
        """Show the person whose turn it is their own hand. Raises `StaleError` as `move` does."""
        with self._lock:
            self.check_state(state)
            self._uncovered = self.game.current_player
            self._revise()

    def ask_again(self, state: str) -> None:
        """Let the agent whose turn it is, which failed, try again. Raises `StaleError` as `move` does."""
        with self._lock:
            self.check_state(state)
            if "agent" not in self.trouble:
                raise NotNowError("no agent has failed")
            self._go_on()

    def advise(self, state: str, agent: str) -> None:
        """Let the agent of that name, one of `Presenter.advisers`, evaluate people's choices; "": nobody.

        Raises `StaleError` as `move` does, `ValueError` for another name.
        """
        self.check_adviser(agent)
        adviser = find_evaluating(make_agent(agent)) if agent else None  # which may take long
        with self._lock:
            self.check_state(state)
            self.adviser, self.evaluation = adviser, None
            self.trouble.pop("agent", None)
            self._revise()
            if adviser is not None and self.is_persons_turn:
                self._start(self._advise, adviser)

    def set_pace(self, state: str, pace: str) -> None:
        """Let agents wait `pace` seconds before each decision, or `pause`, or make one more `step`.

        Raises `ValueError` for another text.
        """
        with self._lock:
            if pace in ("pause", "step"):
                self.is_paused = True
                self._steps += pace == "step"
            else:
                seconds = float(pace) if re.fullmatch(r"[0-9]+(\.[0-9]+)?", pace) else -1.0
                if not 0 <= seconds <= LONGEST:
                    raise ValueError(f"pace must be 0 to {LONGEST:g} seconds, pause, or step, not {show(pace)}")
                self.pace, self.is_paused = seconds, False
            self._revise()

    def hurry(self, state: str) -> None:
        """Let the agent whose turn it is decide at once, by the best that it has found so far.

        Raises `StaleError` as `move` does, `NotNowError` where no agent that can be hurried is deciding.
        """
        with self._lock:
            self.check_state(state)
            agent = self._find_agent()
            if agent is None or not hasattr(agent, "hurry"):
                raise NotNowError("nobody is thinking who can be hurried")
            agent.hurry()

    def close(self) -> None:
        """Let nothing more happen."""
        self.closed.set()

    # --- what it shows ---

    @property
    def revision(self) -> str:
        """A text that changes whenever `view` would show something else."""
        return f"{self._token}.{self._revision}"

    @property
    def state(self) -> str:
        """The name of the present state of the game."""
        return f"{self._token}.{self._number}"

    def view(self) -> dict[str, Any]:
        """Return all that is shown, for `json.dumps`: nothing in it is hidden from the person at the screen."""
        with self._lock:
            if self._shown is None or self._shown[0] != self.revision:
                self._shown = self.revision, make_view(self)
            return self._shown[1]

    def doing(self) -> dict[str, Any]:
        """Return the work of the agent whose turn it is, for `json.dumps`; empty where no agent decides."""
        agent, seconds = self._find_agent(), time.monotonic() - self._since
        if agent is None:
            return {}
        return {
            "seconds": seconds,
            "simulations": getattr(agent, "simulations", None),
            "can_hurry": hasattr(agent, "hurry"),
        }

    def past(self, played: int) -> dict[str, Any]:
        """Return what is shown of the game after `played` moves. Raises `ValueError` where there were fewer."""
        with self._lock:
            moves, presenter = self.played.moves, self.presenter
            if not 0 <= played <= len(moves):
                raise ValueError(f"played must lie in 0 to {len(moves)}, not {played}")
            game = moves[played].game if played < len(moves) else self.game
            recent = [(move.game, move.action) for move in moves[max(0, played - 1) : played]]
            request = ViewRequest(self.viewer, False, None, self.played.actions[:played], recent)
            return {
                "played": played,
                "player": game.current_player,
                "scores": presenter.count(game),
                "beside": asdict(presenter.beside(game)),
                "pictures": presenter.pictures(game, request),
            }

    def box(self) -> dict[str, Any]:
        """Return what does not change during the game, for `json.dumps`."""
        return self.presenter.box(self.game)

    def record(self) -> dict[str, Any]:
        """Return the record of the game. Raises `NotNowError` before the end, because it shows what is hidden."""
        with self._lock:
            if not self.game.is_terminal:
                raise NotNowError("there is a record once the game is over: it shows what is hidden")
            return self.game.record(self.names)

    @property
    def game(self) -> GameProtocol:
        """The game as it stands."""
        return self.played.game

    @property
    def names(self) -> list[str]:
        """The names of the players."""
        return [HUMAN if agent is None else agent.name for agent in self._seats]

    @property
    def is_persons_turn(self) -> bool:
        game = self.game  # of one moment: an agent may decide at any time
        return not game.is_terminal and self._seats[game.current_player] is None

    @property
    def viewer(self) -> int | None:
        """The player who sits at the screen, None for somebody who sees only what all see."""
        people = [player for player, agent in enumerate(self._seats) if agent is None]
        if len(people) == 1:
            return people[0]
        return self.game.current_player if self.is_persons_turn and not self.is_covered else None

    @property
    def is_covered(self) -> bool:
        """Whether the next person must confirm to be alone at the screen before their hand is shown."""
        people = self._seats.count(None)
        hides = self.presenter.hides_hands(self.game) and people > 1
        return hides and self.is_persons_turn and self._uncovered != self.game.current_player

    # --- playing ---

    def _find_agent(self):
        """Return the agent whose turn it is; None where that is a person's, or the game is over."""
        game = self.game  # of one moment, as above
        return None if game.is_terminal else self._seats[game.current_player]

    def check_state(self, state: str) -> None:
        """Raise `StaleError` unless `state` names the present state."""
        if state != self.state:
            raise StaleError("the game has gone on since: look at it as it stands now")

    def check_adviser(self, agent: str) -> None:
        """Raise `ValueError` unless `agent` is one of `Presenter.advisers`, or empty."""
        if agent and agent not in self.presenter.advisers:
            raise ValueError(f"agent must be one of {', '.join(self.presenter.advisers)}, or empty, not {show(agent)}")

    def _keep(self):
        """Keep the game in its file; where that fails, play goes on and the page says so."""
        self.trouble.pop("file", None)
        if self.keeper is None:
            return
        try:
            self.keeper.keep(replace(self.deal, actions=self.played.actions))
        except OSError as error:
            self.trouble["file"] = f"The game is not kept: {error}."

    def _go_on(self):
        """Play forced moves of people, keep the game, name its state, and ask the agent that decides or advises."""
        while self.is_persons_turn and len(actions := self.game.legal_actions()) == 1:
            self.played.play(actions[0], is_final=False)
        self._keep()
        self._number += 1
        self._since = time.monotonic()
        self.trouble.pop("agent", None)
        self.evaluation = self.failure = None
        if not self.is_persons_turn:
            self._uncovered = None if self._seats.count(None) > 1 else self._uncovered
        self._revise()
        if self.game.is_terminal and self.save_record is not None:
            try:
                self.save_record(self.record())
            except OSError as error:
                self.trouble["record"] = f"The record is not saved: {error}."
        if self.game.is_terminal or self.closed.is_set():
            return
        agent = self._seats[self.game.current_player]
        if agent is not None:
            self._start(self._think, agent)
        elif self.adviser is not None:
            self._start(self._advise, self.adviser)

    def _revise(self):
        self._revision += 1

    # --- agents, each in a thread ---

    def _start(self, work, agent):
        rng = np.random.default_rng((self.deal.seed, len(self.played.moves)))  # so that a game resumed goes on the same
        threading.Thread(target=work, args=(agent, self._number, self.game.copy(), rng), daemon=True).start()

    def _think(self, agent, number, game, rng):
        # The page hears of it first: compiled code may hold the interpreter for as long as it takes.
        if not self._wait(number):
            return
        try:
            with self._asking:
                if number != self._number:
                    return
                action = ask(agent.act, game, rng)
            with self._lock:
                if number == self._number and not self.closed.is_set():
                    self.played.play(action, is_final=True)
                    self._go_on()
        except (Exception, SystemExit) as error:  # whatever an agent of somebody's own may raise
            self._complain(
                number,
                f"{self.presenter.names[game.current_player]} could not decide: {type(error).__name__}: {error}",
                error,
            )

    def _wait(self, number):
        """Wait as long as an agent should; return whether its decision is still wanted."""
        began = time.monotonic()
        while number == self._number and not self.closed.wait(TICK):
            if self._steps:
                self._steps -= 1
                return True
            if not self.is_paused and time.monotonic() - began >= self.pace:
                return True
        return False

    def _advise(self, adviser, number, game, rng):
        try:
            with self._asking:
                if number != self._number or self.closed.is_set():
                    return  # the game has gone on while another was asked: the next to decide must not wait for this
                found = ask_evaluation(adviser.evaluate, game, rng)
        except (Exception, SystemExit) as error:
            self._complain(number, f"{adviser.name} has no hint: {type(error).__name__}: {error}")
            return
        with self._lock:
            if number == self._number and adviser is self.adviser:
                self.evaluation = found
                self._revise()

    def _complain(self, number, message, failure=None):
        with self._lock:
            if number == self._number:
                self.trouble["agent"], self.failure = message, failure
                self._revise()


# --- views: nothing in them is hidden from the person at the screen ---


def make_view(session: Session) -> dict[str, Any]:
    """Return all that is shown, for `json.dumps`."""
    game, presenter, moves = session.game, session.played.presenter, session.played.moves
    may_choose = session.is_persons_turn and not session.is_covered
    choices = presenter.list_choices(game) if may_choose else []
    beside, results = presenter.beside(game), game.returns() if game.is_terminal else ()
    evaluation = session.evaluation if may_choose else None
    recent = [(move.game, move.action) for move in _find_recent(session.played, session.viewer)]
    request = ViewRequest(session.viewer, may_choose, evaluation, session.played.actions, recent)
    return {
        "state": session.state,
        "revision": session.revision,
        "ruleset": session.deal.ruleset,
        "names": session.presenter.names,
        "colours": list(presenter.colours),
        "player": game.current_player,
        "scores": presenter.count(game),
        "measure": presenter.measure,
        "over": game.is_terminal,
        "winners": [player for player, result in enumerate(results) if result == max(results)],
        "task": presenter.task(game) if may_choose else "",
        "thinking": not game.is_terminal and not session.is_persons_turn and "agent" not in session.trouble,
        "covered": session.is_covered,
        "can_undo": session.played.can_undo,
        "choices": presenter.drop_alike(game, choices) if choices else [],
        "advice": None if evaluation is None else _make_advice(evaluation, [choice["action"] for choice in choices]),
        "adviser": "" if session.adviser is None else session.adviser.name,
        "advisers": list(presenter.advisers),
        "watched": HUMAN not in session.names,
        "pace": None if session.is_paused else session.pace,
        "played": len(moves),
        "moves": [_show_move(move, session.viewer) for move in moves],
        "pictures": presenter.pictures(game, request),
        "recent": presenter.sum_up(request),
        "beside": asdict(beside),
        "ending": _sum_up(moves, len(session.names)) if game.is_terminal else [],
        "spread": presenter.is_spread,
        "buttons": presenter.list_buttons(game, request),
        "trouble": dict(session.trouble),
        "kept": str(session.keeper.path) if session.keeper and "file" not in session.trouble else None,
    }


def _find_recent(played: PlayedGame, viewer: int | None) -> Sequence[Move]:
    """Return the moves from `viewer`'s last one before others' turns on; for None, those of the last turn."""
    moves, turn_of = played.moves, played.presenter.turn_of
    number = len(moves)
    watched = turn_of(moves[-1].game) if moves and viewer is None else viewer
    while number and turn_of(moves[number - 1].game) == watched:
        number -= 1
    while viewer is not None and number and turn_of(moves[number - 1].game) != viewer:
        number -= 1
    return moves[max(0, number - (viewer is not None)) :]


def _sum_up(moves: Sequence[Move], players: int) -> list[dict[str, Any]]:
    """Return where the points of the game came from: `source`, `points` of each player, and `at`, the areas."""
    sums: dict[str, dict[str, Any]] = {}
    for gain in (gain for move in moves for gain in move.gains):
        entry = {"source": gain["source"], "points": [0] * players, "at": []}
        entry = sums.setdefault(gain["source"], entry)
        entry["points"][gain["player"]] += gain["points"]
        if gain["at"]:
            entry["at"].append([gain["at"], gain["player"], gain["points"]])
    return list(sums.values())


def _show_move(move: Move, viewer: int | None) -> dict[str, Any]:
    """Return what the viewer knows of a move, all of it or only that it was made, and of its effects."""
    knows = move.is_open or move.player == viewer
    action, words = (move.action, move.words) if knows else ("", UNSEEN)
    news = [each.words_for(viewer) for each in move.news]
    return {"player": move.player, "action": action, "words": words, "news": news, "gains": list(move.gains)}


def _make_advice(evaluation: Evaluation, names: Sequence[str]) -> dict[str, Any]:
    """Return an agent's values of the choices, as numbers and as short texts; `names` are all choices in order."""
    named = dict(zip(evaluation.actions, names, strict=True))
    seen = [action for action in named if np.isfinite(evaluation.value_of(action))]  # the agent looked at
    return {
        "unit": evaluation.unit,
        "values": {named[action]: evaluation.value_of(action) for action in seen},
        "marks": {named[action]: format_value(evaluation, action) for action in seen},
        "best": None if evaluation.best is None else named[evaluation.best],
    }
