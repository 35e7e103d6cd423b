"""`CastleCards`: a game of Castle, the card game, as a checked, friendly object over one state record."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from copy import deepcopy
from difflib import get_close_matches
from typing import Any, Self, overload

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from zamek_env.base.array_game import ArrayGame
from zamek_env.base.chance import check_deal, draw_deal
from zamek_env.base.records import copy_records
from zamek_env.castle_cards.components.box import MAX_PLAYERS, MIN_PLAYERS, NUM_CARDS
from zamek_env.castle_cards.components.cards import NAMES
from zamek_env.castle_cards.core import engine
from zamek_env.castle_cards.core.log import LOG
from zamek_env.castle_cards.core.observation import observe
from zamek_env.castle_cards.core.rows import write_game_rows
from zamek_env.castle_cards.core.state import BLANK, NONE, find_announced, find_essence, new_states
from zamek_env.castle_cards.layout.actions import ACTION, NUM_ACTIONS
from zamek_env.castle_cards.layout.observation import PARTS, check_observation, find_layout
from zamek_env.castle_cards.layout.rows import NUM_ROWS, find_row_layout
from zamek_env.castle_cards.notation.action_line import (
    Option,
    find_action,
    format_option,
    list_actions,
    list_legal,
    name_option,
    parse_option,
)
from zamek_env.castle_cards.notation.position import (
    PHASE_WORDS,
    CastleCardsPosition,
    count_cards,
    find_seen_by_all,
    list_results,
    list_winners,
    read_position,
)
from zamek_env.castle_cards.notation.position_line import format_position
from zamek_env.castle_cards.records.replay import replay_record
from zamek_env.castle_cards.records.step_text import describe
from zamek_env.castle_cards.records.write import Draws, forced_draws, make_record
from zamek_env.castle_cards.render.picture import draw_rgb, draw_svg
from zamek_env.castle_cards.render.text import draw_text
from zamek_env.castle_cards.ruleset import CastleCardsRuleset, get_castle_cards_ruleset, make_observation_space
from zamek_env.common.checks import check_choice, check_flag, check_whole
from zamek_env.common.messages import show, show_beyond
from zamek_env.common.pickling import pack_records, unpack_records
from zamek_env.compiler.bound_kernel import BoundKernel
from zamek_env.errors import IllegalActionError
from zamek_env.game_protocol import Encoding
from zamek_env.layout.observation import PLANE_PARTS, check_parts
from zamek_env.observer import Observation

_READ_DECIDER, _STEP = BoundKernel(engine.read_decider), BoundKernel(engine.step)
_WRITE_MASK, _OBSERVE, _WRITE_ROWS = BoundKernel(engine.write_mask), BoundKernel(observe), BoundKernel(write_game_rows)
_SUGGESTED = 5  # legal actions named in an error


class CastleCards(ArrayGame):
    """A game of Castle for 2 to 5 `players`, dealt from `seed` and ready for player 0's first action.

    Args:
        players: how many play.
        seed: number of the deal, 0 to 2**63 - 1; the same number deals the same cards, and all chance later follows
            from it too. None: a random deal. `game.seed` and `repr(game)` show it, and who knows it knows all hands.

    Raises `ValueError` for another number of players or a seed out of range, `TypeError` for a seed that is no whole
    number.
    """

    def __init__(self, players: int = 2, seed: int | None = None) -> None:
        count = check_choice("players", players, range(MIN_PLAYERS, MAX_PLAYERS + 1))
        self.seed: int | None = draw_deal(np.random.default_rng()) if seed is None else check_deal("seed", seed)
        self._states, self._log = new_states(1), np.zeros(1, LOG)
        engine.start_deal(BLANK, self._states, self._log, 0, count, self.seed)
        self._start: npt.NDArray[np.record] | None = copy_records(self._states)
        self._history: list[int] = []
        self._draws: Draws = {}

    @classmethod
    def from_history(
        cls, start: npt.NDArray[np.record], actions: Iterable[int], seed: int | None = None, draws: Draws | None = None
    ) -> Self:
        """Return the game that begins at `start`, shape `(1,)` of `STATE`, after these legal `actions`.

        `draws` replaces what chance would draw by itself: {number of the action: {player: card}}. What `start` and
        `draws` hold is trusted. Raises `ValueError` for an array of another kind, and as `step` does.
        """
        if not isinstance(start, np.ndarray) or start.shape != (1,) or start.dtype != BLANK.dtype:
            given = f"shape {start.shape} of {start.dtype}" if isinstance(start, np.ndarray) else start
            raise ValueError(f"start must be shape (1,) of the states of Castle, as dealt_state is, not {show(given)}")
        game, states = cls.__new__(cls), copy_records(start).view(BLANK.dtype)  # `np.load` drops attributes
        game.seed, game._start, game._history, game._draws = seed, states, [], dict(draws or {})
        game._states, game._log = copy_records(states), np.zeros(1, LOG)
        for number, action in enumerate(actions):
            with forced_draws(game._states, game._draws.get(number, {})):
                game.step(action)
        return game

    # --- whose turn, and what is at stake ---

    @property
    def num_players(self) -> int:
        """Number of players, 2 to 5."""
        return int(self._states["players"][0])  # much faster than by its record

    @property
    def current_player(self) -> int:
        """The player to decide, who is not always the one whose turn it is; -1 once the game is over."""
        return _READ_DECIDER.call(self._states, 0)

    @property
    def turn_player(self) -> int:
        """The player whose turn it is; once the game is over, whose turn was the last."""
        return int(self._state.turn)

    @property
    def phase(self) -> str:
        """The decision to make, a word such as `action` or `target`; `over` once the game is over."""
        return PHASE_WORDS[self._state.phase]

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.current_player == NONE

    @property
    def ruleset(self) -> CastleCardsRuleset:
        """The names of the entries of observations, and the number of actions."""
        return get_castle_cards_ruleset(self.num_players)

    @property
    def num_actions(self) -> int:
        """Size of the action space; `zamek_env.castle_cards.layout.actions` describes its layout."""
        return NUM_ACTIONS

    @property
    def scores(self) -> tuple[int, ...]:
        """Minus the cards that each player still has in hand and deck. `returns` says who has won, not the scores."""
        hands, decks = self._state.hand_size.tolist(), self._state.deck_size.tolist()
        return tuple(-hand - deck for hand, deck in zip(hands, decks, strict=True))[: self.num_players]

    @property
    def winners(self) -> tuple[int, ...]:
        """The players who have won, in ascending order; nobody before the end."""
        return list_winners(self._state)

    def returns(self) -> tuple[float, ...]:
        """Return each player's result, of sum 0: the winner +1, others −1/(n−1); shared wins divide both (rule K9)."""
        return list_results(self._state)

    # --- acting ---

    def legal_action_mask(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, a new bool array of shape `(num_actions,)`; all False once it is over."""
        mask = np.empty(NUM_ACTIONS, np.bool_)
        _WRITE_MASK.call(self._states, 0, mask)
        return mask

    def legal_actions(self) -> list[int]:
        """Return the legal actions in ascending order, as a list of ints."""
        return list_actions(self._state)

    def options(self) -> list[Option]:
        """Return the options of the legal actions, in the same order, such as `("play", "Archer")`."""
        return list_legal(self._state)

    def step(self, action: int | np.integer) -> None:
        """Play `action` and go on to the next decision with more than one legal action.

        Raises `IllegalActionError` naming legal actions where the rules do not allow it, `TypeError` where it is no
        whole number; the game is then unchanged.
        """
        number = check_whole("action", action)
        if not 0 <= number < NUM_ACTIONS or not _STEP.call(self._states, self._log, 0, number):
            raise IllegalActionError(self.why_illegal(number))
        self._history.append(number)

    def redeal(self, rng: np.random.Generator, observer: int | None) -> None:
        """Redeal what is hidden from `observer`, uniformly among all deals that look the same to it (rule K10).

        `rng` is a `numpy.random.Generator`, from which all later chance follows too. `observer` is a player, for a
        search `game.current_player`, or None for somebody who knows only what all players know: from None all hands
        are hidden, so other actions may be legal then. The game then has no seed, no history and no record. Raises
        `TypeError` for another `rng`, `ValueError` for another `observer`.
        """
        player = self._check_observer(observer)
        engine.redeal(self._states, 0, draw_deal(rng), NONE if player is None else player)
        if self._state.phase != ACTION:
            self._state.legal = 0
        self.seed, self._start, self._history, self._draws = None, None, [], {}
        self._log = np.zeros(1, LOG)

    def concealed(self, rng: np.random.Generator, observer: int | None) -> Self:
        """Return a copy, redealt as by `redeal`, that is safe to pass to an agent (rule K10).

        It depends only on what `observer` knows and on `rng`: nothing of the old deal is left, nor of how the position
        was reached. Raises as `redeal` does.
        """
        twin = self.copy()
        twin.redeal(rng, observer)
        return twin

    def copy(self) -> Self:
        """Return an independent copy, the hidden part, the seed and the history included."""
        twin = type(self).__new__(type(self))
        twin.seed, twin._start = self.seed, self._start
        twin._history, twin._draws = self._history.copy(), self._draws
        twin._states, twin._log = copy_records(self._states), np.zeros(1, LOG)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """Return the contents of a pickle: everything, compactly."""
        held = {name: value for name, value in self.__dict__.items() if name not in ("_start", "_log")}
        return held | {"_states": pack_records(self._states, *([] if self._start is None else [self._start]))}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        states = unpack_records(state["_states"], BLANK.dtype)
        self._states, self._log = copy_records(states[:1]), np.zeros(1, LOG)
        self._start = copy_records(states[1:]) if len(states) > 1 else None

    # --- looking ---

    @property
    def observation_space(self) -> spaces.Box | spaces.Dict:
        """The space of what `observe` returns by default."""
        return make_observation_space(self.num_players)

    @overload
    def observe(
        self, player: int | None = None, flat: bool = False, observation: None = None
    ) -> npt.NDArray[np.float32]: ...

    @overload
    def observe(
        self, player: int | None = None, flat: bool = False, *, observation: Sequence[str] | None
    ) -> Observation | npt.NDArray[np.float32]: ...

    @overload
    def observe(
        self, player: int | None, flat: bool, observation: Sequence[str] | None
    ) -> Observation | npt.NDArray[np.float32]: ...

    def observe(
        self, player: int | None = None, flat: bool = False, observation: Sequence[str] | None = None
    ) -> Observation | npt.NDArray[np.float32]:
        """Return the observation, as environments give it, of `player`, by default the one to decide, in new arrays.

        By default it is a vector, with the entries of `zamek_env.castle_cards.layout.observation`. Where `observation`
        names parts, it is a dict of them: this `vector`, and for `"rows"` `row_actions`, int16 `(rows,)`, and `rows`,
        int8 `(rows, columns)`. With `flat` it is always one row of float32, the parts in the order of their names. Once
        the game is over the default is the player whose turn was the last. Raises `TypeError` or `ValueError` for a bad
        player or bad parts, or where `flat` is neither True nor False.
        """
        check_flag("flat", flat)
        parts = check_observation(observation)
        if player is None:
            observer = self.turn_player if self.is_terminal else self.current_player
        else:
            observer = check_choice("player", player, range(self.num_players))
        vector = np.empty(len(find_layout(self.num_players)), np.float32)
        if parts is None or "vector" in parts:
            _OBSERVE.call(self._states, 0, observer, vector)
        if parts is None:
            return vector
        seen: Any = {}
        if "rows" in parts:
            rows = np.zeros((NUM_ROWS, len(find_row_layout(self.num_players))), np.int8)
            row_actions = np.full(NUM_ROWS, NONE, np.int16)
            _WRITE_ROWS.call(self._states, np.zeros(1, LOG), 0, observer, rows, row_actions)
            seen["row_actions"], seen["rows"] = row_actions, rows
        if "vector" in parts:
            seen["vector"] = vector
        return np.concatenate([*map(np.ravel, seen.values())], dtype=np.float32) if flat else seen

    def encode(self, observation: Sequence[str] = PLANE_PARTS) -> Encoding:
        """Return the encoding of observations of those parts, for games of this number of players.

        The vector alone, the default, is a `Box`. Raises as `observe` does.
        """
        is_default = isinstance(observation, Sequence) and tuple(observation) == PLANE_PARTS
        parts = ("vector",) if is_default else check_parts(observation, PARTS)
        shown = None if parts == ("vector",) else parts
        space = make_observation_space(self.num_players, shown)
        return Encoding(space, lambda game, player: game.observe(player, observation=shown), parts)

    def hand(self, player: int) -> Counter[str]:
        """Return the cards in the hand of `player`, {name: number}. Raises `ValueError` for another player."""
        checked = check_choice("player", player, range(self.num_players))
        return count_cards(self._state.hand[checked].tolist())

    def position(self, viewer: int | None = None) -> CastleCardsPosition:
        """Return everything public, with what the `viewer`, if given, knows of the others' hands.

        The viewer's own hand is `hand(viewer)`. Raises `ValueError` where the `viewer` is neither a player nor None.
        """
        return read_position(self._state, self._check_observer(viewer, "viewer"))

    def describe(self, action: int | np.integer) -> str:
        """Return what a legal `action` would do, in words. Raises as `step` does."""
        number = check_whole("action", action)
        if number not in self.legal_actions():
            raise IllegalActionError(self.why_illegal(number))
        return describe(self._state, number)

    def why_illegal(self, action: int | np.integer) -> str:
        """Return why `action`, any int, is not legal, naming legal ones that are most like it.

        Raises `ValueError` where it is legal, `TypeError` where it is no whole number.
        """
        number = check_whole("action", action)
        if number in self.legal_actions():
            raise ValueError(f"action must be an illegal one, not {self.format_action(number)}")
        if not self.is_terminal and not 0 <= number < NUM_ACTIONS:
            return show_beyond(number, NUM_ACTIONS)
        given = name_option(self._state, number) if 0 <= number < NUM_ACTIONS else None
        named = f" ({format_option(given)})" if given else ""
        return f"action {show(number)}{named} is illegal: {self._describe_legal(format_option(given) if given else '')}"

    def draw_svg(self, hand: Mapping[str, int] | None = None) -> str:
        """Return everything public as an SVG picture, with `hand`, {card: number}, as that of the player to decide.

        Raises `ValueError` where `hand` is no possible hand.
        """
        if hand is not None and not (isinstance(hand, Mapping) and all(map(_is_held, hand, hand.values()))):
            raise ValueError(f"hand must be {{card: number}} of cards such as {NAMES[0]!r}, not {show(hand)}")
        return draw_svg(self.position(), hand)

    def draw_rgb(self, size: int = 640) -> npt.NDArray[np.uint8]:
        """Return everything public as pixels, `uint8[size, width, 3]`.

        Raises `ValueError` unless `size` lies in 1 to 10,000, `TypeError` where it is no whole number.
        """
        return draw_rgb(self.position(), size)

    _repr_svg_ = draw_svg

    # --- notation ---

    def format_action(self, action: int | np.integer) -> str:
        """Return `action`, legal or not, as one short line that a person can read and type, such as `play Archer`.

        Raises `ValueError` where it means nothing now, `TypeError` where it is no whole number.
        """
        number = check_whole("action", action)
        option = name_option(self._state, number)
        if find_action(self._state, option) != number:
            raise ValueError(f"action {number} means nothing here: there is no such place outside")
        return format_option(option)

    def parse_action(self, text: str) -> int:
        """Return the action, legal or not, that `format_action` writes as `text`.

        Raises `ValueError` naming legal actions where it is no action, `TypeError` where it is no text.
        """
        try:
            action = find_action(self._state, parse_option(text))
        except ValueError as error:
            raise ValueError(f"{error}; {self._describe_legal(text)}") from error
        if action is None:
            raise ValueError(f"there is no such place as in {show(text)}; {self._describe_legal(text)}")
        return action

    def format_position(self, viewer: int | None = None) -> str:
        """Return `position` as one line of text (`zamek_env.castle_cards.notation.position_line`).

        Raises as `position` does.
        """
        return format_position(self.position(viewer))

    # --- comparing ---

    def __eq__(self, other: object) -> bool:
        """Return whether both are in one state, the hidden part and the chance to come included."""
        if not isinstance(other, CastleCards):
            return NotImplemented
        return find_essence(self._states) == find_essence(other._states)

    __hash__ = None  # type: ignore[assignment]  # a game changes, so it has no hash

    def public_key(self, player: int | None = None) -> bytes:
        """Return a key for transposition tables: 32 bytes, equal for games that look the same to `player`.

        It does not depend on anything hidden from the player; for None, on anything hidden from any player. Raises
        `ValueError` for another player.
        """
        self._check_observer(player, "player")
        announced = find_announced(self._state)
        if player is None:
            known = [sorted(find_seen_by_all(self._state, holder).items()) for holder in range(self.num_players)]
            return hashlib.sha256(f"{self.format_position()} {known} ".encode() + announced).digest()
        seen = announced + self.observe(player).tobytes()
        return hashlib.sha256(f"{self.num_players} {player} ".encode() + seen).digest()

    # --- records ---

    def record(self, players: Sequence[str] | None = None) -> dict[str, Any]:
        """Return the game record, `castle-record/1`, as a dict for `json.dump`.

        It holds all cards as they were dealt, so do not show it to a player before the end. A game that is not
        over is recorded as far as it went. `players` are the names of the agents, by default `player 0`, `player 1` ….
        Raises `ValueError` unless there is one name a player, and for a game that was redealt or that does not begin
        with its deal (`from_history`).
        """
        return make_record(self._find_start(), self._history, self.seed, self._draws, players)

    @property
    def dealt_state(self) -> npt.NDArray[np.record] | None:
        """The state record as it was dealt, a copy, shape `(1,)`; None where the game was redealt."""
        return None if self._start is None else copy_records(self._start)

    def retrace(self) -> Iterator[tuple[Self, int]]:
        """Yield the game before each decision, and the action played there; it is one game, which is stepped on.

        Raises `ValueError` for a game that was redealt.
        """
        again = self.from_history(self._find_start(), ())
        for number, action in enumerate(self._history):
            yield again, action
            with forced_draws(again._states, self._draws[number]) if number in self._draws else nullcontext():
                again.step(action)

    @property
    def draws(self) -> Draws:
        """A copy of the draws by which a record replaced chance's own: {number of the action: {player: card}}."""
        return deepcopy(self._draws)

    @classmethod
    def replay(cls, record: Mapping[str, Any]) -> Self:
        """Return the game that `record`, a dict, describes, after its last step.

        Raises `RecordError`, naming turn, step and field, where it is malformed or the rules say otherwise.
        """
        return cls.from_history(*replay_record(record))

    def __str__(self) -> str:
        return draw_text(self.position())

    def __repr__(self) -> str:
        return f"<CastleCards of {self.num_players}, seed {self.seed}, {self.phase}>"

    # --- inside ---

    @property
    def _state(self):
        return self._states[0]

    def _find_start(self):
        """Return the state as it was dealt. Raises `ValueError` for a game that was redealt."""
        if self._start is None:
            raise ValueError("a redealt game has no record: how it came to be is not known")
        return self._start

    def _describe_legal(self, text):
        """Return a description of the decision, and of the legal actions most like `text`."""
        legal = [format_option(option) for option in self.options()]
        if not legal:
            return "the game is over"
        near = get_close_matches(text[:100], legal, _SUGGESTED, cutoff=0)
        asked = f"player {self.current_player} is to decide {self.phase!r}"
        return f"{asked}, as by {', '.join(near)} ({len(legal)} are legal)"


def _is_held(card, number):
    """Return whether a hand may hold `number` copies of a card."""
    return card in NAMES and type(number) is int and 0 <= number <= NUM_CARDS
