"""The 37 kinds of cards by number, sets of kinds as bits of one integer, and the number of each component.

These are constants of the kernels (K1 to K3). `data/castle_cards.json` holds names, zones, copies, genders, deals and
pawns, with kinds in this order. `cards.py` compares both, so compiled code cannot differ from that file.
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
CHOOSY_KINDS = (  # that do not fit on just any free space of their zone
    GHOST, SIEGE_ENGINE, KNIGHT, QUEEN, AMBASSADOR, LADY_IN_WAITING, COUNSELOR, MISTRESS, PRINCE_CHARMING,
)  # fmt: skip
EASY_KINDS = (1 << NUM_KINDS) - 1 & ~sum(1 << kind for kind in CHOOSY_KINDS)
BY_SPACE = (  # whose effect depends on where they are placed
    RAMPART_KINDS | 1 << COURTIER | 1 << LADY_IN_WAITING | 1 << BLACK_KNIGHT | 1 << GHOST
)
WITHOUT_EFFECT = (  # which are never said to be void
    1 << AMBASSADOR | 1 << HERALD | 1 << KNIGHT | 1 << PRIEST | 1 << PRINCE | 1 << SIEGE_ENGINE
) | (1 << SOLDIER | 1 << CAPTAIN)
NOT_FOR_TWO = 1 << FOOL | 1 << VILLAGE_IDIOT  # left out where two play (K3)

MIN_PLAYERS, MAX_PLAYERS = 2, 5
HAND_SIZES = (0, 0, 9, 7, 5, 5)  # by number of players
DECK_SIZES = (0, 0, 13, 8, 6, 4)
PAWN_COUNTS = (30, 30, 22, 18, 15)  # of players 0 to 4
ACTIONS_A_TURN = 2  # without the Merchant's (K4)
MAX_QUIET_TURNS = 200  # K9

NUM_GRID = 36  # spaces of the castle, 6 x 6
NUM_SLOTS = 4  # for siege engines, one before each rampart
# Any card may come to lie outside by the Fairy; but Knights lie on others, and siege engines in their slots.
NUM_OUTSIDE = NUM_CARDS - NUM_KNIGHTS - COPIES[SIEGE_ENGINE]
FIRST_SLOT = NUM_GRID
FIRST_OUTSIDE = NUM_GRID + NUM_SLOTS
NUM_SPACES = FIRST_OUTSIDE + NUM_OUTSIDE
NUM_LEVELS = NUM_KNIGHTS + 1  # of a pile: a card, and Knights on it
MAX_PICKED = 12  # cards adjacent to the Spy: eight, and four Knights on them
MAX_DECK = max(DECK_SIZES)
