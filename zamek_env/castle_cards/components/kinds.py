"""The 37 kinds of cards by number, and sets of kinds as bits of one integer: constants of the kernels (K1, K2).

Names, zones, copies and genders stand in `data/castle_cards.json`, in this order. `cards.py` compares both: what the
compiled code knows cannot differ from what that file says.
"""

NUM_KINDS = 37
NUM_CARDS = 56
# fmt: off
(
    GHOST, LOOKOUT, MAGICIAN, ARCHER, WITCH, ALCHEMIST,
    SOLDIER, CAPTAIN, TRAITOR,
    MERCHANT, KING, MINSTREL, COURTESAN, QUEEN, PRINCESS, PRINCE, CONSPIRATOR, SPY, AMBASSADOR, THIEF, FOOL,
    VILLAGE_IDIOT, PRIEST, LADY_IN_WAITING, COURTIER, ASSASSIN, COUNSELOR, MISTRESS, PRINCE_CHARMING, BLACK_KNIGHT,
    SIEGE_ENGINE, BARBARIAN, FAIRY, ENCHANTER, DRAGON, HERALD,
    KNIGHT,
) = range(NUM_KINDS)
# fmt: on

COPIES = (*[1] * 6, 13, *[1] * 23, 5, *[1] * 5, 4)
NUM_KNIGHTS = COPIES[KNIGHT]

TOWER_KINDS = (1 << SOLDIER) - (1 << GHOST)
RAMPART_KINDS = (1 << MERCHANT) - (1 << SOLDIER)  # all soldiers
COURT_KINDS = (1 << SIEGE_ENGINE) - (1 << MERCHANT)
OUTSIDE_KINDS = (1 << KNIGHT) - (1 << SIEGE_ENGINE)
FEMALES = (1 << WITCH | 1 << COURTESAN | 1 << QUEEN | 1 << PRINCESS | 1 << LADY_IN_WAITING | 1 << MISTRESS) | 1 << FAIRY
COPIED_KINDS = 1 << SOLDIER | 1 << SIEGE_ENGINE | 1 << KNIGHT  # of which there are several cards
CHOOSY_COURT_KINDS = (  # whose placement has a condition of its own
    1 << QUEEN | 1 << AMBASSADOR | 1 << LADY_IN_WAITING | 1 << COUNSELOR | 1 << MISTRESS | 1 << PRINCE_CHARMING
)
EASY_COURT_KINDS = COURT_KINDS & ~CHOOSY_COURT_KINDS  # that fit on any free space of the court
WITHOUT_EFFECT = (  # which are never said to be void
    1 << AMBASSADOR | 1 << HERALD | 1 << KNIGHT | 1 << PRIEST | 1 << PRINCE | 1 << SIEGE_ENGINE
) | (1 << SOLDIER | 1 << CAPTAIN)
NOT_FOR_TWO = 1 << FOOL | 1 << VILLAGE_IDIOT  # left out where two play (K3)
