"""The opponents inside an environment: agents by name, or any callables."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from typing import Any, NamedTuple, Protocol, Self, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from zamek_env.agent_names import find_maker, make_found_agent
from zamek_env.common.checks import takes
from zamek_env.common.messages import show, show_name
from zamek_env.compiler.bound_kernel import BoundKernel
from zamek_env.errors import noted
from zamek_env.fair_play import ask, play_answer
from zamek_env.game_protocol import GameProtocol

Decider: TypeAlias = str | Callable[[Any, np.random.Generator], int]
Deciders: TypeAlias = Decider | Sequence[Decider]


class Answering(Protocol):
    """Answers the learner in a game, for one other seat or for several."""

    def new_chance(self, deal: int) -> Any:
        """Return the generators of its chance in the game of that `deal`."""

    def answer(self, game: Any, learner: int, chance: Any) -> None:
        """Decide in `game` until the player `learner` must decide or it is over."""

    def check_game(self, game: Any) -> None:
        """Raise `TypeError` or `ValueError`, naming the argument, where games such as `game` are not played."""


class Opponent:
    """The decider of the other seat. `given` is an agent's name or a callable `(game, rng) -> action`.

    Its chance follows from the deal, so it is the same in all environments. A copy or an unpickled object makes an
    agent that was named again. Raises `TypeError` where `given`, the value of an argument of that `name`, is neither,
    or takes other arguments, and as `make_named_agent` does.
    """

    def __init__(self, given: str | Callable[[Any, np.random.Generator], int], name: str = "opponent") -> None:
        if not isinstance(given, str) and (not callable(given) or isinstance(given, type)):
            raise TypeError(
                f"{name} must be None, the name of an agent or a callable (game, rng) -> action, "
                f"not {show(given)}{suggest_method(name, given)}"
            )
        if not isinstance(given, str) and not takes(given, None, None):
            called = show_name(f"opponent{inspect.signature(given)}")
            raise TypeError(f"{name} must be callable as opponent(game, rng), not as {called}")
        self._given, self._name = given, name
        try:
            self._maker = find_maker(given) if isinstance(given, str) else None
            self._act = self._find_act()
        except (ValueError, FileNotFoundError) as error:
            raise type(error)(f"{name}: {error}") from error

    def __reduce__(self) -> tuple[type["Opponent"], tuple[str | Callable[[Any, np.random.Generator], int], str]]:
        return Opponent, (self._given, self._name)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return a copy from the same maker, even if the current folder has changed."""
        twin = type(self).__new__(type(self))
        twin._given, twin._name, twin._maker = deepcopy(self._given, memo), self._name, self._maker
        twin._act = twin._find_act()
        return twin

    def _find_act(self) -> Callable[[Any, np.random.Generator], int]:
        if isinstance(self._given, str):
            assert self._maker is not None
            return make_found_agent(self._maker, self._given).act
        return self._given

    @staticmethod
    def new_chance(deal: int) -> np.random.Generator:
        """Return the generator of its chance in the game of that `deal`."""
        return np.random.default_rng(deal)

    def check_game(self, game: GameProtocol) -> None:
        """Raise what the agent's method `check_game` raises, if it has one, naming the argument.

        So an agent that does not play games such as `game` is refused before a game begins.
        """
        check = getattr(getattr(self._act, "__self__", None), "check_game", None)
        try:
            if check is not None:
                check(game)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{self._name}: {error}") from error

    def answer(self, game: GameProtocol, learner: int, chance: np.random.Generator) -> None:
        """Let it decide in `game` until the player `learner` must decide or it is over. Raises as `play` does."""
        while not game.is_terminal and game.current_player != learner:
            self.play(game, chance)

    def play(self, game: GameProtocol, chance: np.random.Generator) -> None:
        """Let it decide once in `game`, a `GameProtocol`, fairly (`zamek_env.fair_play`), and play its answer.

        Raises `AnswerError` where that is no legal action, and whatever the opponent raises, with a note that it was
        the opponent, and for which player.
        """
        try:
            play_answer(game, ask(self._act, game, chance), "the opponent's answer")
        except Exception as error:  # not `noted`, which takes a microsecond
            error.add_note(f"while the {self._name} decided for player {game.current_player}")
            raise


class Opponents:
    """The opponents of one learner: `given` is one name or callable for all of them, or a list of one each.

    The first of a list sits to the learner's left, and so on clockwise. `name` is the argument that holds them. Raises
    `ValueError` where a list has another length, and as `Opponent` does.
    """

    def __init__(self, given: Deciders, players: int, name: str = "opponents") -> None:
        listed = [given] * (players - 1) if isinstance(given, str) or callable(given) else given
        if not isinstance(listed, list | tuple):
            raise TypeError(
                f"{name} must be None, one name or callable (game, rng) -> action, or a list of them, "
                f"not {show(given)}{suggest_method(name, given)}"
            )
        if len(listed) != players - 1:
            raise ValueError(
                f"{name} must be one for all, or a list of {players - 1} for {players} players, not {show(given)}"
            )
        if any(one is None for one in listed):
            raise TypeError(f"{name} must hold a name or a callable for each other player, not {show(given)}")
        self._opponents = [Opponent(one, name) for one in listed]

    def new_chance(self, deal: int) -> list[np.random.Generator]:
        """Return a generator for each of them, as it is in the game of that `deal`."""
        return [np.random.default_rng((deal, number)) for number in range(len(self._opponents))]

    def check_game(self, game: GameProtocol) -> None:
        """Raise as `Opponent.check_game` does, where one of them does not play such games."""
        for opponent in self._opponents:
            opponent.check_game(game)

    def answer(self, game: GameProtocol, learner: int, chance: Sequence[np.random.Generator]) -> None:
        """Let them decide, fairly (`zamek_env.fair_play`), until the player `learner` must decide or it is over.

        Raises what they raise, and `AnswerError` where an answer is no legal action.
        """
        while not game.is_terminal and game.current_player != learner:
            number = (game.current_player - learner) % game.num_players - 1
            self._opponents[number].play(game, chance[number])


