"""Exact values of the last turns: expectiminimax over every deal of what is hidden.

A node is a decision; between two decisions lies chance, where the action of the first reveals a tile or tokens. Which
tile is drawn next is one of those left, a token taken one of those nobody has seen (rule Z31). Windows are those of
alpha-beta, and at chance those of Star1: an outcome needs no exact value once the others, at their best or worst,
decide. Positions at the beginning of a turn are kept in a table under a hash of all that is public.

A level of the search is a game in `states`, and a frame: what is known of the decision in it, of the choice being
tried, and of the outcome of chance that the next level plays on from. There is no recursion, for compiled code that
calls itself in a circle cannot be kept on disk.

B. W. Ballard, The *-minimax search procedure for trees containing chance nodes, Artificial Intelligence 21 (1983).
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.search.expectimax_search import count_levels
from zamek_agents.suites.endgame_chance import count_hidden, list_taken, reveal
from zamek_agents.suites.endgame_table import AT_LEAST, AT_MOST, ENTRY, EXACT, find_key, is_enough, mix
from zamek_env import Game
from zamek_env.components.highest_score import bound_score
from zamek_env.core import greedy
from zamek_env.core.jit import kernel
from zamek_env.core.legality import list_actions
from zamek_env.core.rules import step
from zamek_env.core.state import copy_state
from zamek_env.core.tables import NONE, find_kind, record_dtype
from zamek_env.layout.actions import OVER, PLACE
from zamek_env.records.set_up import MAX_POINTS
from zamek_env.ruleset import Ruleset

MAX_LEFT = 2  # tiles not yet drawn: with the one to be placed, the last three
TABLE = 2**16  # entries of the table of positions
SMALL = 1e-9  # a share that is none, but for rounding
_FRAME = record_dtype(
    [
        # the decision
        ("alpha", np.float64),  # the window of its value
        ("beta", np.float64),
        ("low", np.float64),  # the window of the choices not yet tried
        ("high", np.float64),
        ("best", np.float64),
        ("key", np.int64),  # in the table of positions, NONE where it is not kept there
        ("laid", np.int64),  # a hash of the tiles laid since the position to be solved, in order
        # the choice being tried
        ("total", np.float64),  # of the outcomes so far, by their shares
        ("left", np.float64),  # share of the outcomes to come
        ("outcome", np.int64),  # the next one
        ("outcomes", np.int64),  # how many there are, those that look the same included
        # the outcome being played on
        ("share", np.float64),
        # the decision, again
        ("count", np.int32),  # legal actions
        ("number", np.int32),  # of the choice being tried
        # the choice, again
        ("action", np.int32),
        ("tiles", np.int32),  # that may be drawn next, 1 where none is drawn
        ("towers", np.int32),  # whose token is taken
        ("is_tried", np.int32),
    ]
)


class Room(NamedTuple):
    """The arrays in which a search takes place."""

    states: npt.NDArray[np.record]
    logs: npt.NDArray[np.record]
    searches: npt.NDArray[np.record]  # of `_search_dtype`
    frames: npt.NDArray[np.record]  # of `_FRAME`
    entries: npt.NDArray[np.record]  # of `ENTRY`: the table of positions


class Solver:
    """Solves positions of a `Ruleset` with at most `MAX_LEFT` tiles to be drawn.

    `plain` leaves out windows, order and table: slow, and easy to trust.
    """

    def __init__(self, ruleset: Ruleset, plain: bool = False) -> None:
        levels = (MAX_LEFT + 1) * count_levels(ruleset) + 2
        searches = np.zeros(1, _search_dtype(ruleset, levels))
        searches["bound"] = MAX_POINTS + bound_score(ruleset.components)
        searches["is_plain"] = plain
        frames, entries = np.zeros(levels, _FRAME), np.zeros(TABLE, ENTRY)
        self._room = Room(ruleset.new_states(levels), ruleset.new_log(), searches, frames, entries)
        self._tables = ruleset.tables

    def solve(self, game: Game) -> npt.NDArray[np.float64]:
        """Return by how much the player to decide wins after each legal action, ascending, if both play perfectly.

        Raises `ValueError` where more than `MAX_LEFT` tiles are left.
        """
        left = game.ruleset.sizes.tiles - int(game.raw_states["drawn"][0])
        if left > MAX_LEFT:
            raise ValueError(f"game must have at most {MAX_LEFT} tiles to be drawn, not {left}")
        actions = np.array(game.legal_actions(), np.int64)
        values: Any = np.zeros(actions.size)
        self._room.entries["kind"] = 0
        self._room.searches["history"] = 0
        copy_state(game.raw_states, 0, self._room.states, 0)
        _solve_each(self._tables, self._room, actions, values)
        return values

    @property
    def nodes(self) -> int:
        """How many decisions and ends were looked at for the position solved last."""
        return int(self._room.searches["nodes"][0])


def _search_dtype(ruleset: Ruleset, levels: int) -> np.dtype[np.record]:
    """Return the dtype of the room of a search."""
    sizes = ruleset.sizes
    return record_dtype(
        [
            ("bound", np.float64),  # no margin is beyond it, either way
            ("promise", np.float64, (levels, ruleset.num_actions)),  # of each of `actions`
            (
                "history",
                np.float64,
                (MAX_LEFT + 1, ruleset.num_actions),
            ),  # by tiles left: how often an action ended a search early
            ("nodes", np.int64),
            ("actions", np.int32, (levels, ruleset.num_actions)),
            ("taken", np.int32, (levels, max(1, sizes.towers))),  # towers whose token an action takes
            ("player", np.int32),  # for whom is reckoned
            ("is_plain", np.int32),
        ]
    )


@kernel
def _solve_each(tables, room, actions, values):
    t, search = tables[0], room.searches[0]
    search.player = room.states[0].player
    search.nodes = 0
    for number in range(actions.size):
        _open(room.frames[0], -np.inf, np.inf, True)
        room.frames[0].laid = 0
        room.frames[0].count = 1
        search.actions[0, 0] = actions[number]
        values[number] = _solve_root(t, room)


@kernel
def _solve_root(t, room):
    """Return what the position is worth that stands in `states[0]`, by the actions listed in its frame."""
    level = 0
    while True:
        frame = room.frames[level]
        if not frame.is_tried:
            if frame.number == frame.count or frame.low >= frame.high:
                value = _close(room, frame)
                level -= 1
                if level < 0:
                    return value
                _take_value(room, level, value)
                continue
            _begin_choice(t, room, level)
        if not _play_outcome(t, room, level):
            continue
        is_known, value = _enter(t, room, level + 1)
        if is_known:
            _take_value(room, level, value)
        else:
            level += 1


# --- decisions ---


@kernel
def _enter(t, room, level):
    """Begin with the game in `states[level]`, in the window of its frame; return (whether its value is known, it)."""
    s, search, frame = room.states[level], room.searches[0], room.frames[level]
    player = int(search.player)
    search.nodes += 1
    if s.phase == OVER:
        return True, float(s.score[player]) - float(s.score[1 - player])
    key = find_key(t, s, frame.laid) if s.phase == PLACE and not search.is_plain else NONE
    entry = room.entries[key % room.entries.size]
    if key != NONE and entry.key == key and is_enough(entry, frame.alpha, frame.beta):
        return True, float(entry.value)
    _open(frame, float(frame.alpha), float(frame.beta), int(s.player) == player)
    frame.key = key
    frame.count = _list_actions(t, room, level)
    return False, 0.0


@kernel
def _open(frame, alpha, beta, maximises):
    """Begin a decision in that window, before any choice is tried."""
    frame.alpha, frame.beta = alpha, beta
    frame.low, frame.high = alpha, beta
    frame.best = -np.inf if maximises else np.inf
    frame.key = NONE
    frame.number = 0
    frame.is_tried = 0


@kernel
def _close(room, frame):
    """Return what a decision is worth, and keep it in the table of positions."""
    best = float(frame.best)
    if frame.key != NONE:
        entry = room.entries[frame.key % room.entries.size]
        entry.key, entry.value = frame.key, best
        entry.kind = AT_MOST if best <= frame.alpha else AT_LEAST if best >= frame.beta else EXACT
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
        search.promise[level, number] = search.history[left, action]
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
    room.frames[level + 1].laid = laid
    frame.towers = list_taken(before, s, search.taken[level])
    frame.tiles = int(before.deck.size) - int(before.drawn) if s.drawn > before.drawn else 1
    frame.outcome, frame.outcomes = 0, frame.tiles * count_hidden(before) ** int(frame.towers)
    frame.total, frame.left = 0.0, 1.0
    frame.is_tried = 1


@kernel
def _play_outcome(t, room, level):
    """Play the choice with the next outcome in `states[level + 1]`, and write the window for it there.

    Returns False where the outcome looks like one before.
    """
    states, search, frame, child = room.states, room.searches[0], room.frames[level], room.frames[level + 1]
    s = states[level + 1]
    copy_state(states, level, states, level + 1)
    share = reveal(t, s, search.taken[level][: int(frame.towers)], int(frame.tiles), int(frame.outcome))
    frame.outcome += 1
    if share == 0.0:
        return False
    step(t, s, room.logs[0], int(frame.action))
    frame.share = share
    frame.left -= share
    child.alpha = (frame.low - frame.total - frame.left * search.bound) / share
    child.beta = (frame.high - frame.total + frame.left * search.bound) / share
    return True


@kernel
def _take_value(room, level, value):
    """Count the value of an outcome in; where the choice is decided by it, count that in too."""
    search, frame, child = room.searches[0], room.frames[level], room.frames[level + 1]
    frame.total += frame.share * value
    worth = float(frame.total)
    if frame.left > SMALL:
        if child.alpha < value < child.beta:
            return
        worth += frame.left * search.bound if value <= child.alpha else -frame.left * search.bound
    s = room.states[level]
    maximises = int(s.player) == int(search.player)
    frame.best = max(float(frame.best), worth) if maximises else min(float(frame.best), worth)
    if not search.is_plain and maximises:
        frame.low = max(float(frame.low), float(frame.best))
    elif not search.is_plain:
        frame.high = min(float(frame.high), float(frame.best))
    if frame.low >= frame.high:
        search.history[int(s.deck.size) - int(s.drawn), frame.action] += 1.0
    frame.number += 1
    frame.is_tried = 0
