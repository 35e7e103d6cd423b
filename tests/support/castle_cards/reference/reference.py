"""The slow reference engine of Castle, the card game: its rules K1 to K13 as plainly as they can be written.

It knows nothing of the fast engine. A game is a chain of decisions. Each has a set of options, tuples such as
`("play", "Archer")` or `("space", (0, 0))`. A decision with a single option is passed over. So is a part of an
effect without any. The turn and the effects are generators that yield decisions.
"""

from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

from tests.support.castle_cards.reference.board import (
    NOT_FOR_TWO,
    PAWNS,
    RAMPARTS,
    SLOTS,
    SOLDIERS,
    Board,
    Card,
    Space,
    rampart_of,
)
from tests.support.castle_cards.reference.effects import EFFECTS

ACTIONS = 2  # K4
QUIET_TURNS = 200  # K9


@dataclass(frozen=True)
class Decision:
    """Who decides on what. `phase` is "action", "take", "place" or "effect"."""

    player: int
    phase: str
    options: frozenset[tuple]


@dataclass(frozen=True)
class Position:
    """Where a game begins. `piles` holds (card, pawn) from the bottom up, `decks` cards from the top down.

    `last_played` is the space of the card that was played last. `is_first` says whether the action due is the first of
    its turn.
    """

    hands: list[list[str]]
    decks: list[list[str]]
    exchange: list[str]
    piles: dict[Space, list[tuple[str, int | None]]] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)
    turn_player: int = 0
    actions_left: int = ACTIONS
    is_first: bool = True
    last_played: Space | None = None
    quiet_turns: int = 0


Steps = Generator[Decision, tuple, Any]


class Knowledge:
    """Which cards each player knows to be in each hand (K10).

    `counts[observer][holder]` counts the cards of another's hand that the observer has seen going there.

    A card that leaves a hand unseen may be any of them. So nothing is then known of that hand.
    """

    def __init__(self, players: int) -> None:
        self.players = range(players)
        self.counts = [[Counter() for _ in self.players] for _ in self.players]

    def arrives(self, card: str, holder: int, seen_by: tuple[int, ...] | None = None) -> None:
        """Note a card that came into a hand before the eyes of everybody, or of some."""
        for observer in self.players:
            if observer != holder and (seen_by is None or observer in seen_by):
                self.counts[observer][holder][card] += 1

    def leaves(self, card: str, holder: int, seen_by: tuple[int, ...] | None = None) -> None:
        """Note a card that left a hand before the eyes of everybody, or of some."""
        for observer in self.players:
            if seen_by is None or observer in seen_by:
                self.counts[observer][holder] -= Counter([card])  # never below zero
            else:
                self.counts[observer][holder].clear()


