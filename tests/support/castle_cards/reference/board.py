"""The box of Castle, and the board: piles of cards, and what the rules say of them (K1 to K3, K5 to K8).

A space is `(row, column)`, row 0 north; `("siege", side)`; or `("outside", n)`. A pile is a list from the bottom up, so
its last card is the uncovered one. Cards are objects, since one may be asked for later (Enchanter).
"""

from collections.abc import Iterator
from dataclasses import dataclass

# --- the box ---

TOWER, RAMPART, COURT, OUTSIDE, ON_A_CARD = "tower", "rampart", "court", "outside", "on a card"

ZONES = {
    TOWER: ("Ghost", "Lookout", "Magician", "Archer", "Witch", "Alchemist"),
    RAMPART: ("Soldier", "Captain", "Traitor"),
    COURT: (
        "Merchant", "King", "Minstrel", "Courtesan", "Queen", "Princess", "Prince", "Conspirator", "Spy", "Ambassador",
        "Thief", "Fool", "Village Idiot", "Priest", "Lady in Waiting", "Courtier", "Assassin", "King's Counselor",
        "Mistress", "Prince Charming", "Black Knight",
    ),
    OUTSIDE: ("Siege Engine", "Barbarian", "Fairy", "Enchanter", "Dragon", "Herald"),
    ON_A_CARD: ("Knight",),
}  # fmt: skip
ZONE = {card: zone for zone, cards in ZONES.items() for card in cards}
COPIES = dict.fromkeys(ZONE, 1) | {"Soldier": 13, "Siege Engine": 5, "Knight": 4}

SOLDIERS = ("Soldier", "Captain", "Traitor")
FEMALE = ("Queen", "Princess", "Mistress", "Courtesan", "Lady in Waiting", "Witch", "Fairy")
MALE = tuple(card for card in ZONE if card not in FEMALE and card != "Siege Engine")

NOT_FOR_TWO = ("Fool", "Village Idiot")
DEALT = {2: (9, 13, 10), 3: (7, 8, 11), 4: (5, 6, 12), 5: (5, 4, 11)}  # players: hand, deck, exchange
PAWNS = (30, 30, 22, 18, 15)  # by player


def list_cards(players: int) -> list[str]:
    """All cards of a game of so many players."""
    left_out = NOT_FOR_TWO if players == 2 else ()
    return [card for card, copies in COPIES.items() if card not in left_out for _ in range(copies)]


def deal(players: int, shuffled: list[str]) -> tuple[list[list[str]], list[list[str]], list[str]]:
    """Hands, decks from the top down, and the exchange, dealt in this order from shuffled cards."""
    hand, deck, exchange = DEALT[players]
    cards = iter(shuffled)
    hands = [[next(cards) for _ in range(hand)] for _ in range(players)]
    decks = [[next(cards) for _ in range(deck)] for _ in range(players)]
    rest = list(cards)
    if len(rest) != exchange:
        raise ValueError(f"{len(rest)} cards are left for the exchange, not {exchange}")
    return hands, decks, rest


# --- the board ---

Space = tuple

SIZE = 6
GRID = [(row, col) for row in range(SIZE) for col in range(SIZE)]
SLOTS = [("siege", side) for side in "NESW"]
RAMPARTS = {
    "N": [(0, n) for n in range(1, 5)],
    "E": [(n, 5) for n in range(1, 5)],
    "S": [(5, n) for n in range(1, 5)],
    "W": [(n, 0) for n in range(1, 5)],
}


@dataclass(eq=False)
class Card:
    """One card in play; `pawn` is the player whose pawn lies on it, None without a pawn."""

    name: str
    pawn: int | None


def zone_of(space: Space) -> str:
    """The zone of a space; the slots of siege engines are part of the outside (K1)."""
    if space[0] in ("siege", "outside"):
        return OUTSIDE
    borders = sum(number in (0, SIZE - 1) for number in space)
    return (COURT, RAMPART, TOWER)[borders]


def neighbours(space: Space) -> list[Space]:
    """The adjacent spaces by row and column; the outside has none (K1)."""
    if space not in GRID:
        return []
    row, col = space
    return [(r, c) for r, c in GRID if (r, c) != space and abs(r - row) <= 1 and abs(c - col) <= 1]


def rampart_of(space: Space) -> str | None:
    """The side whose rampart holds the space, None elsewhere."""
    return next((side for side, spaces in RAMPARTS.items() if space in spaces), None)


