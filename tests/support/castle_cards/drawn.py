"""Positions of Castle, the card game, drawn as text, and played on by one engine or another.

    . . . . . .             six rows of the grid, north first: `.` is an empty space, `So0` a Soldier with a pawn of
    . Ki0 . . . .           player 0, `Qu` a Queen without a pawn, `So0/Kn1` a Soldier under a Knight
    . . . . . .             rows of empty spaces at the end may be left out
    outside: Dr1, He        outside 0, outside 1, …
    siege: N SE0, E SE1     siege engines by side
    hand 0: King, Archer    hands are empty if not named
    deck 1: Soldier, Spy    from the top down; one Soldier if not named, `none` for an empty one
    exchange: Fool          empty if not named
    last: 1,1               where the card lies that was played last
    turn: 1, 1 left         the player of the turn, and how many actions are left; `0, 2 left` if not named
    quiet: 199              turns in a row without a card played

Cards that are drawn nowhere have been removed from the game.
"""

import random
import re
from collections import Counter
from itertools import chain
from typing import Any

from tests.support.castle_cards.compiled_engine import CompiledCastleCards
from tests.support.castle_cards.reference.board import GRID, ZONE, Space, list_cards
from tests.support.castle_cards.reference.reference import CastleCardsReference, Position, as_lists

SHORT = {
    "Al": "Alchemist", "Am": "Ambassador", "Ar": "Archer", "As": "Assassin", "Ba": "Barbarian", "BK": "Black Knight",
    "Ca": "Captain", "Co": "Conspirator", "Cn": "Courtesan", "Cr": "Courtier", "Dr": "Dragon", "En": "Enchanter",
    "Fa": "Fairy", "Fo": "Fool", "Gh": "Ghost", "He": "Herald", "Ki": "King", "KC": "King's Counselor",
    "Kn": "Knight", "LW": "Lady in Waiting", "Lo": "Lookout", "Ma": "Magician", "Me": "Merchant", "Mi": "Minstrel",
    "Ms": "Mistress", "Pr": "Priest", "Pi": "Prince", "PC": "Prince Charming", "Ps": "Princess", "Qu": "Queen",
    "SE": "Siege Engine", "So": "Soldier", "Sp": "Spy", "Th": "Thief", "Tr": "Traitor", "VI": "Village Idiot",
    "Wi": "Witch",
}  # fmt: skip
ABBREVIATION = {name: short for short, name in SHORT.items()}
NOT_NAMED = ["Soldier"]  # a deck


ENGINES = {
    "reference": lambda position: CastleCardsReference.at(position, random.Random(0).choice),
    "fast": CompiledCastleCards.at,
}


class DrawnCastleCards:
    """A game of so many players that goes on from a drawn position, on one of the engines."""

    def __init__(self, text: str, players: int = 3, engine: str = "reference"):
        self.game: Any = ENGINES[engine](read_position(text, players))

    # --- deciding ---

    def choose(self, *options: tuple) -> "DrawnCastleCards":
        """Answer decisions one after the other; those with a single option are not asked."""
        for option in options:
            assert option in self.options, f"{option} is no option: {sorted(self.options, key=str)}"
            self.game.play(option)
        return self

    def play(self, card: str, at: Space | None = None) -> "DrawnCastleCards":
        """Play a hand card to a space, which may be left out where only one fits; neither may have been asked for."""
        if not self._played(card) and self.game.phase == "action":
            self.choose(("play", card))
        if not self._played(card):
            self.choose(("space", at))
        assert at is None or self._played(card)[-1] == list(at), f"{card} was not played to {at}: {self.steps}"
        return self

    def _played(self, card: str) -> list:
        """Where a card was played from a hand, each time."""
        plays = [step for step in self.steps if step["do"] == "play" and "from" not in step]
        return [step["at"] for step in plays if step["card"] == card]

    def space(self, *spaces: Space) -> "DrawnCastleCards":
        """Choose spaces one after the other."""
        return self.choose(*(("space", space) for space in spaces))

    def card(self, *cards: str) -> "DrawnCastleCards":
        """Choose cards one after the other."""
        return self.choose(*(("card", card) for card in cards))

    # --- looking ---

    @property
    def options(self) -> set[tuple]:
        return self.game.options()

    @property
    def spaces(self) -> set[Space]:
        """The spaces among the options."""
        return {option[1] for option in self.options if option[0] == "space"}

    @property
    def cards(self) -> set[str]:
        """The cards among the options."""
        return {option[1] for option in self.options if option[0] == "card"}

    @property
    def plays(self) -> set[str]:
        """The hand cards that may be played."""
        return {option[1] for option in self.options if option[0] == "play"}

    @property
    def piles(self) -> dict[Space, list[tuple[str, int | None]]]:
        return self.game.piles

    def at(self, space: Space) -> str:
        """A pile as it is drawn, "." if there is none."""
        return (
            "/".join(f"{ABBREVIATION[name]}{'' if pawn is None else pawn}" for name, pawn in self.piles.get(space, []))
            or "."
        )

    def hand(self, player: int) -> list[str]:
        """A hand in the order of the alphabet."""
        return sorted(self.game.hands[player])

    @property
    def exchange(self) -> list[str]:
        """The exchange in the order of the alphabet."""
        return sorted(self.game.exchange)

    @property
    def steps(self) -> list[dict]:
        """What has happened since the position drawn, as records have it."""
        return [step for turn in as_lists(self.game.turns) for step in turn["steps"]]

    @property
    def done(self) -> list[str]:
        """The kinds of these steps."""
        return [step["do"] for step in self.steps]


