"""One game for Python: options in words, played one by one, told as steps of a record.

    engine = CastleEngine(players=3, seed=7)              or CastleEngine.dealt(hands, decks, exchange)
    while not engine.is_over:
        engine.play(engine.options()[0])                  or engine.step(engine.legal_actions()[0])
    engine.record(["first", "first", "first"])

A decision with a single option is passed over, so there are always several. `step` and `play` return the steps that
they brought, those of decisions that were passed over included. `chance` lists what chance drew, in order, and `force`
says what it is to draw next.

To compare with another engine, deal both the same cards. After each decision compare `options()`, `piles()`, `hands`,
`decks`, `exchange`, `pawns`, `known`, `current_player` and `turns`. Play the same option in both, here first, and let
the other engine draw what `chance` lists.

What is read is a copy. `states` is the live array of shape `(1,)`, for kernels.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_env.castle_cards.components.cards import KIND_OF, NAMES
from zamek_env.castle_cards.components.sizes import MIN_PLAYERS
from zamek_env.castle_cards.core import calls
from zamek_env.castle_cards.core.log import GIVE, LOG
from zamek_env.castle_cards.core.state import END_NAMES, NONE, new_states
from zamek_env.castle_cards.layout.actions import NUM_ACTIONS, OVER, STAGE_NAMES, STEAL_GIVE
from zamek_env.castle_cards.notation.words import Option, Space, list_piles, name_option
from zamek_env.castle_cards.records.dealt import Cards, check_players, list_deal
from zamek_env.castle_cards.records.shape import FORMAT
from zamek_env.castle_cards.records.telling import Step, Turn, append_steps
from zamek_env.components.box_folder import CASTLE_CARDS
from zamek_env.errors import IllegalActionError
from zamek_env.shown import show

BLANK = new_states(1)


class CastleEngine:
    """A game of `players`, dealt from `seed`, a whole number from 0 to 2**63 - 1."""

    def __init__(self, players: int = MIN_PLAYERS, seed: int = 0) -> None:
        check_players(players)
        self._prepare()
        calls.start_deal(BLANK, self.states, self._logs, 0, players, seed)
        self._begin(seed)

    @classmethod
    def dealt(cls, hands: Sequence[Cards], decks: Sequence[Cards], exchange: Cards, seed: int = 0) -> "CastleEngine":
        """Return a game with a known deal, decks from the top down; chance follows from `seed`.

        Raises `ValueError` unless K3 allows that deal.
        """
        cards = list_deal(hands, decks, exchange)
        game = cls.__new__(cls)
        game._prepare()
        calls.start_dealt(BLANK, game.states, game._logs, 0, len(hands), seed, cards)
        game._begin(seed)
        return game

    def _prepare(self) -> None:
        self.states = new_states(1)
        self._logs: npt.NDArray[Any] = np.zeros(1, LOG)
        self.turns: list[Turn] = []
        self.chance: list[str] = []

    def _begin(self, seed: int) -> None:
        """Note the deal, of which nothing has been used yet, and go on to the first decision."""
        self.seed = seed
        self._deal = {"hands": self.hands, "decks": self.decks, "exchange": self.exchange}
        append_steps(self.turns, self._logs[0])
        self._pass_over()

    # --- what there is ---

    @property
    def state(self) -> Any:
        """The live record of `STATE`."""
        return self.states[0]

    @property
    def players(self) -> int:
        return int(self.state.players)

    @property
    def is_over(self) -> bool:
        return bool(self.state.stage == OVER)

    @property
    def stage(self) -> str:
        """What is decided, one of `STAGE_NAMES`."""
        return STAGE_NAMES[self.state.stage]

    @property
    def current_player(self) -> int:
        """Who decides; -1 once the game is over."""
        return NONE if self.is_over else int(self.state.decider)

    @property
    def turn_player(self) -> int:
        """Whose turn it is, or was the last."""
        return int(self.state.turn)

    @property
    def hands(self) -> list[list[str]]:
        """The cards of each player, by kind."""
        return [_list_cards(hand) for hand in self.state.hand[: self.players]]

    @property
    def decks(self) -> list[list[str]]:
        """The deck of each player from the top down."""
        state = self.state
        return [
            [NAMES[kind] for kind in state.deck[player, : state.deck_size[player]][::-1]]
            for player in range(self.players)
        ]

    @property
    def exchange(self) -> list[str]:
        return _list_cards(self.state.exchange)

    @property
    def removed(self) -> list[str]:
        """Cards out of the game, those that were left out of it among them."""
        return _list_cards(self.state.removed)

    @property
    def pawns(self) -> list[int]:
        """Pawns in the supply of each player."""
        pawns: list[int] = self.state.pawns[: self.players].tolist()
        return pawns

    @property
    def known(self) -> list[list[Counter[str]]]:
        """`known[observer][holder]` counts the cards that the one knows to be in the other's hand.

        Of a player's own hand it counts what anybody who looks on knows.
        """
        rows = self.state.known[: self.players, : self.players]
        return [[Counter(_list_cards(cards)) for cards in row] for row in rows]

    def piles(self) -> dict[Space, list[tuple[str, int | None]]]:
        """Return {space: cards from the bottom up, each with the player whose pawn lies on it}."""
        return list_piles(self.state)

    # --- what is done ---

    def legal_actions(self) -> list[int]:
        """Return the legal actions in ascending order; none once the game is over."""
        mask = np.zeros(NUM_ACTIONS, np.bool_)
        calls.write_mask(self.states, 0, mask)
        actions: list[int] = np.flatnonzero(mask).tolist()
        return actions

    def options(self) -> list[Option]:
        """Return the legal actions in words, in the same order."""
        return [name_option(self.state, action) for action in self.legal_actions()]

    def play(self, option: Option) -> list[Step]:
        """Choose an option; return the steps that it brought. Raises `IllegalActionError` where it is none."""
        for action in self.legal_actions():
            if name_option(self.state, action) == option:
                return self.step(action)
        raise IllegalActionError(f"{show(option)} is no option now; the options are {show(self.options())}")

    def step(self, action: int) -> list[Step]:
        """Choose an action; return the steps that it brought. Raises `IllegalActionError` where it is not legal."""
        turn, step = len(self.turns) - 1, len(self.turns[-1]["steps"])
        if not calls.decide(self.states, self._logs, 0, action):
            raise IllegalActionError(f"action {show(action)} is not legal; legal are {show(self.legal_actions())}")
        self._note()
        self._pass_over()
        return self.turns[turn]["steps"][step:] + [
            found for later in self.turns[turn + 1 :] for found in later["steps"]
        ]

    def _pass_over(self) -> None:
        while calls.pass_over(self.states, self._logs, 0):
            self._note()

    def _note(self) -> None:
        """Note what the last decision brought, and what chance drew."""
        append_steps(self.turns, self._logs[0])
        log = self._logs[0]
        self.chance += [NAMES[row[3]] for row in log.rows[: log.count] if row[0] == GIVE and row[4]]
        if self.state.stage == STEAL_GIVE:
            self.chance.append(NAMES[self.state.stolen])

    def force(self, draws: Mapping[int, str]) -> None:
        """Let chance draw these cards next, by the player from whose hand; they must be there when it does."""
        for player, name in draws.items():
            self.state.forced[player] = KIND_OF[name]

    def redeal(self, number: int, observer: int | None = None) -> None:
        """Deal anew what `observer`, or somebody who knows what all know, cannot see; `number` says how (K10)."""
        calls.redeal(self.states, 0, number, NONE if observer is None else observer)

    def copy(self) -> "CastleEngine":
        """Return an independent copy, the hidden part included."""
        twin = type(self).__new__(type(self))
        twin._prepare()
        twin.states[0] = self.states[0]
        twin.turns = [{"player": turn["player"], "steps": list(turn["steps"])} for turn in self.turns]
        twin.chance, twin.seed, twin._deal = list(self.chance), self.seed, self._deal
        return twin

    # --- what came of it ---

    @property
    def winners(self) -> list[int]:
        """Who has won, ascending; nobody before the end."""
        return [player for player in range(self.players) if self.state.winners >> player & 1]

    def returns(self) -> list[float]:
        """Return what the game was worth to each player; zeros before its end (K9)."""
        winners, losers = len(self.winners), self.players - len(self.winners)
        if winners == 0 or losers == 0:
            return [0.0] * self.players
        return [1 / winners if player in self.winners else -1 / losers for player in range(self.players)]

    def record(self, agents: Sequence[str]) -> dict[str, Any]:
        """Return the game as `castle-record/1`; it must be over (K13)."""
        return {
            "format": FORMAT,
            "ruleset": CASTLE_CARDS,
            "players": self.players,
            "seed": self.seed,
            "agents": list(agents),
            **self._deal,
            "turns": self.turns,
            "end": END_NAMES[self.state.end],
            "hands_left": self.state.hand_size[: self.players].tolist(),
            "decks_left": self.state.deck_size[: self.players].tolist(),
            "winners": self.winners,
            "returns": self.returns(),
        }


def _list_cards(counts: npt.NDArray[Any]) -> list[str]:
    """Return the names of cards that are counted by kind."""
    return [name for name, count in zip(NAMES, counts.tolist(), strict=True) for _ in range(count)]
