"""The base class of agents, and searches that can be asked to decide at once."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Protocol, runtime_checkable

import numpy as np

from zamek_env import Game
from zamek_env.common.checks import takes
from zamek_env.common.messages import show
from zamek_env.common.pickling import WritableArrays
from zamek_env.errors import noted
from zamek_env.evaluation import Evaluation
from zamek_env.fair_play import ask
from zamek_env.game_protocol import GameProtocol
from zamek_env.ruleset import Ruleset

EVALUATING = ("value", "expectimax", "mcts", "ismcts", "ppo")  # names of the agents here that evaluate choices


class Agent(Protocol):
    """A player of games: it has a name, and it decides.

    An agent keeps no state from one decision to the next, so one object can play many games, and both sides of one.

    It may have a method `check_game(game)` too, which raises `TypeError` or `ValueError` where it does not play games
    such as `game`. Environments then refuse it as they are made, and not in the middle of a game.
    """

    name: str  # as `make_agent` knows it

    def act(self, game: GameProtocol, rng: np.random.Generator) -> int:
        """Return a legal action of `game`. Raises `ValueError` where it is over.

        All chance comes from `rng`. An agent gets a copy, in which what is hidden from it (rule Z31) is dealt at
        random: it may look and play there as it likes. One that is marked `proven_fair` gets the game itself
        (`zamek_env.fair_play`), so it must not read what is hidden, nor change anything.
        """
        ...


@runtime_checkable
class Evaluating(Protocol):
    """An agent that can also say what it thinks of each choice."""

    name: str

    def evaluate(self, game: GameProtocol, rng: np.random.Generator) -> Evaluation:
        """Return what it thinks of each legal action of `game`. Raises `ValueError` where it is over.

        The rules for `act` hold here too. `zamek_env.fair_play.ask_evaluation` asks for it.
        """
        ...


def check_agent(name: str, agent: object) -> None:
    """Raise `TypeError`, naming the argument, where `agent` is no agent."""
    if not takes(getattr(agent, "act", None), None, None):
        raise TypeError(f"{name} must have a method act(game, rng), not {show(agent)}; make_agent(name) returns one")
    if not hasattr(agent, "name"):
        raise TypeError(f'{name} must have a name, not {show(agent)}; give its class one, as in name = "mine"')


def find_evaluating(agent: Agent) -> Evaluating:
    """Return `agent` if it evaluates choices. Raises `ValueError`, naming those that do, if not.

    Raises `TypeError` where it is no agent.
    """
    if not isinstance(agent, Evaluating):
        check_agent("agent", agent)
        raise _no_evaluation(agent.name)
    if isinstance(agent, RulesetAgent):  # which has an `evaluate`, but its class may define neither that nor the other
        own, base = type(agent), RulesetAgent
        if own._evaluate is base._evaluate and own.evaluate is base.evaluate:
            raise _no_evaluation(agent.name)
    return agent


def _no_evaluation(name):
    return ValueError(f"the agent {name!r} does not evaluate choices; of those here {', '.join(EVALUATING)} do")


def check_goes_on(game: GameProtocol) -> None:
    """Raise `ValueError` where `game` is over, so that there is nothing to decide."""
    if game.is_terminal:
        raise ValueError("the game is over: an agent has nothing to decide")


def find_tile_ruleset(game: object) -> Ruleset | None:
    """Return the `Ruleset` of a game of tiles, None of any other."""
    return game.ruleset if isinstance(game, Game) else None


def name_ruleset(game: object) -> str:
    """Return the game's name for error messages: that of its ruleset, or of the class of a user's own game."""
    from zamek_env.make_game import FAMILIES  # here, because most agents need no game of cards

    if ruleset := find_tile_ruleset(game):
        return ruleset.name
    return next((name for name, family in FAMILIES.items() if type(game) is family), type(game).__name__)


class DivergedError(ArithmeticError):
    """Learning diverged: weights are not finite, or worse than none; the message says in one line by how much."""


class OtherGameError(TypeError):
    """An agent is asked to play a game of a kind that it does not play."""


class RulesetAgent(WritableArrays):
    """An agent for the tile games that prepares for each ruleset: it loads weights, and allocates memory for trials.

    This is kept for the ruleset played last. So one agent must not decide in two threads at once.
    """

    name: str = ""
    plays: str = "games of tiles"  # in words
    _ruleset: Ruleset | None = None  # for which it is ready

    def check_game(self, game: GameProtocol) -> None:
        """Raise `OtherGameError`, a `TypeError`, where `game` is of a kind that the agent does not play.

        `ValueError` where it has no weights for the ruleset. Environments ask it before the first game.
        """
        self._check_weights(self._check_kind(game).ruleset)

    def act(self, game: GameProtocol, rng: np.random.Generator) -> int:
        """Return the action it chooses. Raises `TypeError` where `game` is no `Game`, `ValueError` where it is over."""
        return int(self._choose(self._make_ready(game), rng))

    def evaluate(self, game: GameProtocol, rng: np.random.Generator) -> Evaluation:
        """Return what it thinks of each legal action of `game`.

        Raises as `act` does, and `ValueError` where it is an agent that does not evaluate choices.
        """
        find_evaluating(self)
        return self._evaluate(self._make_ready(game), rng)

    def _make_ready(self, game):
        """Return `game`, which must not be over, and prepare for its ruleset."""
        self._check_kind(game)
        check_goes_on(game)
        if game.ruleset is not self._ruleset:
            self._ruleset = None  # until all is ready
            self._prepare(game)
            self._ruleset = game.ruleset
        return game

    def _check_kind(self, game):
        """Return `game`, which must be one of tiles."""
        if find_tile_ruleset(game) is None:
            raise OtherGameError(f"the agent {self.name!r} plays {self.plays} only, not {name_ruleset(game)}")
        return game

    def _check_weights(self, ruleset: Ruleset) -> None:
        """Raise `ValueError` where the agent needs weights and has none for the `ruleset`."""

    def _prepare(self, game: Game) -> None:
        """Make ready for the ruleset of `game`. Raises `ValueError` where the agent does not play it."""
        raise NotImplementedError

    def _choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the action it chooses in `game`, which goes on and for whose ruleset it is ready."""
        raise NotImplementedError

    def _evaluate(self, game: Game, rng: np.random.Generator) -> Evaluation:
        """Return what it thinks of each legal action of `game`, which goes on and for whose ruleset it is ready."""
        raise _no_evaluation(self.name)


