"""The compiled engine of Castle, the card game, in the words of the reference engine.

It is driven through its kernels, decision by decision, so that what it logs can be written as steps of a record.
"""

from collections import Counter
from typing import Any, Self

import numpy as np

from tests.support.castle_cards.reference.board import Space
from tests.support.castle_cards.reference.reference import Position
from zamek_env.castle_cards.components.box import FIRST_OUTSIDE, FIRST_SLOT, PAWN_COUNTS
from zamek_env.castle_cards.components.cards import KIND_OF, NAMES
from zamek_env.castle_cards.core import dealing, engine, hands, log, piles, rules, state
from zamek_env.castle_cards.layout import actions
from zamek_env.castle_cards.layout.board import SIDES, WIDTH
from zamek_env.castle_cards.notation.action_line import list_piles, name_option
from zamek_env.castle_cards.notation.position import list_results, list_winners
from zamek_env.castle_cards.records.write import append_steps, list_cards, make_deal


class CompiledCastleCards:
    """One game of the compiled engine; `turns` are written as the reference writes them, but with lists for spaces."""

    def __init__(self, states: np.ndarray):
        self.states, self._logs = states, np.zeros(1, log.LOG)
        self.turns: list[dict] = []
        self.num_drawn = 0  # cards that chance has drawn

    @classmethod
    def deal(cls, players: int, number: int) -> Self:
        """The deal of that number, with its first turn begun and nothing passed over yet."""
        game = cls(state.new_states(1))
        engine.start_deal(state.new_states(1), game.states, game._logs, 0, players, number)
        game._read_log()
        return game

    @classmethod
    def begin(cls, players: int, number: int) -> Self:
        """The deal of that number at its first decision."""
        game = cls.deal(players, number)
        game.pass_over()
        return game

    @classmethod
    def at(cls, position: Position) -> Self:
        """A game that goes on from a position."""
        game = cls(state.new_states(1))
        s = game.states[0]
        dealing.begin_dealing(s, len(position.hands), 0)
        for player, (hand, deck) in enumerate(zip(position.hands, position.decks, strict=True)):
            for card in hand:
                hands.add_to_hand(s, player, KIND_OF[card])
            for card in reversed(deck):
                dealing.add_to_deck(s, player, KIND_OF[card])
        for card in position.exchange:
            hands.add_to_exchange(s, KIND_OF[card])
        game._lay(position)
        for card, count in Counter(position.removed).items():
            game.states["removed"][0, KIND_OF[card]] += count
        game._begin(position)
        return game

    def _lay(self, position: Position) -> None:
        s, rank = self.states[0], 0
        for space, pile in position.piles.items():
            number = encode_space(space) if space[0] != "outside" else FIRST_OUTSIDE + rank
            if space[0] == "outside":
                self.states["next_number"], rank = space[1], rank + 1
            for name, pawn in pile:
                owner = state.NONE if pawn is None else pawn
                piles.lay_top(s, number, KIND_OF[name], owner)
            if space == position.last_played:
                self.states["last_space"], self.states["last_height"] = number, len(pile)
        for player, count in enumerate(PAWN_COUNTS[: len(position.hands)]):
            self.states["pawns"][0, player] = count - sum(
                pawn == player for pile in position.piles.values() for _, pawn in pile
            )

    def _begin(self, position: Position) -> None:
        states = self.states
        states["turn"] = states["decider"] = position.turn_player
        states["actions_left"], states["is_first"] = position.actions_left, position.is_first
        states["quiet"], states["turns"] = position.quiet_turns, 1
        states["phase"] = actions.ACTION
        rules.offer_options(states[0])
        self.begin_turns().pass_over()

    # --- playing ---

    def copy(self) -> Self:
        """The same game once more, without what has happened."""
        return type(self)(self.states.copy()).begin_turns()

    def begin_turns(self) -> Self:
        """Begin the turns that what happens from here on is added to."""
        self.turns = [{"player": self.turn_player, "steps": []}]
        return self

    def legal_actions(self) -> list[int]:
        """The legal actions in ascending order."""
        mask = np.zeros(actions.NUM_ACTIONS, np.bool_)
        engine.write_mask(self.states, 0, mask)
        return np.flatnonzero(mask).tolist()

    def options(self) -> set[tuple]:
        """The legal actions as the reference names them."""
        return {name_option(self.states[0], number) for number in self.legal_actions()}

    def play(self, option: tuple) -> None:
        """Choose an option, and pass over what leaves no choice."""
        (number,) = (number for number in self.legal_actions() if name_option(self.states[0], number) == option)
        self.step(number)

    def step(self, action: int) -> None:
        """Choose a legal action, and pass over what leaves no choice."""
        assert engine.decide(self.states, self._logs, 0, action)
        self._read_log()
        self.pass_over()

    def pass_over(self) -> None:
        """Go on to the next decision with more than one option."""
        while engine.pass_over(self.states, self._logs, 0):
            self._read_log()

    def drawn_since(self) -> list[str]:
        """The cards that chance has drawn since this was asked last."""
        steps = [step for turn in self.turns for step in turn["steps"]]
        drawn = [step["card"] for step in steps if step["do"] == "steal" or "chance" in step]
        stolen = int(self.states["stolen"][0])
        drawn += [NAMES[stolen]] if stolen != state.NONE else []
        fresh, self.num_drawn = drawn[self.num_drawn :], len(drawn)
        return fresh

    # --- reading ---

    def __getitem__(self, field: str) -> Any:
        return self.states[field][0]

    @property
    def players(self) -> int:
        return int(self["players"])

    @property
    def phase(self) -> str:
        """The phase as the reference calls it."""
        name = actions.PHASE_NAMES[self["phase"]]
        return name if name in ("action", "take", "place", "over") else "effect"

    @property
    def decider(self) -> int | None:
        return None if self.phase == "over" else int(self["decider"])

    @property
    def turn_player(self) -> int:
        return int(self["turn"])

    @property
    def hands(self) -> list[list[str]]:
        return make_deal(self.states[0])["hands"]

    @property
    def decks(self) -> list[list[str]]:
        """Decks from the top down."""
        return make_deal(self.states[0])["decks"]

    @property
    def exchange(self) -> list[str]:
        return list_cards(self["exchange"].tolist())

    @property
    def removed(self) -> list[str]:
        return list_cards(self["removed"].tolist())

    @property
    def piles(self) -> dict[Space, list[tuple[str, int | None]]]:
        """All cards in play from the bottom up, with whose pawn lies on each."""
        return list_piles(self.states[0])

    @property
    def known(self) -> list[list[Counter]]:
        """What each knows of each hand; of the own hand everything."""
        return [
            [
                Counter(hand if holder == observer else list_cards(known[holder].tolist()))
                for holder, hand in enumerate(self.hands)
            ]
            for observer, known in enumerate(self["known"][: self.players])
        ]

    def supply(self, player: int) -> int:
        return int(self["pawns"][player])

    @property
    def end(self) -> str | None:
        return state.END_NAMES[self["end"]]

    @property
    def winners(self) -> list[int]:
        return list(list_winners(self.states[0]))

    @property
    def returns(self) -> list[float]:
        return list(list_results(self.states[0]))

    def _read_log(self) -> None:
        append_steps(self.turns, self._logs[0])


def encode_space(space: Space) -> int:
    """Return the number of a space of the castle or of a slot."""
    return FIRST_SLOT + SIDES.index(space[1]) if space[0] == "siege" else space[0] * WIDTH + space[1]