def read_position(text: str, players: int) -> Position:
    """Return the position that a text draws."""
    lines = [line.strip() for line in text.strip().splitlines()]
    rows = [line.split() for line in lines if ":" not in line]
    sections = dict(line.split(":", 1) for line in lines if ":" in line)
    assert len(rows) <= 6 and all(len(row) == 6 for row in rows), "a row of the grid has six spaces"
    known = {"outside", "siege", "exchange", "last", "turn", "quiet"}
    known |= {f"{what} {player}" for what in ("hand", "deck") for player in range(players)}
    assert set(sections) <= known, f"nobody knows what {set(sections) - known} is"
    piles = {space: read_pile(pile) for space, pile in zip(GRID, chain(*rows), strict=False) if pile != "."}
    for number, pile in enumerate(split(sections.get("outside", ""))):
        piles["outside", number] = read_pile(pile)
    for entry in split(sections.get("siege", "")):
        piles["siege", entry[0]] = read_pile(entry[2:])
    turn = re.fullmatch(r"(\d), (\d) left", sections.get("turn", "0, 2 left").strip())
    assert turn, f"{sections['turn']!r} is no turn"
    hands = [read_cards(sections.get(f"hand {player}", "")) for player in range(players)]
    decks = [read_cards(sections[f"deck {p}"]) if f"deck {p}" in sections else list(NOT_NAMED) for p in range(players)]
    exchange = read_cards(sections.get("exchange", ""))
    drawn = Counter(card for cards in [*hands, *decks, exchange] for card in cards)
    drawn.update(name for pile in piles.values() for name, _ in pile)
    box = Counter(list_cards(players))
    assert drawn <= box, f"more than there are: {drawn - box}"
    return Position(
        hands=hands,
        decks=decks,
        exchange=exchange,
        piles=piles,
        removed=sorted((box - drawn).elements()),
        turn_player=int(turn[1]),
        actions_left=int(turn[2]),
        is_first=turn[2] == "2",
        last_played=read_space(sections["last"].strip()) if "last" in sections else None,
        quiet_turns=int(sections.get("quiet", 0)),
    )


def split(text: str) -> list[str]:
    """What commas part."""
    return [part.strip() for part in text.split(",") if part.strip()]


def read_cards(text: str) -> list[str]:
    """Return cards by their full names, `none` for no card."""
    cards = [] if text.strip() == "none" else split(text)
    assert set(cards) <= set(ZONE), f"nobody knows what {set(cards) - set(ZONE)} is"
    return cards


def read_pile(text: str) -> list[tuple[str, int | None]]:
    """Return the cards and pawns of a pile from the bottom up."""
    found = [re.fullmatch(r"([A-Z][A-Za-z])(\d?)", card) for card in text.split("/")]
    assert all(found), f"{text!r} is no pile"
    return [(SHORT[card[1]], int(card[2]) if card[2] else None) for card in found if card]


def read_space(text: str) -> Space:
    """Return a space from such as `1,1`, `outside 0` or `siege N`."""
    if "," in text:
        row, col = text.split(",")
        return int(row), int(col)
    zone, which = text.split()
    return zone, int(which) if zone == "outside" else which
