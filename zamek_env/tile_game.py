"""`TileGame`: a game of tiles that is dealt and played. Records play such games again, and `Game` adds to one.

Deals, states and histories from outside are checked completely.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from zamek_env.base.array_game import ArrayGame
from zamek_env.base.chance import check_deal, draw_deal
from zamek_env.base.records import NONE, copy_records
from zamek_env.base.rewards import find_result
from zamek_env.common.checks import check_whole
from zamek_env.common.messages import show
from zamek_env.common.pickling import pack_records, unpack_records
from zamek_env.compiler.bound_kernel import BoundArguments
from zamek_env.core import engine
from zamek_env.core.engine import FrameEngine
from zamek_env.errors import IllegalActionError
from zamek_env.layout.actions import OVER, PHASE_NAMES
from zamek_env.load import AnyComponents
from zamek_env.notation import action_line, explain
from zamek_env.ruleset import Ruleset, get_ruleset


class TileGame(ArrayGame):
    """A game of `ruleset`, dealt from `seed`, that is played by the rules; `zamek_env.Game` documents the arguments."""

    def __init__(
        self,
        ruleset: str = "zamek",
        seed: int | None = None,
        components: AnyComponents = None,
        players: int | None = None,
        rules: Mapping[str, Any] | None = None,
    ) -> None:
        self.ruleset = get_ruleset(ruleset, components, players, rules)
        self.seed: int | None = draw_deal(np.random.default_rng()) if seed is None else check_deal("seed", seed)
        self._start: str | None = None
        self._dealt: tuple[tuple[int, ...], int] | None = None
        self._history: list[int] = []
        self._states = self.ruleset.new_states(1)
        self._log = self.ruleset.new_log()
        engine.start_deal(self.ruleset.tables, self._states, self._log, 0, self.seed)

    @classmethod
    def from_deal(
        cls,
        ruleset: Ruleset,
        deck: Iterable[int],
        token_deal: Iterable[int] = (),
        seed: int | None = None,
        bag: int | None = None,
    ) -> Self:
        """Return a new game of a `Ruleset` with the tiles in the order `deck` and the tokens lying as in `token_deal`.

        `deck` holds tile numbers, indices into `ruleset.components.tiles`, where copies stand one after another;
        `token_deal` the kinds on the towers round the track and then those in the box. Where they do not hold all tiles
        and all tokens, the others come after them, in an order that follows from `seed`, as that of `Game`. `bag` seeds
        the shaking of the bag, if there is one (rule H3); None: `seed` decides. Raises `ValueError` where a tile or
        token occurs more often than in the box, or for a seed or bag out of range, `TypeError` where they are no whole
        numbers.
        """
        fields = read_deal(ruleset, deck, token_deal)
        rng = np.random.default_rng(None if seed is None else check_deal("seed", seed))
        game = cls._make(ruleset, ruleset.new_states(1))
        for field, (given, left) in fields.items():
            game._states[0][field] = given + rng.permutation(left).tolist()
        number = draw_deal(rng) if bag is None else check_deal("bag", bag)
        if ruleset.hides_deal:
            game._dealt = tuple(game._states[0]["deck"].tolist()), number
        engine.start_dealt(ruleset.tables, game._states, game._log, 0, number)
        return game

    @classmethod
    def from_state(
        cls, ruleset: Ruleset, states: npt.NDArray[np.record], number: int | np.integer = 0, history: Iterable[int] = ()
    ) -> Self:
        """Return a game of a `Ruleset` in the state `states[number]`, to which the actions of `history` led.

        `states`, shape `(n,)` of `ruleset.state_dtype`, is copied, and trusted to hold games. The new game has no seed,
        and no `last_events`. Raises `ValueError` for an array of another kind, where it has no such game, or for
        actions that the ruleset does not have, `TypeError` for a `number` or a `history` that is not of whole numbers.
        """
        copied, actions = read_state(ruleset, states, number, history)
        return cls._make(ruleset, copied, history=actions)

    @classmethod
    def _make(
        cls,
        ruleset: Ruleset,
        states: npt.NDArray[np.record],
        start: str | None = None,
        history: list[int] | None = None,
    ) -> Self:
        """Return a game without seed that takes over `states` as its memory."""
        game = cls.__new__(cls)
        game.ruleset, game.seed, game._start, game._dealt = ruleset, None, start, None
        game._history = [] if history is None else history
        game._states, game._log = states, ruleset.new_log()
        return game

    # --- whose turn, and what is at stake ---

    @property
    def num_players(self) -> int:
        """Number of players."""
        return self.ruleset.players

    @property
    def current_player(self) -> int:
        """The player to decide, from 0 on; -1 once the game is over."""
        return self.ruleset.engine.read_status.call(self._states, 0)[1]

    @property
    def phase(self) -> str:
        """`"place"`, `"send"`, `"score"`, `"extra turn"`, `"over"` or, with a hand, `"choose"`."""
        return PHASE_NAMES[self.ruleset.engine.read_status.call(self._states, 0)[0]]

    @property
    def scores(self) -> tuple[int, ...]:
        """Points of each player so far."""
        return self.ruleset.engine.read_status.call(self._states, 0)[2:]

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.ruleset.engine.read_status.call(self._states, 0)[0] == OVER

    @property
    def num_actions(self) -> int:
        """Size of the action space; `zamek_env.layout.actions` describes its layout."""
        return self.ruleset.num_actions

    @property
    def start(self) -> str | None:
        """The position line at which this game was set up; None where it was dealt."""
        return self._start

    @property
    def dealt(self) -> tuple[tuple[int, ...], int] | None:
        """(deck, bag) as for `from_deal`, if dealt so and the laid tiles do not tell (rules H1–H3), else None."""
        return self._dealt

    def returns(self) -> tuple[float, ...]:
        """Return each player's result, 0 where the game is not over yet (rules Z30, C11).

        +1 for who won and -1 ÷ (players - 1) for each other; a shared victory is split, so that all results add up to
        0. With two players +1 is a win, -1 a loss, 0 a shared victory.
        """
        scores, players = self.scores, range(self.num_players)
        return tuple(find_result(scores, player) if self.is_terminal else 0.0 for player in players)

    # --- acting ---

    def legal_action_mask(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, a new bool array of shape `(num_actions,)`; all False once it is over."""
        mask = np.empty(self.num_actions, np.bool_)
        self.ruleset.engine.write_mask.call(self.ruleset.tables, self._states, 0, mask)
        return mask

    def legal_actions(self) -> list[int]:
        """Return the legal actions in ascending order, as a list of ints."""
        return np.flatnonzero(self.legal_action_mask()).tolist()

    def step(self, action: int | np.integer) -> None:
        """Play `action` and go on to the next decision.

        Raises `IllegalActionError` saying why where the rules do not allow it, `TypeError` where it is no whole
        number; the game is then unchanged.
        """
        number = check_whole("action", action)
        rules = self.ruleset
        in_range = 0 <= number < rules.num_actions
        if not in_range or not rules.engine.try_to_play.call(rules.tables, self._states, self._log, 0, number):
            raise IllegalActionError(self.why_illegal(number))
        self._history.append(number)

    def bind(
        self, frame_engine: FrameEngine, canvases: npt.NDArray[np.record], frames: npt.NDArray[np.record]
    ) -> BoundArguments:
        """Return the `bound` of `step_and_show` for `canvases` and `frames`, `(1,)`, and their `frame_engine`."""
        return BoundArguments(frame_engine.bind, self.ruleset.tables, self._states, self._log, canvases, frames)

    def step_and_show(
        self, action: int | np.integer, frame_engine: FrameEngine, bound: BoundArguments, goes_on: bool
    ) -> tuple[int, ...]:
        """Play `action` as `step` does, and write what the player to decide then sees, as `engine.write_frame` does.

        `bound` is what `bind` returned for this engine; that is not checked. `goes_on` says whether the frame shows the
        game as it is or was. Returns (phase, player to decide or -1, points of each player). Raises as `step` does, and
        writes nothing then. `Observer` calls it.
        """
        number = check_whole("action", action)
        if 0 <= number < self.ruleset.num_actions:
            is_legal, status = frame_engine.play_and_write.call(bound, number, NONE, goes_on)
            if is_legal:
                self._history.append(number)
                return status
        raise IllegalActionError(self.why_illegal(number))

    def redeal(self, rng: np.random.Generator, observer: int | None = None) -> None:
        """Reshuffle exactly what is hidden: undrawn tiles, unseen tokens (rule Z31), others' hands (rules H1, H2).

        `rng` is a `numpy.random.Generator`. The game then no longer follows from its seed, which becomes None.
        `observer` is a player, or None for somebody who sees what all see; without hidden hands it makes no difference.
        Raises `TypeError` for another `rng`, `ValueError` for another `observer`.
        """
        self._check_observer(observer)
        engine.redeal(self.ruleset.tables, self._states, 0, draw_deal(rng), NONE if observer is None else int(observer))
        self.seed = self._dealt = None

    def concealed(self, rng: np.random.Generator, observer: int | None = None) -> Self:
        """Return a copy from which nothing hidden can be read (rule Z31), safe to pass to an agent.

        What is hidden from `observer` is redealt by `rng`, a `numpy.random.Generator`, alone: nothing of the old deal
        is left, and the seed of the copy is None. `observer`, and what is raised, are as in `redeal`.
        """
        self._check_observer(observer)
        twin = self.copy()
        engine.conceal(
            self.ruleset.tables, twin._states, 0, draw_deal(rng), NONE if observer is None else int(observer)
        )
        twin.seed = twin._dealt = None
        return twin

    def copy(self) -> Self:
        """Return an independent copy, the hidden part, the seed and the history included."""
        twin = type(self).__new__(type(self))
        twin.ruleset = self.ruleset
        twin.seed = self.seed
        twin._start, twin._dealt = self._start, self._dealt
        twin._history = self._history.copy()
        twin._states = copy_records(self._states)
        twin._log = copy_records(self._log)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """Return the contents of a pickle: everything, compactly, and only the name of packaged rulesets."""
        return self.__dict__ | {"_states": pack_records(self._states), "_log": self.last_events}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        self._states = unpack_records(state["_states"], self.ruleset.state_dtype)
        self._log = self.ruleset.new_log()
        self._log["count"] = len(state["_log"])
        self._log["rows"][0, : len(state["_log"])] = state["_log"]

    @property
    def last_events(self) -> npt.NDArray[np.int16]:
        """The events of the last step, a copy of the rows described in `zamek_env.core.log`."""
        log = self._log[0]
        return log.rows[: log.count].copy()

    def why_illegal(self, action: int | np.integer) -> str:
        """Return why `action`, any int, is not legal, with the number of the rule that forbids it.

        Raises `ValueError` where it is legal, `TypeError` where it is no whole number.
        """
        number = check_whole("action", action)
        if number in self.legal_actions():
            raise ValueError(f"action must be an illegal one, not {self.format_action(number)}")
        return explain.why_illegal(self.ruleset, self._states[0], number)

    # --- notation ---

    def format_action(self, action: int | np.integer) -> str:
        """Return `action`, legal or not, as one short line that a person can read and type (`docs/notation.md`).

        Raises `ValueError` where it means nothing now, `TypeError` where it is no whole number.
        """
        return action_line.format_action(self.ruleset, self._states[0], check_whole("action", action))

    def parse_action(self, text: str) -> int:
        """Return the action, legal or not, that `format_action` writes as `text`.

        Raises `ValueError` naming the nearest legal actions where it is no action, `TypeError` where it is no text.
        """
        return action_line.parse_action(self.ruleset, self._states[0], text)

    # --- comparing ---

    def __eq__(self, other: object) -> bool:
        """Return whether both are of one ruleset and in one state, the hidden part included."""
        if not isinstance(other, TileGame):
            return NotImplemented
        same_rules = self.ruleset.components == other.ruleset.components
        return same_rules and self._states.tobytes() == other._states.tobytes()

    __hash__ = None  # type: ignore[assignment]  # a game changes, so it has no hash


