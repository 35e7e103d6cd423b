"""*-minimax: expectiminimax with windows, over every outcome of chance, to the end of the game or to a horizon.

A node is a decision; between two decisions lies chance, where the action of the first reveals a tile or tokens. Which
tile is drawn next is one of those left, a token taken one of those nobody has seen (rule Z31). Where three tiles are
left, the one drawn after a tile that fits nowhere (rule Z9) is chance too; where more are left, it is not. Windows are
those of alpha-beta, and at chance those of Star1: an outcome needs no exact value once the others, at their best or
worst, decide. Before that, Star2 probes each outcome: a few of the choices of the player who is to move there say what
it is worth at most (or at least), and that often decides. With more than one choice this is called Star2.5. Positions
at the beginning of a turn are kept in a table under a hash of all that is public.

The arrays are those of `star_room.py`. There is no recursion, for compiled code that calls itself in a circle cannot be
kept on disk. So a search can also be interrupted, and go on later.

B. W. Ballard, The *-minimax search procedure for trees containing chance nodes, Artificial Intelligence 21 (1983).
T. Hauk, M. Buro and J. Schaeffer, Rediscovering *-minimax search, Computers and Games 2004.
"""

import numpy as np

from zamek_agents.search.star_chance import count_hidden, list_taken, reveal, reveal_second
from zamek_agents.search.star_room import AT_LEAST, AT_MOST, EXACT, MAX_PROBED, MAX_TURNS, find_key, is_enough, mix
from zamek_env.core import greedy
from zamek_env.core.chance import forget_hidden
from zamek_env.core.jit import kernel
from zamek_env.core.legality import list_actions
from zamek_env.core.rules import step
from zamek_env.core.state import copy_state
from zamek_env.core.tables import NONE, find_kind
from zamek_env.layout.actions import OVER, PLACE

SMALL = 1e-9  # a share that is none, but for rounding
_FEW = 3  # tiles left, of which the second one to be drawn is chance too: with more it hardly ever is drawn in a turn
_DISCARDED = 1000  # added to the kind of a tile that fits nowhere: more than there are kinds


@kernel
def begin(tables, room):
    """Begin to search for the best action of `states[0]`, whose hidden part is put in order, and forget all before."""
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
    """Search on, for about so many nodes; return whether all is searched. Then `frames[0].best` is the value."""
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
    """End the decision of a level, and hand its worth to the one before; return the level of that, or -1."""
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
    """Return what a decision is worth, and keep it in the table of positions."""
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

    While tiles are left, a placement is tried; elsewhere those promise most that ended searches early before.
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
    """Return the action that promises most of those from `number` on, which is put there."""
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
    """Begin anew with the outcomes of the choice being tried."""
    frame.outcome = 0
    frame.total, frame.left = 0.0, 1.0


@kernel
def _play_outcome(t, room, level):
    """Play the choice with the next outcome in `states[level + 1]`, and write the window for it there.

    Returns False where the outcome looks like one before, or shows that probes say nothing.
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
    """Add the value of an outcome to that of the choice; where this decides the choice, take note of that too."""
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
    """Take note of what the choice being tried is worth, or of a bound on it where that is enough."""
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
