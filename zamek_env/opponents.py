"""Who answers for the other seat inside an environment: an agent by name, or any callable."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_env.agent_names import make_named_agent
from zamek_env.checks import show
from zamek_env.core import batch
from zamek_env.errors import IllegalActionError
from zamek_env.fair_play import ask
from zamek_env.game import Game
from zamek_env.game_protocol import GameProtocol
from zamek_env.ruleset import Ruleset


class Opponent:
    """What decides for the other seat. `given` is an agent's name or a callable `(game, rng) -> action`.

    Its chance follows from the deal, so it is the same in all environments. Copied or unpickled, an agent that was
    named is made anew. Raises `TypeError` where `given` is neither, and as `make_named_agent` does.
    """

    def __init__(self, given: str | Callable[[Any, np.random.Generator], int]) -> None:
        if not isinstance(given, str) and not callable(given):
            raise TypeError(
                f"opponent must be None, the name of an agent or a callable (game, rng) -> action, not {show(given)}"
            )
        self._given = given
        self._act = _find_act(given) if isinstance(given, str) else given

    def __reduce__(self) -> tuple[type["Opponent"], tuple[str | Callable[[Any, np.random.Generator], int]]]:
        return Opponent, (self._given,)

    @staticmethod
    def new_chance(deal: int) -> np.random.Generator:
        """Return the generator of its chance in the game of that `deal`."""
        return np.random.default_rng(deal)

    def play(self, game: GameProtocol, chance: np.random.Generator) -> None:
        """Let it decide once in `game`, a `GameProtocol`, fairly (`zamek_env.fair_play`), and play what it says.

        Raises `IllegalActionError` or `TypeError`, naming the opponent, where that is no legal action.
        """
        action = ask(self._act, game, chance)
        try:
            game.step(action)
        except (IllegalActionError, TypeError) as error:
            raise type(error)(f"the opponent's answer: {error}") from error


def _find_act(name: str) -> Callable[[Any, np.random.Generator], int]:
    try:
        return make_named_agent(name).act
    except ValueError as error:
        raise ValueError(f"opponent: {error}") from error


class AskedOpponent:
    """An `Opponent` that answers in the many games of a `ZamekVectorEnv`, one after the other."""

    def __init__(self, opponent: Opponent, ruleset: Ruleset, count: int) -> None:
        self._opponent, self._ruleset = opponent, ruleset
        self._histories: list[tuple[int, ...]] = [()] * count  # the actions of each game so far
        self._chances = [opponent.new_chance(0)] * count  # generators; a new one each game

    def step(self, many: batch.Batch, same_step: bool, run: Callable[[Callable[..., object]], None]) -> None:
        """Do what `batch.step_range` does, and ask the opponent in between.

        `run(kernel)` calls a kernel of `batch` for all games of `many`, a `Batch`; under `same_step` games that end are
        dealt anew at once. Raises what the opponent raises, and nothing has been played then.
        """
        chosen = many.chosen.copy()
        waiting = chosen & many.episodes["is_waiting"].astype(np.bool_)
        with self.all_or_nothing(many):
            run(batch.start_range)
            self.begin(many, waiting)
            self._answer(many, chosen & ~waiting)
            many.chosen[:] = chosen & ~waiting
            run(batch.finish_range)
            if same_step:
                self.begin(many, many.episodes["ended"].astype(np.bool_))
            many.chosen[:] = chosen
            run(batch.show_range)

    @contextmanager
    def all_or_nothing(
        self, many: batch.Batch, generators: list[np.random.Generator | None] | None = None
    ) -> Iterator[None]:
        """Take `many`, a `Batch`, and a list of `generators` back to where they were if what follows raises."""
        arrays = [array.view(np.uint8) for array in many if array.dtype.names]  # by bytes, which is faster
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

    def begin(self, many: batch.Batch, dealt: npt.NDArray[np.bool_]) -> None:
        """Note the games of a `Batch` that were just `dealt`, bool `(n,)`, and decide where the opponent begins."""
        for number in np.flatnonzero(dealt):
            self._histories[number] = ()
            self._chances[number] = self._opponent.new_chance(int(many.episodes["next_deal"][number]))
            self._play(many, number)

    def _answer(self, many, played):
        """Note the learner's actions in the games `played`, bool `(n,)`, and answer where they were legal."""
        for number in np.flatnonzero(played & ~many.episodes["is_illegal"].astype(np.bool_)):
            self._histories[number] += (int(many.actions[number]),)
            self._play(many, number)

    def _play(self, many: batch.Batch, number: int | np.integer) -> None:
        """Decide in a game until it is the learner's turn, or over."""
        game = Game.from_state(self._ruleset, many.states, number, self._histories[number])
        other = 1 - int(many.episodes["learner"][number])
        while game.current_player == other:
            try:
                self._opponent.play(game, self._chances[number])
            except Exception as error:
                error.add_note(f"in game {number}")
                raise
        many.states.view(np.uint8).reshape(len(many.states), -1)[number] = game.raw_states.view(np.uint8)
        self._histories[number] = game.history
