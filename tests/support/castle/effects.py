"""The cards that do something when they are played, and what (the table of effects)."""

from collections.abc import Callable

from tests.support.castle import hands, moves, pawns, targets
from tests.support.castle.deciding import Effect

EFFECTS: dict[str, Callable[..., Effect]] = {
    "Archer": targets.archer,
    "Barbarian": targets.barbarian,
    "Dragon": targets.dragon,
    "Black Knight": targets.black_knight,
    "Courtier": targets.courtier,
    "Lady in Waiting": targets.lady_in_waiting,
    "Queen": targets.queen,
    "Traitor": targets.traitor,
    "Ghost": targets.ghost,
    "King": targets.king,
    "Assassin": targets.assassin,
    "Magician": targets.magician,
    "Enchanter": targets.enchanter,
    "Lookout": moves.lookout,
    "Prince Charming": moves.prince_charming,
    "Princess": moves.princess,
    "Mistress": moves.mistress,
    "Fairy": moves.fairy,
    "Minstrel": moves.minstrel,
    "Merchant": pawns.merchant,
    "Thief": pawns.thief,
    "Conspirator": pawns.conspirator,
    "Spy": pawns.spy,
    "Alchemist": hands.alchemist,
    "Courtesan": hands.courtesan,
    "Fool": hands.fool,
    "Village Idiot": hands.village_idiot,
    "Witch": hands.witch,
    "King's Counselor": hands.counselor,
}
