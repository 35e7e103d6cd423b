"""`PlainGame`: base class of games in plain Python that are a `PlayableGame`; subclasses add the rules."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from zamek_env.base.chance import MAX_DEAL, check_deal, draw_deal
from zamek_env.base.records import NONE
from zamek_env.common.checks import check_choice, check_generator, check_whole
from zamek_env.common.messages import show
from zamek_env.common.player_names import check_names
from zamek_env.errors import IllegalActionError, RecordError
from zamek_env.records.shape import check_fields, check_format, expect, fail, read_json

FORMAT = "action-record/1"
_FIELDS = {"game": str, "options": dict, "seed": int, "players": list, "steps": list}


class PlainGame(ABC):
    """A game dealt from `seed`; a subclass has the rules, and deals in `__init__` by `default_rng(self.seed)`.

    All chance is drawn as the game is dealt. What a subclass keeps can be copied by `deepcopy`. Its rules do not read
    `history`, which is lost as the game is redealt. One that takes other arguments names them in `options`, for
    records.

    Args:
        seed: number of the deal, 0 to 2**63 - 1; None: a random one. Raises `TypeError` or `ValueError` for another.
    """

    num_players: int
    num_actions: int
    observation_space: spaces.Box | spaces.Dict
    options: Mapping[str, Any] = {}  # arguments with which it was made, besides the seed, by name

    def __init__(self, seed: int | None = None) -> None:
        self.seed: int | None = draw_deal(np.random.default_rng()) if seed is None else check_deal("seed", seed)
        self.history: list[int] = []

    # --- the rules ---

    @property
    @abstractmethod
    def current_player(self) -> int:
        """The player to decide; -1 once the game is over."""

    @abstractmethod
    def legal_actions(self) -> list[int]:
        """Return the legal actions in ascending order; none once the game is over."""

    @abstractmethod
    def returns(self) -> Sequence[float]:
        """Return each player's result, from -1 to +1; all 0 before the end."""

    @abstractmethod
    def observe(self, player: int) -> Any:
        """Return what `player` knows, in new arrays of `observation_space`."""

    @abstractmethod
    def play(self, action: int) -> None:
        """Play a legal `action`."""

    @abstractmethod
    def shuffle_hidden(self, rng: np.random.Generator, observer: int | None) -> None:
        """Redeal what is hidden from `observer`, a player, or None for what is hidden from anybody."""

    def format_action(self, action: int) -> str:
        """Return what a legal `action` would do, in words: its number, unless a subclass knows better."""
        return f"action {action}"

    def is_open(self, action: int) -> bool:
        """Return whether all players see which legal `action` is played: no, unless a subclass says so."""
        return False

    @property
    def scores(self) -> Sequence[int]:
        """Points so far: none, unless a subclass counts some."""
        return (0,) * self.num_players

    # --- what follows from them ---

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.current_player == NONE

    def legal_action_mask(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, a new bool array of shape `(num_actions,)`."""
        mask, legal = np.zeros(self.num_actions, np.bool_), self.legal_actions()
        if not all(action in range(self.num_actions) for action in legal):
            name = type(self).__name__
            raise ValueError(f"legal_actions of {name} must be 0 to {self.num_actions - 1}, not {show(legal)}")
        mask[legal] = True
        return mask

    def step(self, action: int) -> None:
        """Play `action`. Raises `IllegalActionError` where it is not legal, `TypeError` for no whole number."""
        number = self._check_action(action)
        self.play(number)
        self.history.append(number)

    def describe(self, action: int) -> str:
        """Return what a legal `action` would do, in words. Raises as `step` does."""
        return self.format_action(self._check_action(action))

    def copy(self) -> Self:
        """Return an independent copy, the hidden part included."""
        return deepcopy(self)

    def redeal(self, rng: np.random.Generator, observer: int | None) -> None:
        """Redeal what is hidden from `observer`, a player or None. The game then has no seed, history or record.

        Raises `TypeError` for an `rng` that is no generator of numpy, `ValueError` for another `observer`, and where
        an `observer` who is to decide could tell by the legal actions.
        """
        player = check_choice("observer", observer, (None, *range(self.num_players)))
        before = (player, self.legal_actions()) if player == self.current_player else None
        self.shuffle_hidden(check_generator(rng), player)
        self.seed, self.history = None, []
        if before and (after := (self.current_player, self.legal_actions())) != before:
            what = f"the player to decide and the legal actions of a {type(self).__name__} that is redealt"
            raise ValueError(f"{what} must stay {show(before)}, not {show(after)}")

    def concealed(self, rng: np.random.Generator, observer: int | None) -> Self:
        """Return a copy, redealt as by `redeal`. Raises as that does."""
        twin = self.copy()
        twin.redeal(rng, observer)
        return twin

    def record(self, players: Sequence[str] | None = None) -> dict[str, Any]:
        """Return the game record, `action-record/1`, as a dict for `json.dump`: the deal, and the actions as text too.

        `players` are the names to write into it, None for `player 0`, `player 1` …. Raises `ValueError` unless there is
        one a player, and for a game that was redealt.
        """
        names = check_names(players, self.num_players)
        steps = [
            {"player": again.current_player, "action": action, "text": again.describe(action)}
            for again, action in self.retrace()
        ]
        return {
            "format": FORMAT,
            "game": type(self).__name__,
            "options": dict(self.options),
            "seed": self.seed,
            "players": names,
            "steps": steps,
            "scores": [*map(int, self.scores)],
            "returns": [*map(float, self.returns())],
        }

    def retrace(self) -> Iterator[tuple[Self, int]]:
        """Yield the game before each decision, and the action played there; it is one game, which is stepped on.

        Raises `ValueError` for a game that was redealt.
        """
        if self.seed is None:
            raise ValueError("a redealt game has no record: how it came to be is not known")
        again = type(self)(**self.options, seed=self.seed)
        for action in self.history:
            yield again, action
            again.step(action)

    @classmethod
    def replay(cls, record: Mapping[str, Any]) -> Self:
        """Return the game that `record`, a dict, describes, after its last step.

        Raises `RecordError`, naming step and field, where it is malformed or the rules say otherwise.
        """
        given = read_json(record)
        check_format(given, FORMAT)
        check_fields(given, _FIELDS, "record")
        expect(given["game"], cls.__name__, "record", "game")
        if not 0 <= given["seed"] <= MAX_DEAL:
            fail("record", "seed", f"must lie in 0 to {MAX_DEAL}, not {show(given['seed'])}")
        try:
            game = cls(**given["options"], seed=given["seed"])
        except (TypeError, ValueError) as error:
            raise RecordError(f"record, options: {error}") from error
        for number, step in enumerate(given["steps"]):
            where = f"steps[{number}]"
            check_fields(step, {"player": int, "action": int, "text": str}, where)
            expect(step["player"], game.current_player, where, "player")
            try:
                expect(step["text"], game.describe(step["action"]), where, "text")
                game.step(step["action"])
            except IllegalActionError as error:
                fail(where, "action", str(error))
        try:
            due = game.record(given["players"])
        except ValueError as error:
            raise RecordError(f"record, {error}") from error
        for field in ("scores", "returns"):
            expect(given.get(field), due[field], "record", field)
        return game

    # --- inside ---

    def _check_action(self, action):
        """Return a legal `action` as an int. Raises as `step` does."""
        number, legal = check_whole("action", action), self.legal_actions()
        if number not in legal:
            allowed = f"must be one of {show(legal)}" if legal else "can be none once the game is over"
            raise IllegalActionError(f"action {allowed}, not {show(number)}")
        return number
