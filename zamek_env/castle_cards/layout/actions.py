"""The phases of a turn, what is chosen in each, and what each action number means. The one place that says so.

ACTION DESCRIPTION
    number       word                 option
    0            ("draw",)            draw the top card of the own deck
    1            ("decline",)         leave out a part of the effect that may be left out
    2 … 38       ("give", card)       begin to exchange a hand card of that kind
    39 … 75      ("play", card)       begin to play a hand card of that kind
    76 … 112     ("card", card)       a card of that kind: which one depends on the phase
    113 … 152    ("space", space)     a space of the castle, then a slot, see `board.py`
    153 … 199    ("space", space)     the place outside of that rank; a new one comes after the others
    200 … 204    ("level", n)         the card of a pile, 0 at the bottom
    205 … 209    ("player", p)
    210 … 215    ("pawn", p)          a pawn of player p; 215 is ("pawn", None)

    Numbers stand in groups. Within a group an option is a bit of one integer: legal options are `NUM_GROUPS` integers.

PHASES
    ACTION       draw, give, play            K4
    TAKE         card                        of the exchange, for the card given
    PLACE        space                       of the card that is played
    TARGET       space                       what is taken back, removed, put into the exchange or moved outside
    MOVE_FROM    space, perhaps decline      what is moved
    MOVE_TO      space                       where to
    PILE         space                       where a pawn is removed or changed
    LEVEL        level                       of which card there
    SWAP_GIVE    card                        Alchemist: of the hand
    SWAP_TAKE    card                        Alchemist: of the exchange
    PLAYER       player                      Courtesan, Witch
    STEAL_GIVE   card                        Courtesan: of the hand, for the card taken
    AWARD        card                        Witch: of the exchange
    PASS_ON      card                        Fool: of the hand
    COUNSEL      card                        King's Counselor: of the exchange
    ARRANGE      card                        Minstrel: which comes to the next space
    PAWN         pawn                        Spy: which comes to the next card
    FINISH                                   an effect is over; never a decision
    OVER                                     the game is over
"""

from zamek_env.castle_cards.components.box import FIRST_OUTSIDE, MAX_PLAYERS, NUM_KINDS, NUM_LEVELS, NUM_OUTSIDE

(
    ACTION, TAKE, PLACE, TARGET, MOVE_FROM, MOVE_TO, PILE, LEVEL, SWAP_GIVE, SWAP_TAKE, PLAYER, STEAL_GIVE, AWARD,
    PASS_ON, COUNSEL, ARRANGE, PAWN, FINISH, OVER,
) = range(19)  # fmt: skip
PHASE_NAMES = (
    "action", "take", "place", "target", "move from", "move to", "pile", "level", "swap: give", "swap: take", "player",
    "steal: give", "award", "pass on", "counsel", "arrange", "pawn", "finish", "over",
)  # fmt: skip

# groups
BASIC, GIVES, PLAYS, CARDS, BOARD, OUTSIDE, OTHERS = range(7)
NUM_GROUPS = 7
GROUP_SIZES = (2, NUM_KINDS, NUM_KINDS, NUM_KINDS, FIRST_OUTSIDE, NUM_OUTSIDE, NUM_LEVELS + 2 * MAX_PLAYERS + 1)
GROUP_BASES = tuple(sum(GROUP_SIZES[:group]) for group in range(NUM_GROUPS))
NUM_ACTIONS = sum(GROUP_SIZES)

DRAW, DECLINE = 0, 1
GIVE_BASE = GROUP_BASES[GIVES]
PLAY_BASE = GROUP_BASES[PLAYS]
CARD_BASE = GROUP_BASES[CARDS]
SPACE_BASE = GROUP_BASES[BOARD]
LEVEL_BASE = GROUP_BASES[OTHERS]
PLAYER_BASE = LEVEL_BASE + NUM_LEVELS
PAWN_BASE = PLAYER_BASE + MAX_PLAYERS
# bits within the group OTHERS
LEVEL_BIT = 0
PLAYER_BIT = LEVEL_BIT + NUM_LEVELS
PAWN_BIT = PLAYER_BIT + MAX_PLAYERS
NO_PAWN = MAX_PLAYERS  # next to players 0 … 4: the empty place of a pawn
