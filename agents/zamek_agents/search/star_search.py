"""*-minimax: expectiminimax with windows, over every outcome of chance, to the end of the game or to a horizon.

A node is a decision; between two decisions lies chance, where the action of the first reveals a tile or tokens. Which
tile is drawn next is one of those left, a token taken one of those nobody has seen (rule Z31). Where three tiles are
left, the one drawn after a tile that fits nowhere (rule Z9) is chance too; where more are left, it is not. Windows are
those of alpha-beta, and at chance those of Star1: an outcome needs no exact value once the others, at their best or
worst, decide. Before that, Star2 probes each outcome: a few of the choices of the player to move there say what it is
worth at most (or at least), and that often decides. With more than one choice this is called Star2.5. Positions at the
beginning of a turn are kept in a transposition table under a hash of all that is public.

A level of the search is a game in `states`, and a frame: the state of the decision in it, of the choice being tried,
and of the outcome of chance from which the next level goes on. There is no recursion, for mutually recursive compiled
code cannot be kept on disk. So a search can also be interrupted and resumed.

B. W. Ballard, The *-minimax search procedure for trees containing chance nodes, Artificial Intelligence 21 (1983).
T. Hauk, M. Buro and J. Schaeffer, Rediscovering *-minimax search, Computers and Games 2004.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_env.base.records import NONE, record_dtype
from zamek_env.compiler.jit import kernel
from zamek_env.components.highest_score import bound_score
from zamek_env.core import greedy
from zamek_env.core.dealing import forget_hidden
from zamek_env.core.legality import list_actions
from zamek_env.core.rules import step
from zamek_env.core.state import copy_state
from zamek_env.core.tables import find_kind
from zamek_env.layout.actions import OVER, PLACE
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
SMALL = 1e-9  # a share that is none, but for rounding
_FEW = 3  # tiles left, of which the second one to be drawn is chance too: with more it hardly ever is drawn in a turn
_DISCARDED = 1000  # added to the kind of a tile that fits nowhere: more than there are kinds


@kernel
def list_taken(before, s, towers):
    """Write the towers whose tokens were taken between two states into `towers`; return how many there are."""
    count = 0
    for tower in range(s.tower_taken.size):
        if s.tower_taken[tower] and not before.tower_taken[tower]:
            towers[count] = tower
            count += 1
    return count


@kernel
def count_hidden(s):
    """Return how many tokens nobody has seen."""
    hidden = int(s.token_deal.size)
    for tower in range(s.tower_taken.size):
        hidden -= s.tower_taken[tower] != 0
    return hidden


@kernel
def reveal(t, s, towers, tiles, outcome):
    """Set the outcome of that number as the next tile and the tokens on `towers`; return its share.

    The share is 0 where an outcome of a lower number looks the same. Writes `deck` and `token_deal`.
    """
    share = _draw_tile(t, s, int(s.drawn), outcome % tiles) if tiles > 1 else 1.0
    number, hidden = outcome // tiles, count_hidden(s)
    for place in range(towers.size):
        share *= _draw_token(s, towers, place, number % hidden)
        number //= hidden
    return share


@kernel
def reveal_second(t, s, second):
    """Set the tile of that number, of those after the next, as the one after it; return its share as `reveal` does.

    Writes `deck`.
    """
    return _draw_tile(t, s, int(s.drawn) + 1, second)


@kernel
def _draw_tile(t, s, first, choice):
    """Put one of the tiles of the deck from `first` on there; return the share of its kind among them.

    The share is 0 if another was the first of that kind.
    """
    chosen = first + choice
    kind, same = find_kind(t, s.deck[chosen]), 0
    for number in range(first, s.deck.size):
        if find_kind(t, s.deck[number]) == kind:
            if number < chosen:
                return 0.0
            same += 1
    tile = int(s.deck[first])
    s.deck[first] = s.deck[chosen]
    s.deck[chosen] = tile
    return same / (s.deck.size - first)


@kernel
def _draw_token(s, towers, place, choice):
    """Put that one of the hidden tokens on `towers[place]`; return the share of its kind, 0 as in `_draw_tile`.

    Those on the towers before `place` have been drawn.
    """
    chosen, count, same = NONE, 0, 0
    for number in range(s.token_deal.size):
        if _is_left(s, towers, place, number):
            if count == choice:
                chosen = number
            count += 1
    if chosen == NONE:
        return 0.0
    kind = int(s.token_deal[chosen])
    for number in range(s.token_deal.size):
        if _is_left(s, towers, place, number) and s.token_deal[number] == kind:
            if number < chosen:
                return 0.0
            same += 1
    s.token_deal[chosen] = s.token_deal[towers[place]]
    s.token_deal[towers[place]] = kind
    return same / count


@kernel
def _is_left(s, towers, place, number):
    """Return whether nobody has seen the token of that number in the deal, and it is not one drawn before `place`."""
    for earlier in range(place):
        if towers[earlier] == number:
            return False
    return number >= s.tower_taken.size or not s.tower_taken[number]


@kernel
def is_enough(entry, alpha, beta):
    """Return whether an entry of the table suffices for the window `alpha` … `beta`."""
    if entry.kind == AT_LEAST:
        return entry.value >= beta
    return entry.kind == EXACT or (entry.kind == AT_MOST and entry.value <= alpha)


@kernel
def mix(key, value):
    return (int(key) * _FACTOR + int(value) + 1) % _KEYS


@kernel
def find_key(t, s, laid):
    """Return a key of all that is public at the beginning of a turn and may differ within one search.

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
    """Return memory to search up to `MAX_TURNS` turns of games of `ruleset`."""
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
    """Return the dtype of the settings of a search, and of its memory besides games and frames."""
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