def check_plays(agent: Agent, game: GameProtocol) -> None:
    """Let an agent decide once. Raises `ValueError` where it does not play games such as `game`.

    Third-party agents are asked by their `check_game` first. Other errors of theirs get a note: their authors need the
    traceback.
    """
    is_ours = type(agent).__module__.startswith("zamek_agents.")
    if not is_ours and hasattr(agent, "check_game"):
        try:
            agent.check_game(game)
        except (TypeError, ValueError) as error:
            raise ValueError(f"the agent {agent.name!r}: {error}") from error
    try:
        with nullcontext() if is_ours else noted(f"as {agent.name} was asked to decide once, before the games"):
            ask(agent.act, game, np.random.default_rng(0))
    except TypeError as error:
        if find_tile_ruleset(game) and not isinstance(error, OtherGameError):
            raise
        raise ValueError(str(error)) from error


NODES_A_SECOND = 200_000  # more than there can be simulations
_CHUNK = 0.005  # seconds between two looks at the clock


class Hurrying:
    """An agent whose search can be cut short."""

    _is_hurried: bool = False

    def hurry(self) -> None:
        """Make the decision that another thread is waiting for at once, from what is found so far."""
        self._is_hurried = True

    @contextmanager
    def _deciding(self) -> Iterator[None]:
        """Limit a `hurry` to the decision that is made in the block."""
        try:
            yield
        finally:
            self._is_hurried = False

    def _simulate_until(self, simulate: Callable[[int], int], started: float, end: float) -> None:
        """Simulate until `end` or until it is hurried, at least once.

        `simulate(count)` makes `count` more simulations, and returns how many there are since `started`. Times are
        those of `time.perf_counter`.
        """
        made = simulate(1)
        while not self._is_hurried and (now := time.perf_counter()) < end:
            chunk = min(_CHUNK, end - now)
            made = simulate(max(1, int(chunk * made / (now - started))))

    def _simulate_many(self, simulate: Callable[[int], int], count: int) -> None:
        """Make `count` simulations, or fewer if it is hurried, but at least one.

        They are the same as if `simulate(count)` had made them all at once.
        """
        began, made, chunk = time.perf_counter(), 0, 1
        while made < count and not (self._is_hurried and made):
            simulate(chunk)
            made += chunk
            pace = made / (time.perf_counter() - began + 1e-9)
            chunk = min(max(1, int(_CHUNK * pace)), count - made)
