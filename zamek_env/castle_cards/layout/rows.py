"""The name table of rows: what the row of a legal action says of it.

ROW DESCRIPTION
    A row says of one legal action what it does, to which card, and what changes by it, before anybody decides again.
    Its columns are int8, named `group` or `group.item`. Players are counted from the one to decide on: 0 is that
    player, 1 the left neighbour, and so on clockwise.

    `left`, `out`, `bare_…`, `free` and `fitting` say what is there after the action. `most`, `least`, `board`,
    `exchange` and `removed` are differences, after the action less before it.

    A card that is played takes its effect only when its space is chosen, and who is taken back after that. So what
    comes to hands stands in a row twice: at most, and at least. Both are found by trying all spaces where the card may
    be placed, and all cards that its effect may take back first. That holds wherever such a choice is to come.

    Everything follows from what the player to decide knows (rule K10). A card that is drawn or passed unseen is one
    card more in a hand, and nothing else.
"""

from functools import lru_cache

from zamek_env.castle_cards.components.box import NUM_CARDS, NUM_SPACES
from zamek_env.castle_cards.components.cards import NAMES
from zamek_env.castle_cards.layout.actions import FINISH, GIVES, GROUP_SIZES, PHASE_NAMES, PLAYS
from zamek_env.castle_cards.layout.observation import PLAYERS
from zamek_env.common.checks import check_choice
from zamek_env.layout.observation import Group, Layout

DOES = ("draw", "decline", "give", "play", *PHASE_NAMES[1:FINISH])  # the phase, or what an action begins with
CARD_GROUPS = {  # for each use of a card a column a kind, so that what it is worth is learned for each use
    "play": "the card that is played, or may be played next",
    "place": "the card that is laid somewhere",
    "lose": "the card that leaves my hand for another",
    "gain": "the card that comes out of the exchange",
    "meet": "the card on the board that it is done to",
}
CARD_GROUP_OF = {  # what is done: which of them
    "give": "lose", "play": "play", "take": "gain", "place": "place", "target": "meet", "move from": "meet",
    "move to": "place", "pile": "meet", "level": "meet", "swap: give": "lose", "swap: take": "gain",
    "steal: give": "lose", "award": "gain", "pass on": "lose", "counsel": "play", "arrange": "place", "pawn": "meet",
}  # fmt: skip
ZONES = ("towers", "ramparts", "court", "slots")
BARE_ZONES = (*ZONES[:-1], "outside")  # to which the slots belong
BARE = "{}: uncovered, unprotected cards there then with the player's pawn"
NUM_ROWS = 1 + GROUP_SIZES[GIVES] + GROUP_SIZES[PLAYS]  # where an action is due, and other phases have fewer


def find_row_layout(players: int) -> Layout:
    """Return the `Layout` of the columns in games of `players` players. Raises `ValueError` unless there are 2 to 5."""
    return _make_layout(players if type(players) is int else check_choice("players", players, PLAYERS))


@lru_cache  # to which 2 and 2.0 are the same
def _make_layout(players: int) -> Layout:
    check_choice("players", players, PLAYERS)
    around = tuple(range(players))
    cards = NUM_CARDS
    return Layout(
        [
            Group("does", DOES, 1, 1, "what is done, by its phase"),
            *(Group(name, NAMES, 1, 1, meaning) for name, meaning in CARD_GROUPS.items()),
            Group("fits", (), 1, NUM_SPACES, "spaces where that card fits now, if it is of a hand or the exchange"),
            Group(
                "whose",
                (*around, "none"),
                1,
                cards,
                "whose pawn lies on the uncovered card or can be chosen; who is chosen",
            ),
            Group("most", around, 1, cards, "cards that come to the hand, at most"),
            Group("least", around, 1, cards, "cards that come to the hand, at least"),
            Group("left", around, 1, cards, "cards that the player may have left in hand and deck, at least"),
            Group("out", around, 1, 1, "1 if the player may have none left"),
            Group("board", around, 1, cards, "cards on the board that come to bear the player's pawn"),
            *(Group(f"bare_{zone}", around, 1, cards, BARE.format(zone)) for zone in BARE_ZONES),
            Group("exchange", (), 1, cards, "cards that come to the exchange"),
            Group("removed", (), 1, 1, "1 if the card leaves the game"),
            Group("free", ZONES, 1, NUM_SPACES, "free spaces then"),
            Group("fitting", (), 1, cards, "cards in my hand now that fit somewhere then"),
        ]
    )