@kernel
def begin(tables, room):
    """Begin to search for the best action of `states[0]`, whose hidden part is put in order, and clear all memory."""
    search, frame = room.searches[0], room.frames[0]
    forget_hidden(room.states[0], NONE)
    search.player = room.states[0].player
    search.nodes = search.level = 0
    search.history.fill(0.0)
    search.best = NONE
    for number in range(room.entries.size):
        room.entries[number].kind = 0
    _open(frame, -np.inf, np.inf, True)
    frame.laid = 0
    frame.count = frame.limit = _list_actions(tables[0], room, 0)


@kernel
def begin_with(room, action):
    """Begin to search for the value of `action` alone, in the position and with the table that `begin` left."""
    search, frame = room.searches[0], room.frames[0]
    search.level = 0
    _open(frame, -np.inf, np.inf, True)
    frame.count = frame.limit = 1
    search.actions[0, 0] = action


@kernel
def go_on(tables, room, nodes):
    """Search on for about `nodes` nodes; return whether the search is complete. Then `frames[0].best` is the value."""
    t, search = tables[0], room.searches[0]
    level, most = int(search.level), search.nodes + nodes
    while level >= 0:
        frame = room.frames[level]
        if not frame.is_tried:
            if frame.number >= frame.limit or frame.low >= frame.high:
                level = _leave(room, level)
                continue
            if search.nodes >= most:
                break
            _begin_choice(t, room, level)
        if not _play_outcome(t, room, level):
            continue
        is_known, value = _enter(t, room, level + 1)
        if is_known:
            _take_value(room, level, value)
        else:
            level += 1
    search.level = level
    return level < 0


# --- decisions ---


@kernel
def _enter(t, room, level):
    """Begin with the game in `states[level]`, in the window of its frame; return (whether its value is known, it)."""
    s, search, frame = room.states[level], room.searches[0], room.frames[level]
    player = int(search.player)
    search.nodes += 1
    if s.phase == OVER:
        return True, float(s.score[player]) - float(s.score[1 - player])
    if _is_at_horizon(s, search):
        return True, greedy.evaluate(t, s, player)
    key = find_key(t, s, frame.laid) if s.phase == PLACE and not search.is_plain else NONE
    entry = room.entries[key % room.entries.size]
    if key != NONE and entry.key == key and is_enough(entry, frame.alpha, frame.beta):
        return True, float(entry.value)
    _open(frame, float(frame.alpha), float(frame.beta), int(s.player) == player)
    frame.key = key
    frame.count = frame.limit = _list_actions(t, room, level)
    if room.frames[level - 1].is_probing:
        frame.limit = min(int(frame.count), int(search.probes))
    return False, 0.0


