"""What lies in the box of Castle: the cards, their zones, the deal and the pawns (K2, K3)."""

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