class Board:
    """All cards in play."""

    def __init__(self) -> None:
        self.piles: dict[Space, list[Card]] = {}
        self.next_outside = 0

    # --- reading ---

    def top(self, space: Space) -> Card:
        """The uncovered card of a pile."""
        return self.piles[space][-1]

    def cards(self) -> Iterator[tuple[Space, int, Card]]:
        """Space, level and card of every card in play; of spaces in the grid by row and column."""
        for space in sorted(self.piles, key=lambda space: (space not in GRID, str(space))):
            for level, card in enumerate(self.piles[space]):
                yield space, level, card

    def find(self, name: str) -> Space | None:
        """Where the only card of this name lies, covered or not; None where it is not in play."""
        return next((space for space, _, card in self.cards() if card.name == name), None)

    def find_in_court(self, name: str) -> Space | None:
        """Where it lies in the courtyard, covered or not."""
        space = self.find(name)
        return space if space is not None and zone_of(space) == COURT else None

    def free(self, zone: str) -> list[Space]:
        """The empty spaces of a zone of the castle, or the free slots and the next space outside."""
        if zone == OUTSIDE:
            return [slot for slot in SLOTS if slot not in self.piles] + [("outside", self.next_outside)]
        return [space for space in GRID if zone_of(space) == zone and space not in self.piles]

    def pawns_of(self, player: int) -> int:
        """How many pawns of a player lie on cards."""
        return sum(card.pawn == player for _, _, card in self.cards())

    # --- what fits (K5) ---

    def fitting(self, name: str) -> list[Space]:
        """The spaces where a card of this name could be played now."""
        zone = ZONE[name]
        if zone == ON_A_CARD:
            return list(self.piles)
        if name == "Ghost":
            return [
                space
                for space, pile in self.piles.items()
                if zone_of(space) == TOWER and len(pile) == 1 and not self.is_protected(space)
            ]
        free = self.free(zone)
        if zone == OUTSIDE:
            return [space for space in free if (space[0] == "siege") == (name == "Siege Engine")]
        if zone == COURT:
            return self._fitting_in_court(name, free)
        return free

    def _fitting_in_court(self, name: str, free: list[Space]) -> list[Space]:
        king, queen, princess = (self.find_in_court(name) for name in ("King", "Queen", "Princess"))
        if name == "Ambassador":
            return free if len(free) == 1 else []
        if name == "Mistress":
            return free if queen is None else []
        if name == "Queen":
            return free if king is None else next_to(free, king)
        if name == "Prince Charming":
            return free if princess is None else next_to(free, princess)
        if name == "Lady in Waiting":
            return next_to(free, queen, princess)
        if name == "King's Counselor":
            return next_to(free, king if king is not None else self.find_in_court("Prince"))
        return free

    # --- protection (K7) ---

    def is_protected(self, space: Space) -> bool:
        """Whether the uncovered card of a pile is protected."""
        card = self.top(space)
        return card.name == "Ambassador" or any(
            (protector.name == "Priest" and self._priest_protects(other, protector, space))
            or (protector.name == "Captain" and self._captain_protects(other, space))
            for other, _, protector in self.cards()
        )

    def _priest_protects(self, at: Space, priest: Card, space: Space) -> bool:
        return space in neighbours(at) and priest.pawn is not None and priest.pawn == self.top(space).pawn

    def _captain_protects(self, at: Space, space: Space) -> bool:
        is_near = rampart_of(at) is not None and rampart_of(at) == rampart_of(space) and at != space
        return is_near and self.top(space).name in SOLDIERS

    # --- targets (K5, K6) ---

    def exposed(self, own: Card, zones: tuple[str, ...]) -> list[Space]:
        """Piles in these zones whose uncovered card is neither protected nor `own`."""
        return [
            space
            for space in self.piles
            if zone_of(space) in zones and self.top(space) is not own and not self.is_protected(space)
        ]

    def destinations(self, space: Space) -> list[Space]:
        """Where the uncovered card of a pile may be moved (K6), whatever protects it."""
        zone = zone_of(space)
        if self.top(space).name == "Knight":
            return [other for other in self.piles if zone_of(other) == zone and other != space]
        return [] if zone == OUTSIDE else self.free(zone)

    def movable(self, names: tuple[str, ...]) -> list[Space]:
        """Piles whose uncovered card bears one of these names and can be moved."""
        return [
            space
            for space in self.piles
            if self.top(space).name in names and not self.is_protected(space) and self.destinations(space)
        ]

    # --- changing ---

    def put(self, card: Card, space: Space) -> None:
        """Lay a card on a space, on top of what lies there."""
        self.piles.setdefault(space, []).append(card)
        if space[0] == "outside":
            self.next_outside = max(self.next_outside, space[1] + 1)

    def lift(self, space: Space) -> Card:
        """Take the uncovered card off a pile."""
        card = self.piles[space].pop()
        if not self.piles[space]:
            del self.piles[space]
        return card


def next_to(spaces: list[Space], *centres: Space | None) -> list[Space]:
    """Those spaces that are adjacent to one of the centres that there are."""
    return [space for space in spaces if any(c is not None and space in neighbours(c) for c in centres)]