@kernel
def _leave(room, level):
    """End the decision of a level, and pass its worth to the level before; return that level, or -1."""
    value = _close(room, room.frames[level])
    if level > 0:
        _take_value(room, level - 1, value)
    return level - 1


@kernel
def _is_at_horizon(s, search):
    return s.phase == PLACE and s.drawn >= search.horizon


@kernel
def _open(frame, alpha, beta, maximises):
    """Begin a decision in that window, before any choice is tried."""
    frame.alpha, frame.beta = alpha, beta
    frame.low, frame.high = alpha, beta
    frame.maximises = 1 if maximises else 0
    frame.best = -np.inf if maximises else np.inf
    frame.key = NONE
    frame.number = 0
    frame.is_tried = 0
    frame.is_probing = 0


@kernel
def _close(room, frame):
    """Return the worth of a decision, and keep it in the table of positions."""
    best = float(frame.best)
    if frame.key != NONE:
        entry = room.entries[frame.key % room.entries.size]
        entry.key, entry.value = frame.key, best
        entry.kind = AT_MOST if best <= frame.alpha else AT_LEAST if best >= frame.beta else EXACT
        if entry.kind == EXACT and frame.limit < frame.count:  # some choices were not tried
            entry.kind = AT_LEAST if frame.maximises else AT_MOST
    return best


@kernel
def _list_actions(t, room, level):
    """List the legal actions of `states[level]` with what each promises to the mover; return how many there are.

    While tiles are left, placements are tried; otherwise actions that caused cutoffs before promise most.
    """
    states, search = room.states, room.searches[0]
    s, count = states[level], list_actions(t, states[level], search.actions[level])
    left = int(s.deck.size) - int(s.drawn)
    for number in range(count):
        action = int(search.actions[level, number])
        search.promise[level, number] = search.history[min(left, MAX_TURNS - 1), action]
        if s.phase == PLACE and left > 0 and not search.is_plain:
            copy_state(states, level, states, level + 1)
            step(t, states[level + 1], room.logs[0], action)
            search.promise[level, number] = greedy.evaluate(t, states[level + 1], int(s.player))
    return count


@kernel
def _take_next(search, level, number, count):
    """Return the most promising action of those from `number` on, and swap it to `number`."""
    actions, promise = search.actions[level], search.promise[level]
    most = number
    for other in range(number + 1, count):
        if promise[other] > promise[most]:
            most = other
    action, worth = int(actions[most]), promise[most]
    actions[most], promise[most] = actions[number], promise[number]
    actions[number], promise[number] = action, worth
    return action


# --- chance ---


@kernel
def _begin_choice(t, room, level):
    """Try the next choice of `states[level]`: note what it may reveal."""
    states, search, frame = room.states, room.searches[0], room.frames[level]
    frame.action = _take_next(search, level, int(frame.number), int(frame.count))
    before, s = states[level], states[level + 1]
    copy_state(states, level, states, level + 1)
    step(t, s, room.logs[0], int(frame.action))
    laid = int(frame.laid)
    if before.phase == PLACE:
        laid = mix(mix(laid, find_kind(t, before.deck[before.drawn - 1])), frame.action)
    frame.next_laid = laid
    draws = s.drawn > before.drawn and before.drawn + 1 < search.horizon
    frame.towers = list_taken(before, s, search.taken[level])
    frame.tiles = int(before.deck.size) - int(before.drawn) if draws else 1
    frame.seconds = frame.tiles - 1 if frame.tiles == _FEW else 1
    frame.outcomes = frame.seconds * frame.tiles * count_hidden(before) ** int(frame.towers)
    frame.side = 0
    if 1 < frame.outcomes <= MAX_PROBED and search.probes > 0 and s.phase != OVER:
        frame.side = -1 if s.player == search.player else 1
    may_end = (frame.side == 1 and frame.low > -np.inf) or (frame.side == -1 and frame.high < np.inf)
    frame.is_probing = 1 if may_end else 0
    frame.side = frame.side if may_end else 0
    frame.hoped = 0.0
    frame.is_tried = 1
    _restart(frame)


