"""The compiled engine of Castle, the card game, in the words of the reference engine.

It is driven through its kernels, decision by decision, so that what it logs can be told as steps of a record.
"""

from collections import Counter
from typing import Any, Self

import numpy as np

from tests.support.castle.board import Space
from tests.support.castle.position import Position
from zamek_env.castle_cards.components.cards import KIND_OF, NAMES
from zamek_env.castle_cards.components.kinds import KNIGHT
from zamek_env.castle_cards.components.sizes import FIRST_OUTSIDE, FIRST_SLOT, PAWN_COUNTS
from zamek_env.castle_cards.core import calls, dealing, hands, log, piles, rules, state
from zamek_env.castle_cards.layout import actions
from zamek_env.castle_cards.layout.board import SIDES, WIDTH

GROUP_WORDS = {actions.GIVES: "give", actions.PLAYS: "play", actions.CARDS: "card"}
BASIC_OPTIONS = (("draw",), ("decline",))


class FastCastle:
    """One game of the compiled engine; `turns` are told as the reference tells them, but with lists for spaces."""

    def __init__(self, states: np.ndarray):
        self.states, self._logs = states, np.zeros(1, log.LOG)
        self.turns: list[dict] = []
        self.num_drawn = 0  # cards that chance has drawn

    @classmethod
    def deal(cls, players: int, number: int) -> Self:
        """The deal of that number, with its first turn begun and nothing passed over yet."""
        game = cls(state.new_states(1))
        calls.start_deal(state.new_states(1), game.states, game._logs, 0, players, number)
        game._read_log()
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
                if name == "Knight":
                    piles.lay_knight(s, piles.find_free_knight(s), number, owner)
                else:
                    piles.lay_card(s, number, KIND_OF[name], owner)
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
        states["stage"] = actions.ACTION
        rules.find_options(states[0])
        self.begin_telling().pass_over()

    # --- playing ---

    def copy(self) -> Self:
        """The same game once more, without what has happened."""
        return type(self)(self.states.copy()).begin_telling()

    def begin_telling(self) -> Self:
        """Tell what happens from here on."""
        self.turns = [{"player": self.turn_player, "steps": []}]
        return self

    def options(self) -> set[tuple]:
        """The legal actions as the reference names them."""
        mask = np.zeros(actions.NUM_ACTIONS, np.int8)
        calls.write_mask(self.states, 0, mask)
        return {self.decode(int(number)) for number in np.flatnonzero(mask)}

    def play(self, option: tuple) -> None:
        """Choose an option, and pass over what leaves no choice."""
        mask = np.zeros(actions.NUM_ACTIONS, np.int8)
        calls.write_mask(self.states, 0, mask)
        (number,) = (n for n in np.flatnonzero(mask) if self.decode(int(n)) == option)
        assert calls.decide(self.states, self._logs, 0, int(number))
        self._read_log()
        self.pass_over()

    def pass_over(self) -> None:
        """Go on to the next decision with more than one option."""
        while self.pass_one_over():
            pass

    def pass_one_over(self) -> bool:
        """Carry out what leaves no choice, if anything does; return whether it did."""
        is_passed_over = bool(calls.pass_over(self.states, self._logs, 0))
        if is_passed_over:
            self._read_log()
        return is_passed_over

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
    def stage(self) -> str:
        """The stage as the reference calls it."""
        name = actions.STAGE_NAMES[self["stage"]]
        return name if name in ("action", "take", "place", "over") else "effect"

    @property
    def decider(self) -> int | None:
        return None if self.stage == "over" else int(self["decider"])

    @property
    def turn_player(self) -> int:
        return int(self["turn"])

    @property
    def hands(self) -> list[list[str]]:
        return [list_cards(self["hand"][player]) for player in range(self.players)]

    @property
    def decks(self) -> list[list[str]]:
        """Decks from the top down."""
        return [
            [NAMES[kind] for kind in reversed(self["deck"][player][: self["deck_size"][player]])]
            for player in range(self.players)
        ]

    @property
    def exchange(self) -> list[str]:
        return list_cards(self["exchange"])

    @property
    def removed(self) -> list[str]:
        return list_cards(self["removed"])

    @property
    def piles(self) -> dict[Space, list[tuple[str, int | None]]]:
        """All cards in play from the bottom up, with whose pawn lies on each."""
        found = {}
        for number in np.flatnonzero(self["height"]):
            pile = [(NAMES[self["bottom"][number]], read_player(self["bottom_pawn"][number]))]
            knights = sorted(np.flatnonzero(self["knight_space"] == number), key=lambda n: self["knight_level"][n])
            pile += [(NAMES[KNIGHT], read_player(self["knight_pawn"][knight])) for knight in knights]
            found[self.decode_space(int(number))] = pile
        return found

    @property
    def known(self) -> list[list[Counter]]:
        """What each knows of each hand; of the own hand everything."""
        return [
            [
                Counter(hand if holder == observer else list_cards(known[holder]))
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
        return [player for player in range(self.players) if int(self["winners"]) >> player & 1]

    @property
    def returns(self) -> list[float]:
        """What the game was worth, from the winners (K9)."""
        losers = self.players - len(self.winners)
        if not self.winners or not losers:
            return [0.0] * self.players
        return [1 / len(self.winners) if player in self.winners else -1 / losers for player in range(self.players)]

    # --- numbers and words ---

    def decode(self, number: int) -> tuple:
        """Return the option that an action number means now."""
        group = max(group for group in range(actions.NUM_GROUPS) if actions.GROUP_BASES[group] <= number)
        bit = number - actions.GROUP_BASES[group]
        if group == actions.BASIC:
            return BASIC_OPTIONS[bit]
        if group in GROUP_WORDS:
            return (GROUP_WORDS[group], NAMES[bit])
        if group in (actions.BOARD, actions.OUTSIDE):
            return ("space", self.decode_space(number - actions.SPACE_BASE))
        if number < actions.PLAYER_BASE:
            return ("level", number - actions.LEVEL_BASE)
        if number < actions.PAWN_BASE:
            return ("player", number - actions.PLAYER_BASE)
        pawn = number - actions.PAWN_BASE
        return ("pawn", None if pawn == actions.NO_PAWN else pawn)

    def decode_space(self, number: int) -> Space:
        """Return the space of that number; outside the numbers are ranks."""
        if number < FIRST_OUTSIDE:
            return decode_place(number)
        rank = number - FIRST_OUTSIDE
        is_new = rank == self["outside_count"]
        return "outside", int(self["next_number"] if is_new else self["outside_number"][rank])

    def _read_log(self) -> None:
        rows = self._logs["rows"][0][: self._logs["count"][0]].tolist()
        for row in rows:
            event, *columns = row
            if event == log.TURN:
                self.turns.append({"player": columns[0], "steps": []})
            else:
                tell(self.turns[-1]["steps"], event, columns)


def tell(steps: list[dict], event: int, columns: list[int]) -> None:
    """Add the step that a row of the log tells."""
    a, b, c, d, e = columns
    if event == log.DRAWN:
        steps.append({"do": "draw", "card": NAMES[a], "legal": b})
    elif event == log.EXCHANGE:
        steps.append({"do": "exchange", "give": NAMES[a], "take": NAMES[b], "legal": c})
    elif event == log.PLAY:
        more = {"from": "exchange"} if d == 1 else {"legal": c}
        steps.append({"do": "play", "card": NAMES[a], "at": list(decode_place(b)), **more})
    elif event == log.TAKE_BACK:
        to = "exchange" if c == state.NONE else c
        more = ({"why": "siege"} if d == 1 else {}) | ({"by": e} if e != state.NONE else {})
        steps.append({"do": "take_back", "at": list(decode_place(b)), "card": NAMES[a], "to": to, **more})
    elif event == log.MOVE:
        steps.append({"do": "move", "at": list(decode_place(a)), "to": list(decode_place(b))})
    elif event in (log.REMOVE, log.TO_EXCHANGE):
        steps.append({"do": "remove" if event == log.REMOVE else "to_exchange", "at": list(decode_place(a))})
    elif event in (log.PAWNS, log.REARRANGE):
        steps.append({"do": "pawns" if event == log.PAWNS else "rearrange", "set": []})
    elif event == log.PAWN_SET:
        steps[-1]["set"].append([list(decode_place(a)), b, NAMES[c], read_player(d)])
    elif event == log.CARD_SET:
        steps[-1]["set"].append([list(decode_place(a)), NAMES[b]])
    else:
        tell_of_hands(steps, event, columns)


def tell_of_hands(steps: list[dict], event: int, columns: list[int]) -> None:
    """Add the step that a row about hands, or about nothing at all, tells."""
    a, b, c, d, _ = columns
    if event == log.SWAP:
        pairs = [[NAMES[kind] for kind in kinds if kind != state.NONE] for kinds in ((a, b), (c, d))]
        steps.append({"do": "swap", "give": pairs[0], "take": pairs[1]})
    elif event == log.STEAL:
        steps.append({"do": "steal", "from": a, "card": NAMES[b], "give": NAMES[c]})
    elif event == log.GIVE:
        more = {"chance": True} if d == 1 else {}
        steps.append({"do": "give", "from": a, "to": b, "card": NAMES[c], **more})
    elif event == log.AWARDED:
        steps.append({"do": "award", "to": a, "card": NAMES[b]})
    elif event == log.VOID:
        steps.append({"do": "void", "of": NAMES[a]})
    else:
        steps.append({"do": "decline" if event == log.DECLINED else "pass"})


def list_cards(counts: np.ndarray) -> list[str]:
    """Return cards by name from how many there are of each kind."""
    return [name for name, count in zip(NAMES, counts.tolist(), strict=True) for _ in range(count)]


def read_player(number: int) -> int | None:
    """Return a player, None for nobody."""
    return None if number == state.NONE else int(number)


def encode_space(space: Space) -> int:
    """Return the number of a space of the castle or of a slot."""
    return FIRST_SLOT + SIDES.index(space[1]) if space[0] == "siege" else space[0] * WIDTH + space[1]


def decode_place(place: int) -> Space:
    """Return the space that the log names, for good."""
    if place >= FIRST_OUTSIDE:
        return "outside", place - FIRST_OUTSIDE
    return divmod(place, WIDTH) if place < FIRST_SLOT else ("siege", SIDES[place - FIRST_SLOT])
