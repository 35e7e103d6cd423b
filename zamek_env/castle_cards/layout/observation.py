"""The name table of an observation: which entry of the vector holds what, on which scale.

OBSERVATION DESCRIPTION
    An observation is a vector, float32, shape (entries,), of all that one player knows (rule K10) and nothing else. How
    many entries it has follows from the number of players. It may have rows too, see `rows.py`.

    Each entry is `value * scale`, so `value = round(entry / scale)`. Entries are named `group.item` or `group`. Players
    are counted from the observer on: 0 is who observes, 1 the left neighbour, and so on clockwise.

    hand, decision, players, cards, choices, then every space: of the castle row by row, the slots N, E, S, W, and the
    places outside. Outside, a card of which there is only one has entries of its own; Soldiers have theirs in the order
    of age. What the player to decide has chosen so far stands in the observations of that player only, although the
    others know of it too where it is public.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from zamek_env.castle_cards.components import box
from zamek_env.castle_cards.components.cards import NAMES
from zamek_env.castle_cards.layout.actions import FINISH, PHASE_NAMES
from zamek_env.castle_cards.layout.board import COURT, SIDES, TOWERS, WIDTH
from zamek_env.common.checks import check_choice
from zamek_env.layout.observation import ROW_PARTS, Group, Layout, check_parts

PARTS = ROW_PARTS  # that an observation may have, where it is not the vector alone
PLAYERS = range(box.MIN_PLAYERS, box.MAX_PLAYERS + 1)
ACTIONS_SCALE = 0.5  # of the actions left, of which there are two at most
PART_SCALE = 0.125  # of the parts of an effect
QUIET_SCALE = 1 / box.MAX_QUIET_TURNS
CARDS_SCALE = 1 / box.NUM_CARDS
DECK_SCALE = 1 / box.MAX_DECK
PAWN_SCALE = 1 / max(box.PAWN_COUNTS)
LEVEL_SCALE = 1 / box.NUM_LEVELS
OUTSIDE_SCALE = 1 / box.NUM_OUTSIDE
PICKED_SCALE = 1 / box.MAX_PICKED
MAX_ARRANGED = 8  # cards adjacent to the Minstrel
PILE_COLUMNS = ("height", "last", "chosen")  # of a pile, then its pawns, level by level
SINGLE_KINDS = tuple(kind for kind in range(box.NUM_KINDS) if not box.COPIED_KINDS >> kind & 1)
PHASES_SHOWN = (*PHASE_NAMES[:FINISH], *PHASE_NAMES[FINISH + 1 :])  # that an effect is over is never a decision
_COPIES = tuple(1 / copies for copies in box.COPIES)


def check_observation(observation: Sequence[str] | None) -> tuple[str, ...] | None:
    """Return which `PARTS` the argument `observation` names, as `zamek_env.layout.observation.check_parts` does.

    None means the vector alone, as an array and not as part of a dictionary. Raises as `check_parts` does.
    """
    return None if observation is None else check_parts(observation, PARTS)


def list_kinds(kinds: int) -> tuple[int, ...]:
    """Return the kinds in a set, given as bits, in ascending order."""
    return tuple(kind for kind in range(box.NUM_KINDS) if kinds >> kind & 1)


def zone_kinds(space: int) -> tuple[int, ...]:
    """Return the kinds that can lie at the bottom of a pile on that space of the castle."""
    bit = 1 << space
    return list_kinds(box.TOWER_KINDS if TOWERS & bit else box.COURT_KINDS if COURT & bit else box.RAMPART_KINDS)


def find_layout(players: int) -> Layout:
    """Return the `Layout` of the vector in games of `players` players. Raises `ValueError` unless there are 2 to 5."""
    return _make_layout(players if type(players) is int else check_choice("players", players, PLAYERS))


@lru_cache  # to which 2 and 2.0 are the same
def _make_layout(players: int) -> Layout:
    check_choice("players", players, PLAYERS)
    return Layout(
        [
            _cards("hand", "cards in my hand"),
            *_decision_groups(players),
            *_player_groups(players),
            _cards("exchange", "cards in the exchange"),
            _cards("removed", "cards out of the game"),
            _cards("unseen", "cards of which I do not know where they are"),
            *_choice_groups(players),
            *_space_groups(players),
        ]
    )


def _cards(name, meaning):
    return Group(name, NAMES, _COPIES, 1, meaning)


def _decision_groups(players: int) -> Iterator[Group]:
    around = tuple(range(players))
    yield Group("phase", PHASES_SHOWN, 1, 1, "what is decided")
    yield Group("decider", around, 1, 1, "the player to decide; nobody once the game is over")
    yield Group("turn", around, 1, 1, "whose turn it is")
    yield Group("actions_left", (), ACTIONS_SCALE, 2, "actions left of the turn, this one included")
    yield Group("is_first", (), 1, 1, "1 if this is the first action of the turn")
    yield Group("quiet", (), QUIET_SCALE, 1, "turns in a row without a card played")
    yield Group("has_played", (), 1, 1, "1 if a hand card was played in this turn")
    yield Group("effect", NAMES, 1, 1, "the card whose effect is carried out")
    yield Group("part", (), PART_SCALE, 32, "the part of that effect")
    yield Group("is_counseled", (), 1, 1, "1 if a card of the exchange is played")


def _player_groups(players: int) -> Iterator[Group]:
    around = tuple(range(players))
    yield Group("hand_size", around, CARDS_SCALE, 1, "cards in hand")
    yield Group("deck_size", around, DECK_SCALE, 1, "cards in the own deck")
    yield Group("pawns", around, PAWN_SCALE, 1, "pawns left to place")
    for other in around[1:]:
        yield _cards(f"known_{other}", f"cards that I know to be in the hand of player {other}")
    for other in around[1:]:
        yield _cards(f"shown_{other}", f"cards that player {other} knows to be in my hand")


def _choice_groups(players: int) -> Iterator[Group]:
    """Yield the groups of what I have chosen so far in the decision in progress, and of what is left of it."""
    court = tuple(NAMES[kind] for kind in list_kinds(box.COURT_KINDS))
    owners = (*range(players), "none")
    yield Group("card", NAMES, 1, 1, "the card that I give or play, or have taken for the Alchemist")
    yield Group("other", tuple(range(players)), 1, 1, "the player whom I have chosen")
    yield Group("stolen", NAMES, 1, 1, "the card that the Courtesan drew, from me or for me")
    yield Group("passed", NAMES, 1, 1, "the card that I pass on for the Fool")
    yield Group("progress", (), PICKED_SCALE, 32, "decisions made in this part of the effect")
    yield _cards("swapped", "cards that I swap for the Alchemist")
    for number in range(MAX_ARRANGED):
        yield Group(f"arranged_{number}", court, 1, 1, "Minstrel: the card that comes to the space of that rank")
    yield Group("arranging", court, 1, 1, "Minstrel: cards that have no space yet")
    for number in range(box.MAX_PICKED):
        yield Group(f"spied_{number}", owners, 1, 1, "Spy: the pawn that comes to the card of that rank")
    yield Group("spying", owners, PICKED_SCALE, 1, "Spy: pawns and empty places that have no card yet")


def _space_groups(players: int) -> Iterator[Group]:
    pawns = tuple(f"pawn_{level}_{player}" for level in range(box.NUM_LEVELS) for player in range(players))
    common = (*PILE_COLUMNS, *pawns)
    scales = (*(LEVEL_SCALE for _ in PILE_COLUMNS), *(1 for _ in pawns))
    for space in range(box.NUM_GRID):
        kinds = tuple(NAMES[kind] for kind in zone_kinds(space))
        row, column = divmod(space, WIDTH)
        items, scale = (*kinds, *common), (*(1 for _ in kinds), *scales)
        yield Group(f"space_{row}_{column}", items, scale, 1, "the pile on that space")
    for side in SIDES:
        yield Group(f"siege_{side}", common, scales, 1, "the pile on that slot")
    outside = [NAMES[kind] for kind in SINGLE_KINDS]
    outside += [f"{NAMES[box.SOLDIER]}_{number}" for number in range(box.COPIES[box.SOLDIER])]
    for name in outside:
        items, scale = ("rank", *common), (OUTSIDE_SCALE, *scales)
        yield Group(f"outside_{name.replace(' ', '_')}", items, scale, 1, "the pile outside on that card")