def read_deal(
    ruleset: Ruleset, deck: Iterable[int], token_deal: Iterable[int]
) -> dict[str, tuple[list[int], list[int]]]:
    """Return, for each field of a state that a deal fills, (the given values, the rest to deal after them).

    Raises as `Game.from_deal` does.
    """
    _check_is_ruleset(ruleset)
    fields = {}
    for field, given, due in (
        ("deck", deck, range(ruleset.sizes.tiles)),
        ("token_deal", token_deal, ruleset.tables[0].token_pool),
    ):
        numbers, all_there = _list_whole(field, given), Counter(map(int, due))
        left = all_there.copy()
        left.subtract(numbers)
        if min(left.values(), default=0) < 0:
            wanted = sorted(all_there.elements())
            raise ValueError(f"{field} must hold some of {wanted}, or all, not {show(numbers)}")
        fields[field] = numbers, sorted(left.elements())
    return fields


def read_state(
    ruleset: Ruleset, states: npt.NDArray[np.record], number: int | np.integer, history: Iterable[int]
) -> tuple[npt.NDArray[np.record], list[int]]:
    """Return (a copy of `states[number]`, shape `(1,)`, and `history` as a list). Raises as `Game.from_state` does."""
    _check_is_ruleset(ruleset)
    if not isinstance(states, np.ndarray) or states.ndim != 1 or states.dtype != ruleset.state_dtype:
        given = show(states)
        if isinstance(states, np.ndarray):
            given = f"shape {states.shape}" + (" of another dtype" if states.dtype != ruleset.state_dtype else "")
        raise ValueError(f"states must be shape (n,) of the states of the ruleset {ruleset.name!r}, not {given}")
    index = check_whole("number", number)
    if not 0 <= index < len(states):
        raise ValueError(f"number must be at least 0 and less than the {len(states)} games, not {show(index)}")
    actions = _list_whole("history", history)
    if actions and not 0 <= min(actions) <= max(actions) < ruleset.num_actions:
        raise ValueError(f"history must hold actions from 0 to {ruleset.num_actions - 1}, not {show(actions)}")
    return copy_records(states[index : index + 1]).view(ruleset.state_dtype), actions  # `np.load` drops attributes


def _check_is_ruleset(ruleset: object) -> None:
    if not isinstance(ruleset, Ruleset):
        raise TypeError(f"ruleset must be a Ruleset, such as get_ruleset returns or a game has, not {show(ruleset)}")


def _list_whole(name: str, numbers: Iterable[int]) -> list[int]:
    """Return `numbers` as a list of ints. Raises `TypeError` where they are no row of whole numbers."""
    is_row = numbers.ndim == 1 if isinstance(numbers, np.ndarray) else isinstance(numbers, Iterable)
    if not is_row or isinstance(numbers, str | bytes | bytearray | Mapping | Set):  # no numbers, or in no order
        raise TypeError(f"{name} must be a row of whole numbers, not {show(numbers)}")
    return [check_whole(f"{name}[{place}]", number) for place, number in enumerate(numbers)]
