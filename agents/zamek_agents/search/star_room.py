"""The arrays in which *-minimax searches: a game and a frame for each level, and the table of positions.

A level of the search is a game in `states`, and a frame: what is known of the decision in it, of the choice being
tried, and of the outcome of chance that the next level plays on from.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_env.components.highest_score import bound_score
from zamek_env.core.jit import kernel
from zamek_env.core.tables import find_kind, record_dtype
from zamek_env.records.set_up import MAX_POINTS
from zamek_env.ruleset import Ruleset

_KEYS, _FACTOR = 2**43 - 57, 1_000_003  # a prime; a key times the factor is a whole number of 63 bits
EXACT, AT_LEAST, AT_MOST = 1, 2, 3  # what an entry says of a value; 0: it is empty
ENTRY = record_dtype([("key", np.int64), ("value", np.float64), ("kind", np.int64)])
MAX_TURNS = 4  # that can be searched, this one included
MAX_PROBED = 128  # outcomes of chance that are probed; where there are more, none is
TABLE = 2**16  # entries of the table of positions
_FRAME = record_dtype(
    [
        # the decision
        ("alpha", np.float64),  # the window of its value
        ("beta", np.float64),
        ("low", np.float64),  # the window of the choices not yet tried
        ("high", np.float64),
        ("best", np.float64),
        ("key", np.int64),  # in the table of positions, NONE where it is not kept there
        ("laid", np.int64),  # a hash of the tiles laid, and discarded, since the position to be solved, in order
        # the choice being tried
        ("total", np.float64),  # of the outcomes so far, by their shares
        ("left", np.float64),  # share of the outcomes to come
        ("hoped", np.float64),  # the total of the outcomes to come if each is worth what its probe said
        ("outcome", np.int64),  # the next one
        ("outcomes", np.int64),  # how many there are, those that look the same included
        ("next_laid", np.int64),  # `laid` of the decision to come
        # the outcome being played on
        ("share", np.float64),
        # the decision, again
        ("count", np.int32),  # legal actions
        ("limit", np.int32),  # of them to be tried; fewer where the decision is only probed
        ("number", np.int32),  # of the choice being tried
        ("maximises", np.int32),  # whether it is a decision of the player for whom is reckoned
        # the choice, again
        ("action", np.int32),
        ("tiles", np.int32),  # that may be drawn next, 1 where none is drawn
        ("seconds", np.int32),  # that may be drawn after one that fits nowhere; 1: that is no matter of chance
        ("fits", np.int32),  # whether the tile drawn by the last outcome fits somewhere, or looks like one before
        ("towers", np.int32),  # whose token is taken
        ("is_tried", np.int32),
        ("side", np.int32),  # what probes say: no outcome is worth more (1), none less (-1), nothing (0)
        ("is_probing", np.int32),
    ]
)


@kernel
def is_enough(entry, alpha, beta):
    """Return whether an entry says enough of a value for the window `alpha` … `beta`."""
    if entry.kind == AT_LEAST:
        return entry.value >= beta
    return entry.kind == EXACT or (entry.kind == AT_MOST and entry.value <= alpha)


@kernel
def mix(key, value):
    return (int(key) * _FACTOR + int(value) + 1) % _KEYS


@kernel
def find_key(t, s, laid):
    """Return a number that stands for all that is public at the beginning of a turn and may differ within one search.

    `laid` says which tiles were laid, and which left the game because they fit nowhere.
    """
    key = mix(int(laid), int(s.player))
    key = mix(mix(key, int(s.drawn)), int(find_kind(t, s.deck[s.drawn - 1])))
    for player in range(s.score.size):
        key = mix(key, int(s.score[player]))
        for piece in range(s.follower_area.shape[1]):
            key = mix(key, int(s.follower_area[player, piece]))
        for kind in range(s.tokens.shape[1]):
            key = mix(mix(key, int(s.tokens[player, kind])), int(s.fresh_tokens[player, kind]))
        if s.family_house.size > 0:
            key = mix(key, int(s.family_house[player]))
        if s.nests.size > 0:
            key = mix(key, int(s.nests[player]))
        if s.at_gate.size > 0:
            key = mix(key, int(s.at_gate[player]))
    for area in range(s.area_nests.size):
        key = mix(key, int(s.area_nests[area]))
    for number in range(s.token_deal.size):  # what was seen and what was not, by where it lay
        seen = number < s.tower_taken.size and s.tower_taken[number]
        key = mix(key, 1 + int(s.token_deal[number]) if seen else 0)
    return key


class Room(NamedTuple):
    """All arrays of a search."""

    states: npt.NDArray[np.record]
    logs: npt.NDArray[np.record]
    searches: npt.NDArray[np.record]  # of `_search_dtype`
    frames: npt.NDArray[np.record]  # of `_FRAME`
    entries: npt.NDArray[np.record]  # of `ENTRY`: the table of positions


def make_room(ruleset: Ruleset) -> Room:
    """Return room to search up to `MAX_TURNS` turns of games of `ruleset`."""
    levels = MAX_TURNS * count_levels(ruleset) + 2
    searches = np.zeros(1, _search_dtype(ruleset, levels))
    searches["bound"] = MAX_POINTS + bound_score(ruleset.components)
    return Room(
        ruleset.new_states(levels), ruleset.new_log(), searches, np.zeros(levels, _FRAME), np.zeros(TABLE, ENTRY)
    )


def count_levels(ruleset: Ruleset) -> int:
    """Return how many decisions one turn takes at most.

    These are to choose a tile, place it, send, score each slot of both players, and an extra turn.
    """
    return 2 * ruleset.sizes.slots + 3 + (ruleset.sizes.hand_size > 1)


def _search_dtype(ruleset, levels):
    """Return the dtype of what a search is asked for, and of its room beside games and frames."""
    actions, towers = ruleset.num_actions, max(1, ruleset.sizes.towers)
    return record_dtype(
        [
            ("bound", np.float64),  # no margin is beyond it, either way
            ("promise", np.float64, (levels, actions)),  # of each of `actions`
            ("probed", np.float64, (levels, MAX_PROBED)),  # what the probe of each outcome said
            ("history", np.float64, (MAX_TURNS, actions)),  # by tiles left: how often an action ended a search early
            ("nodes", np.int64),  # decisions and ends looked at
            ("actions", np.int32, (levels, actions)),
            ("taken", np.int32, (levels, towers)),  # towers whose token an action takes
            ("player", np.int32),  # for whom is reckoned
            ("level", np.int32),  # where the search stands
            ("horizon", np.int32),  # tiles drawn at which a turn that begins is evaluated, not played
            ("probes", np.int32),  # choices tried where a decision is probed; 0: none is
            ("best", np.int32),  # the best action of the position searched, so far
            ("is_plain", np.int32),  # without windows, order, table and probes
        ]
    )