@kernel
def _restart(frame):
    """Start over with the outcomes of the choice being tried."""
    frame.outcome = 0
    frame.total, frame.left = 0.0, 1.0


@kernel
def _play_outcome(t, room, level):
    """Play the choice with the next outcome in `states[level + 1]`, and write the window for it there.

    Returns False where the outcome looks like one before, or shows that probes tell nothing.
    """
    states, search, frame, child = room.states, room.searches[0], room.frames[level], room.frames[level + 1]
    s, drawn = states[level + 1], int(states[level].drawn)
    outcome, second = int(frame.outcome) // int(frame.seconds), int(frame.outcome) % int(frame.seconds)
    frame.outcome += 1
    if second > 0 and frame.fits:
        return False
    copy_state(states, level, states, level + 1)
    share = reveal(t, s, search.taken[level][: int(frame.towers)], int(frame.tiles), outcome)
    frame.fits = 1
    if share == 0.0:
        return False
    share_then = reveal_second(t, s, second) if frame.seconds > 1 else 1.0
    step(t, s, room.logs[0], int(frame.action))
    if s.drawn > drawn + 1:
        frame.fits = 0
        share *= share_then
        if share == 0.0:
            return False
    child.laid = frame.next_laid
    for number in range(drawn, int(s.drawn) - 1):
        child.laid = mix(child.laid, _DISCARDED + find_kind(t, s.deck[number]))
    if frame.is_probing and s.phase != OVER and (s.player == search.player) != (frame.side == -1):
        frame.side = frame.is_probing = 0  # another player moves there
        _restart(frame)
        return False
    frame.share = share
    frame.left -= share
    if frame.side != 0 and not frame.is_probing:
        frame.hoped -= share * search.probed[level, frame.outcome - 1]
    child.alpha = (frame.low - frame.total - _find_most(search, frame)) / share
    child.beta = (frame.high - frame.total - _find_least(search, frame)) / share
    if frame.is_probing and frame.side == 1:
        child.beta = np.inf  # so that what a probe says is no less than the value
    elif frame.is_probing:
        child.alpha = -np.inf
    return True


@kernel
def _find_most(search, frame):
    """Return the most that the outcomes to come can add."""
    return frame.hoped if frame.side == 1 and not frame.is_probing else frame.left * search.bound


@kernel
def _find_least(search, frame):
    """Return the least that the outcomes to come can add."""
    return frame.hoped if frame.side == -1 and not frame.is_probing else -frame.left * search.bound


@kernel
def _take_value(room, level, value):
    """Add the value of an outcome to that of the choice; if this decides the choice, note that too."""
    search, frame, child = room.searches[0], room.frames[level], room.frames[level + 1]
    frame.total += frame.share * value
    is_last = frame.left <= SMALL
    worth = float(frame.total)
    if frame.is_probing:
        search.probed[level, frame.outcome - 1] = value
        fails = value <= child.alpha if frame.side == 1 else value >= child.beta
        if not fails:
            if is_last:  # all are probed, and the choice may still be good
                frame.hoped = frame.total
                frame.is_probing = 0
                _restart(frame)
            return
    elif not is_last and child.alpha < value < child.beta:
        return
    if not is_last:
        worth += _find_most(search, frame) if value <= child.alpha else _find_least(search, frame)
    _take_choice(room, level, worth)


@kernel
def _take_choice(room, level, worth):
    """Note the worth of the choice being tried, or a bound on it if that is enough."""
    search, frame = room.searches[0], room.frames[level]
    if level == 0 and worth > frame.best + SMALL:  # an equal bound may lie above by rounding
        search.best = frame.action
    frame.best = max(float(frame.best), worth) if frame.maximises else min(float(frame.best), worth)
    if not search.is_plain and frame.maximises:
        frame.low = max(float(frame.low), float(frame.best))
    elif not search.is_plain:
        frame.high = min(float(frame.high), float(frame.best))
    if frame.low >= frame.high:
        s = room.states[level]
        left = int(s.deck.size) - int(s.drawn)
        search.history[min(left, MAX_TURNS - 1), frame.action] += 1.0
    frame.number += 1
    frame.is_tried = 0
    frame.is_probing = 0
