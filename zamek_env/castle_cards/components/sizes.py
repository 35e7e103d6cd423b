"""How many there are of everything, and how cards are dealt: constants of the kernels (K1, K3).

The numbers of K3 stand in `data/castle_cards.json` too; `cards.py` compares both.
"""

from zamek_env.castle_cards.components.kinds import COPIES, NUM_CARDS, NUM_KNIGHTS, SIEGE_ENGINE

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