class CastleCardsReference:
    """One game from a known deal. `draw` picks the card that chance takes from a hand, which it is given sorted.

    Nothing moves before a decision is complete: a card is in hand until its space is chosen, an exchanged one until the
    other is, a stolen one in the hand it comes from, and what players pass until the last has chosen.

    `turns` are as the record writes them.
    """

    def __init__(
        self,
        players: int,
        hands: list[list[str]],
        decks: list[list[str]],
        exchange: list[str],
        draw: Callable[[list[str]], str],
    ):
        if not len(hands) == len(decks) == players:
            raise ValueError(f"hands and decks must be {players}, not {len(hands)} and {len(decks)}")
        left_out = [*NOT_FOR_TWO] if players == 2 else []
        self._start(Position(hands, decks, exchange, removed=left_out), draw)

    @classmethod
    def at(cls, position: Position, draw: Callable[[list[str]], str]) -> "CastleCardsReference":
        """A game that begins in a position."""
        game = cls.__new__(cls)
        game._start(position, draw)
        return game

    def _start(self, position: Position, draw: Callable[[list[str]], str]) -> None:
        self.origin, self._draw_card = position, draw
        self.played_options: list[tuple] = []
        self.drawn_by_chance: list[str] = []
        self.players = len(position.hands)
        self.hands = [list(hand) for hand in position.hands]
        self.decks = [list(deck) for deck in position.decks]
        self.exchange, self.removed = list(position.exchange), list(position.removed)
        self.board = Board()
        for space, pile in position.piles.items():
            for name, pawn in pile:
                self.board.put(Card(name, pawn), space)
        self.turn_player, self.actions_left = position.turn_player, position.actions_left
        self.last_played = None if position.last_played is None else self.board.top(position.last_played)
        self.played_before: Card | None = None  # the one before `last_played`
        self.is_first, self.quiet_turns = position.is_first, position.quiet_turns
        self.knowledge = Knowledge(self.players)
        self.end: str | None = None
        self.winners: list[int] = []
        self.turns: list[dict] = []
        self._decision: Decision | None = None
        self._chain = self._play_turns()
        self._advance(None)

    # --- from outside ---

    def options(self) -> set[tuple]:
        """What the decider may choose from; empty when the game is over."""
        return set() if self._decision is None else set(self._decision.options)

    @property
    def decider(self) -> int | None:
        """The player who decides, None when the game is over."""
        return None if self._decision is None else self._decision.player

    @property
    def phase(self) -> str:
        """What is decided: "action", "take", "place", "effect"; "over" is the end."""
        return "over" if self._decision is None else self._decision.phase

    def play(self, option: tuple) -> None:
        """Choose an option, and go on to the next decision that has more than one."""
        if option not in self.options():
            raise ValueError(f"{option} is no option: {sorted(self.options(), key=str)}")
        self.played_options.append(option)
        self._advance(option)

    @property
    def piles(self) -> dict[Space, list[tuple[str, int | None]]]:
        """All cards in play from the bottom up, with whose pawn lies on each."""
        return {space: [(card.name, card.pawn) for card in pile] for space, pile in self.board.piles.items()}

    @property
    def known(self) -> list[list[Counter]]:
        """`known[observer][holder]` counts what is known of a hand (K10); of the own hand everything."""
        return [
            [Counter(hand) if holder == observer else +counts[holder] for holder, hand in enumerate(self.hands)]
            for observer, counts in enumerate(self.knowledge.counts)
        ]

    @property
    def returns(self) -> list[float]:
        """What the game was worth to each player; zeros before its end (K9)."""
        losers = self.players - len(self.winners)
        if not self.winners or not losers:
            return [0.0] * self.players
        return [1 / len(self.winners) if player in self.winners else -1 / losers for player in range(self.players)]

    def record(self, seed: int | None = None, agents: list[str] | None = None) -> dict:
        """The game as `castle-record/1`; one that began in a position has no record."""
        return {
            "format": "castle-record/1",
            "ruleset": "castle-cards",
            "players": self.players,
            "seed": seed,
            "agents": ["random"] * self.players if agents is None else list(agents),
            "hands": as_lists(self.origin.hands),
            "decks": as_lists(self.origin.decks),
            "exchange": as_lists(self.origin.exchange),
            "turns": as_lists(self.turns),
            "end": self.end,
            "hands_left": [len(hand) for hand in self.hands],
            "decks_left": [len(deck) for deck in self.decks],
            "winners": list(self.winners),
            "returns": self.returns,
        }

    def position(self) -> Position:
        """The position, which can be read only where an action is due."""
        if self.phase != "action":
            raise ValueError(f"an action must be due, not {self.phase}")
        last = [space for space, _, card in self.board.cards() if card is self.last_played]
        return Position(
            hands=[list(hand) for hand in self.hands],
            decks=[list(deck) for deck in self.decks],
            exchange=list(self.exchange),
            piles=self.piles,
            removed=list(self.removed),
            turn_player=self.turn_player,
            actions_left=self.actions_left,
            is_first=self.is_first,
            last_played=last[0] if last else None,
            quiet_turns=self.quiet_turns,
        )

    # --- what turns and effects are made of ---

    def _advance(self, answer: tuple | None) -> None:
        try:
            self._decision = self._chain.send(answer)
        except StopIteration:
            self._decision = None

    def ask(self, options: set[tuple], player: int | None = None, phase: str = "effect") -> Steps:
        """Return the option chosen, by the player of the turn if no other; None where there is none to choose."""
        if len(options) < 2:
            return next(iter(options), None)
        return (yield Decision(self.turn_player if player is None else player, phase, frozenset(options)))

    def step(self, **entry: Any) -> None:
        """Write down a step of the turn."""
        self.turns[-1]["steps"].append(entry)

    def left_of(self, player: int) -> int:
        """The left neighbour, who plays next (K9)."""
        return (player + 1) % self.players

    def clockwise(self) -> list[int]:
        """All players, from the player of the turn on."""
        return [(self.turn_player + number) % self.players for number in range(self.players)]

    def supply(self, player: int) -> int:
        """How many pawns a player has left (K3)."""
        return PAWNS[player] - self.board.pawns_of(player)

    def draw(self, hand: list[str]) -> str:
        """Return the card that chance takes from a hand (K11)."""
        card = self._draw_card(hand)
        if card not in hand:
            raise ValueError(f"chance drew {card!r} from {hand}")
        self.drawn_by_chance.append(card)
        return card

    def take_from_exchange(self, card: str, player: int) -> None:
        """Take a card of the exchange to a hand, before the eyes of all."""
        self.exchange.remove(card)
        self.hands[player].append(card)
        self.knowledge.arrives(card, player)

    def lay_into_exchange(self, card: str) -> None:
        """Lay a card of the hand of the player of the turn into the exchange."""
        self.hands[self.turn_player].remove(card)
        self.knowledge.leaves(card, self.turn_player)
        self.exchange.append(card)

    def hand_over(self, passed: list[tuple[int, int, str]]) -> None:
        """Pass cards from hand to hand, all at once, each known to giver and taker only: (giver, taker, card)."""
        for giver, taker, card in passed:
            self.hands[giver].remove(card)
            self.knowledge.leaves(card, giver, (taker,))
        for giver, taker, card in passed:
            self.hands[taker].append(card)
            self.knowledge.arrives(card, taker, (giver,))

    def take_back(self, space: Space, by: int | None = None, level: int = -1, why: str | None = None) -> None:
        """Return a card to the owner of its pawn, or to the exchange if it has none (K6)."""
        card = self.board.piles[space].pop(level)
        if not self.board.piles[space]:
            del self.board.piles[space]
        if card.pawn is None:
            self.exchange.append(card.name)
        else:
            self.hands[card.pawn].append(card.name)
            self.knowledge.arrives(card.name, card.pawn)
        entry = {
            "do": "take_back",
            "at": space,
            "card": card.name,
            "to": "exchange" if card.pawn is None else card.pawn,
        }
        if why is not None:
            entry["why"] = why
        if by is not None and by != self.turn_player:
            entry["by"] = by
        self.step(**entry)

    def move(self, space: Space, to: Space) -> None:
        """Move an uncovered card (K6)."""
        card = self.board.lift(space)
        self.board.put(card, to)
        self.step(do="move", at=space, to=to)
        self._siege_filled(card, to)

    def _siege_filled(self, card: Card, at: Space) -> None:
        """A soldier who fills a rampart takes back the siege engine before it (K8)."""
        side = rampart_of(at)
        if card.name not in SOLDIERS or side is None or any(space not in self.board.piles for space in RAMPARTS[side]):
            return
        slot = ("siege", side)
        if len(self.board.piles.get(slot, [])) == 1:  # a Knight would protect it
            self.take_back(slot, why="siege")

    def _siege_closed(self) -> None:
        """The fourth siege engine takes back all unprotected soldiers on the ramparts (K8)."""
        if any(slot not in self.board.piles for slot in SLOTS):
            return
        hit = [
            space
            for spaces in RAMPARTS.values()
            for space in spaces
            if space in self.board.piles
            and self.board.top(space).name in SOLDIERS
            and not self.board.is_protected(space)
        ]
        for space in sorted(hit):
            self.take_back(space, why="siege")

    def play_card(self, name: str, from_exchange: bool = False, legal: int = 0) -> Steps:
        """Place a card of the hand or the exchange and carry out its effect (K5)."""
        answer = yield from self.ask({("space", space) for space in self.board.fitting(name)}, phase="place")
        at, player = answer[1], self.turn_player
        if from_exchange:
            self.exchange.remove(name)
            entry = {"do": "play", "card": name, "at": at, "from": "exchange"}
        else:
            self.hands[player].remove(name)
            self.knowledge.leaves(name, player)
            entry = {"do": "play", "card": name, "at": at, "legal": legal}
        self.step(**entry)
        card = Card(name, None if from_exchange or not self.supply(player) else player)
        self.board.put(card, at)
        self.played_before, self.last_played = self.last_played, card
        self._siege_filled(card, at)
        if name == "Siege Engine":
            self._siege_closed()
        if name in EFFECTS:
            is_done = yield from EFFECTS[name](self, card, at)
            if not is_done:
                self.step(do="void", of=name)

    # --- the turn ---

    def _play_turns(self) -> Steps:
        while not self.end:
            yield from self._play_turn()
            if not self.end and self.quiet_turns == QUIET_TURNS:
                self._finish("quiet")
            if not self.end:
                self.turn_player, self.actions_left, self.is_first = self.left_of(self.turn_player), ACTIONS, True

    def _play_turn(self) -> Steps:
        self.turns.append({"player": self.turn_player, "steps": []})
        is_quiet = True
        while self.actions_left and not self.end:
            actions = self._actions()
            if not actions:
                self.step(do="pass")
                break
            action = yield from self.ask(actions, phase="action")
            self.is_first = False
            self.actions_left -= 1
            legal = self._count_legal(actions)
            if action == ("draw",):
                self._draw_from_deck(legal)
            elif action[0] == "give":
                yield from self._exchange(action[1], legal)
            else:
                is_quiet = False
                yield from self.play_card(action[1], legal=legal)
                self._check_end()
        self.quiet_turns = self.quiet_turns + 1 if is_quiet else 0

    def _actions(self) -> set[tuple]:
        """The actions that can be done (K4). Under the Herald the King must be the first (the table of effects)."""
        player, board = self.turn_player, self.board
        hand = self.hands[player]
        if self.is_first and "King" in hand and board.find("Herald") is not None and board.fitting("King"):
            return {("play", "King")}
        actions = {("play", card) for card in hand if board.fitting(card)}
        if self.exchange:
            actions |= {("give", card) for card in hand}
        if self.decks[player]:
            actions.add(("draw",))
        return actions

    def _count_legal(self, actions: set[tuple]) -> int:
        """How many actions are legal, told apart by card, space, and what is given and taken (K13)."""
        worth = {
            "draw": lambda _: 1,
            "give": lambda _: len(set(self.exchange)),
            "play": lambda card: len(self.board.fitting(card)),
        }
        return sum(worth[action[0]](action[-1]) for action in actions)

    def _draw_from_deck(self, legal: int) -> None:
        card = self.decks[self.turn_player].pop(0)
        self.hands[self.turn_player].append(card)
        self.step(do="draw", card=card, legal=legal)

    def _exchange(self, given: str, legal: int) -> Steps:
        _, taken = yield from self.ask({("card", card) for card in self.exchange}, phase="take")
        self.lay_into_exchange(given)
        self.take_from_exchange(taken, self.turn_player)
        self.step(do="exchange", give=given, take=taken, legal=legal)

    def _check_end(self) -> None:
        """Whether somebody is out of cards, or no card could be played by anybody (K9)."""
        out = [player for player in self.clockwise() if not self.hands[player] and not self.decks[player]]
        everything = {card for cards in [*self.hands, *self.decks, self.exchange] for card in cards}
        if out:
            self.end, self.winners = "empty", out[:1]
        elif not any(self.board.fitting(card) for card in everything):
            self._finish("stalled")

    def _finish(self, end: str) -> None:
        """End without anybody being out of cards: the fewest hand cards win (K9)."""
        fewest = min(len(hand) for hand in self.hands)
        self.end = end
        self.winners = [player for player, hand in enumerate(self.hands) if len(hand) == fewest]


# --- entries of records ---


def as_lists(entry: Any) -> Any:
    """A record's entry as JSON gives it back: lists for tuples."""
    if isinstance(entry, dict):
        return {key: as_lists(value) for key, value in entry.items()}
    return [as_lists(value) for value in entry] if isinstance(entry, (list, tuple)) else entry


def without_order(turns: list[dict]) -> list[dict]:
    """Return turns with a fixed order in the lists whose order is free."""
    return [{**turn, "steps": [sort_lists(step) for step in turn["steps"]]} for turn in turns]


def sort_lists(step: dict) -> dict:
    """Return a step with its lists in a fixed order, spaces as they are."""
    free = [key for key in ("set", "give", "take") if isinstance(step.get(key), list)]
    return step | {key: sorted(step[key], key=str) for key in free}