def join_opponents(opponent: Deciders | None, opponents: Deciders | None) -> tuple[str, Deciders | None]:
    """Return (name, value) of the argument for opponents: `opponents` or, for a single one, `opponent`.

    Raises `ValueError` where both are given.
    """
    if opponent is not None and opponents is not None:
        raise ValueError(f"opponent must be None where opponents are given, not {show(opponent)}")
    return ("opponents", opponents) if opponents is not None else ("opponent", opponent)


def make_answering(name: str, given: Deciders, players: int) -> Answering:
    """Return the `Answering` to a learner among `players` players; `given` is the value of the argument `name`."""
    listed = given if isinstance(given, list | tuple) else [given]
    if players != 2 or len(listed) != 1 or listed[0] is None:  # a list of another length, or of None, is refused
        return Opponents(given, players, name)
    return Opponent(cast(Decider, listed[0]), name)


def suggest_method(name: str, given: object) -> str:
    """Return a hint for an error on `given`, no value for the argument `name`: pass an agent's method."""
    if isinstance(given, type):
        return f"; make an agent of this class and hand over its method, {name}={given.__name__}().act"
    return f"; hand over its method, {name}=agent.act" if callable(getattr(given, "act", None)) else ""


class AskedKernels(NamedTuple):
    """A step of a batch in three parts, between which opponents are asked."""

    start: BoundKernel[
        Callable[..., object]
    ]  # deal the games that wait for it, play the learner's action in the others
    finish: BoundKernel[Callable[..., object]]  # reward the learner, note which games ended
    show: BoundKernel[Callable[..., object]]  # write the observations


class AskedOpponents:
    """Opponents that answer in the many games of a vector environment, one game after the other.

    `answering` is who answers. `revive(states, number, history)` returns the game in a row of states, to which the
    actions of `history` led: a `GameProtocol` with `history` and `raw_states`.
    """

    def __init__(
        self,
        answering: Answering,
        revive: Callable[[npt.NDArray[np.record], int | np.integer, Iterable[int]], Any],
        count: int,
    ) -> None:
        self._answering, self._revive = answering, revive
        self._histories: list[tuple[int, ...]] = [()] * count  # the actions of each game so far
        self._chances = [answering.new_chance(0)] * count  # new ones each game

    def step(self, many: Any, kernels: AskedKernels, same_step: bool, run: Callable[[BoundKernel[Any]], None]) -> None:
        """Play the actions of a batch in its chosen games, and ask the opponents in between.

        `run(kernel)` calls one of the `kernels` for all games of `many`, the batch; under `same_step` games that end
        are reset at once. Raises what the opponents raise, and leaves the games half played: `all_or_nothing` restores
        them.
        """
        chosen = many.chosen.copy()
        waiting = chosen & many.outcomes["is_waiting"].astype(np.bool_)
        played = chosen & ~waiting
        run(kernels.start)
        self.begin(many, waiting)
        for number in np.flatnonzero(played & ~many.outcomes["is_illegal"].astype(np.bool_)):
            self._histories[number] += (int(many.actions[number]),)
            self._play(many, number)
        many.chosen[:] = played
        run(kernels.finish)
        if same_step:
            self.begin(many, many.outcomes["ended"].astype(np.bool_))
        many.chosen[:] = chosen
        run(kernels.show)

    @contextmanager
    def all_or_nothing(self, many: Any, generators: list[np.random.Generator | None] | None = None) -> Iterator[None]:
        """Restore `many`, a batch, and a list of `generators` if the block raises."""
        once = {id(array): array for array in many}.values()
        arrays = [array.view(np.uint8) for array in once]  # by bytes, which is faster for records
        before = [array.copy() for array in arrays]
        mine, theirs = (self._histories.copy(), deepcopy(self._chances)), deepcopy(generators)
        try:
            yield
        except BaseException:
            for array, kept in zip(arrays, before, strict=True):
                array[:] = kept
            self._histories, self._chances = mine
            if generators and theirs:
                generators[:] = theirs
            raise

    def begin(self, many: Any, dealt: npt.NDArray[np.bool_]) -> None:
        """Note the games of a batch that were just `dealt`, bool `(n,)`, and let opponents decide where they begin."""
        for number in np.flatnonzero(dealt):
            self._histories[number] = ()
            self._chances[number] = self._answering.new_chance(int(many.episodes["next_deal"][number]))
            self._play(many, number)

    def _play(self, many: Any, number: int | np.integer) -> None:
        """Decide in a game until it is the learner's turn, or over."""
        game = self._revive(many.states, number, self._histories[number])
        with noted(f"in game {number}"):
            self._answering.answer(game, int(many.episodes["learner"][number]), self._chances[number])
        many.states.view(np.uint8).reshape(len(many.states), -1)[number] = game.raw_states.view(np.uint8)
        self._histories[number] = tuple(game.history)
