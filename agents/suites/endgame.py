"""Exact values of the last turns: expectiminimax over every deal of what is hidden.

A node is a decision; between two decisions lies chance, where the action of the first reveals a tile or tokens. Which
tile is drawn next is one of those left, a token taken one of those nobody has seen (rule Z31). Windows are those of
alpha-beta, and at chance those of Star1: an outcome needs no exact value once the others, at their best or worst,
decide. Positions at the beginning of a turn are kept in a table under a hash of all that is public.

    states[level]      the game at each level of the search
    states[level + 1]  an action of it tried

B. W. Ballard, The *-minimax search procedure for trees containing chance nodes, Artificial Intelligence 21 (1983).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_agents.search.expectimax_search import count_levels
from zamek_env import Game
from zamek_env.components.highest_score import bound_score
from zamek_env.core import greedy
from zamek_env.core.jit import kernel
from zamek_env.core.legality import list_actions
from zamek_env.core.rules import step
from zamek_env.core.state import copy_state
from zamek_env.core.tables import NONE, NUM_PLAYERS, find_kind, record_dtype
from zamek_env.layout.actions import OVER, PLACE
from zamek_env.records.set_up import MAX_POINTS
from zamek_env.ruleset import Ruleset

MAX_LEFT = 2  # tiles not yet drawn: with the one to be placed, the last three
TABLE = 2**16  # entries of the table of positions
EXACT, AT_LEAST, AT_MOST = 1, 2, 3  # what an entry says of a value; 0: it is empty
_KEYS, _FACTOR = 2**43 - 57, 1_000_003  # a prime; a key times the factor is a whole number of 63 bits
_ENTRY = record_dtype([("key", np.int64), ("value", np.float64), ("kind", np.int64)])


class Solver:
    """Solves positions of a `Ruleset` with at most `MAX_LEFT` tiles to be drawn.

    `plain` leaves out windows, order and table: slow, and easy to trust.
    """

    def __init__(self, ruleset: Ruleset, plain: bool = False) -> None:
        levels = (MAX_LEFT + 1) * count_levels(ruleset) + 2
        self._states = ruleset.new_states(levels)
        self._searches = np.zeros(1, _search_dtype(ruleset, levels))
        self._searches["bound"] = MAX_POINTS + bound_score(ruleset.components)
        self._searches["is_plain"] = plain
        self._entries = np.zeros(TABLE, _ENTRY)
        self._room = (ruleset.tables, self._states, ruleset.new_log(), self._searches, self._entries)

    def solve(self, game: Game) -> npt.NDArray[np.float64]:
        """Return by how much the player to decide wins after each legal action, ascending, if both play perfectly.

        Raises `ValueError` where more than `MAX_LEFT` tiles are left.
        """
        left = game.ruleset.sizes.tiles - int(game.raw_states["drawn"][0])
        if left > MAX_LEFT:
            raise ValueError(f"game must have at most {MAX_LEFT} tiles to be drawn, not {left}")
        actions = np.array(game.legal_actions(), np.int64)
        values: Any = np.zeros(actions.size)
        self._entries["kind"] = 0
        self._searches["history"] = 0
        self._states[0] = game.raw_states[0]
        _solve_each(*self._room, actions, values)
        return values

    @property
    def nodes(self) -> int:
        """How many decisions and ends were looked at for the position solved last."""
        return int(self._searches["nodes"][0])


def _search_dtype(ruleset: Ruleset, levels: int) -> np.dtype[np.record]:
    """Return the dtype of the room of a search."""
    sizes = ruleset.sizes
    return record_dtype(
        [
            ("bound", np.float64),  # no margin is beyond it, either way
            ("promise", np.float64, (levels, ruleset.num_actions)),  # of each of `actions`
            ("history", np.float64, (MAX_LEFT + 1, ruleset.num_actions)),  # by tiles left: how often an action ended a search early
            ("laid", np.int64, (levels,)),  # a hash of the tiles laid since the position to be solved
            ("nodes", np.int64),
            ("actions", np.int32, (levels, ruleset.num_actions)),
            ("taken", np.int32, (levels, max(1, sizes.towers))),  # towers whose token an action takes
            ("player", np.int32),  # for whom is reckoned
            ("is_plain", np.int32),
        ]
    )


@kernel
def _solve_each(tables, states, logs, searches, entries, actions, values):
    t, log, search = tables[0], logs[0], searches[0]
    search.player = states[0].player
    search.nodes = 0
    search.laid[0] = 0
    for number in range(actions.size):
        values[number] = _try(t, states, log, search, entries, 0, actions[number], -np.inf, np.inf)


# --- decisions ---


@kernel
def _solve(t, states, log, search, entries, level, alpha, beta):
    """Return what `states[level]` is worth to `search.player`: exactly where that lies between `alpha` and `beta`.

    Elsewhere it is a bound: at most `alpha`, or at least `beta`.
    """
    s, player = states[level], int(search.player)
    search.nodes += 1
    if s.phase == OVER:
        return float(s.score[player]) - float(s.score[1 - player])
    is_kept = s.phase == PLACE and search.is_plain == 0
    key = _find_key(t, s, search, level) if is_kept else 0
    entry = entries[key % entries.size]
    if is_kept and entry.key == key and _is_enough(entry, alpha, beta):
        return float(entry.value)
    best = _solve_choices(t, states, log, search, entries, level, alpha, beta)
    if is_kept:
        entry.key, entry.value = key, best
        entry.kind = AT_MOST if best <= alpha else AT_LEAST if best >= beta else EXACT
    return best


@kernel
def _solve_choices(t, states, log, search, entries, level, alpha, beta):
    """Return what the best choice in `states[level]` is worth, as `_solve` does."""
    maximises = int(states[level].player) == int(search.player)
    best, low, high = -np.inf if maximises else np.inf, alpha, beta
    count = _list_in_order(t, states, log, search, level)
    turn = int(states[level].deck.size) - int(states[level].drawn)
    for number in range(count):
        action = _take_next(search, level, number, count)
        value = _try(t, states, log, search, entries, level, action, low, high)
        best = max(best, value) if maximises else min(best, value)
        if search.is_plain == 0:
            low, high = (max(low, best), high) if maximises else (low, min(high, best))
        if low >= high:
            search.history[turn, action] += 1.0
            return best
    return best


@kernel
def _list_in_order(t, states, log, search, level):
    """List the legal actions of `states[level]` with what each promises to the mover; return how many there are.

    While tiles are left, a placement is tried; elsewhere those promise most that were best in positions before.
    """
    s, count = states[level], list_actions(t, states[level], search.actions[level])
    left = int(s.deck.size) - int(s.drawn)
    for number in range(count):
        action = search.actions[level, number]
        search.promise[level, number] = search.history[left, action]
        if s.phase == PLACE and left > 0 and search.is_plain == 0:
            copy_state(states, level, states, level + 1)
            step(t, states[level + 1], log, int(action))
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
def _try(t, states, log, search, entries, level, action, alpha, beta):
    """Return what `action` in `states[level]` is worth, as `_solve` does: the mean over what chance may reveal."""
    before, s = states[level], states[level + 1]
    copy_state(states, level, states, level + 1)
    step(t, s, log, action)
    search.laid[level + 1] = search.laid[level]
    if before.phase == PLACE:
        kind = int(find_kind(t, before.deck[before.drawn - 1]))
        search.laid[level + 1] += _mix(_mix(1, kind), action)
    towers = _list_taken(before, s, search.taken[level])
    tiles = int(before.deck.size) - int(before.drawn) if s.drawn > before.drawn else 1
    total, left = 0.0, 1.0
    for outcome in range(tiles * _count_hidden(before) ** towers):
        copy_state(states, level, states, level + 1)
        share = _reveal(t, s, search.taken[level][:towers], tiles, outcome)
        if share == 0.0:
            continue
        step(t, s, log, action)
        left -= share
        low = (alpha - total - left * search.bound) / share
        high = (beta - total + left * search.bound) / share
        value = _solve(t, states, log, search, entries, level + 1, low, high)
        total += share * value
        if value <= low:
            return total + left * search.bound
        if value >= high:
            return total - left * search.bound
    return total


@kernel
def _list_taken(before, s, towers):
    """Write the towers whose tokens were taken between two states into `towers`; return how many there are."""
    count = 0
    for tower in range(s.tower_taken.size):
        if s.tower_taken[tower] and not before.tower_taken[tower]:
            towers[count] = tower
            count += 1
    return count


@kernel
def _count_hidden(s):
    """Return how many tokens nobody has seen."""
    hidden = int(s.token_deal.size)
    for tower in range(s.tower_taken.size):
        hidden -= s.tower_taken[tower] != 0
    return hidden


@kernel
def _reveal(t, s, towers, tiles, outcome):
    """Let the outcome of that number be what is drawn next and what lies on `towers`; return its share.

    The share is 0 where an outcome of a lower number looks the same. Writes `deck` and `token_deal`.
    """
    share = _draw_tile(t, s, tiles, outcome % tiles) if tiles > 1 else 1.0
    number, hidden = outcome // tiles, _count_hidden(s)
    for place in range(towers.size):
        share *= _draw_token(s, towers, place, number % hidden)
        number //= hidden
    return share


@kernel
def _draw_tile(t, s, tiles, choice):
    """Put that one of the `tiles` left first; return the share of its kind, 0 if another was the first of that kind."""
    first, chosen = int(s.drawn), int(s.drawn) + choice
    kind, same = find_kind(t, s.deck[chosen]), 0
    for number in range(first, first + tiles):
        if find_kind(t, s.deck[number]) == kind:
            if number < chosen:
                return 0.0
            same += 1
    tile = int(s.deck[first])
    s.deck[first] = s.deck[chosen]
    s.deck[chosen] = tile
    return same / tiles


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


# --- the table ---


@kernel
def _is_enough(entry, alpha, beta):
    """Return whether what an entry says will do for that window."""
    if entry.kind == AT_LEAST:
        return entry.value >= beta
    return entry.kind == EXACT or (entry.kind == AT_MOST and entry.value <= alpha)


@kernel
def _mix(key, value):
    return (key * _FACTOR + int(value) + 1) % _KEYS


@kernel
def _find_key(t, s, search, level):
    """Return a number that tells all that is public at the beginning of a turn and may differ within one search.

    A tile that left the game because it fits nowhere is told by how many were drawn, and which one now.
    """
    key = _mix(search.laid[level] % _KEYS, int(s.player))
    key = _mix(_mix(key, int(s.drawn)), int(find_kind(t, s.deck[s.drawn - 1])))
    for player in range(NUM_PLAYERS):
        key = _mix(key, int(s.score[player]))
        for piece in range(s.follower_area.shape[1]):
            key = _mix(key, int(s.follower_area[player, piece]))
        for kind in range(s.tokens.shape[1]):
            key = _mix(_mix(key, int(s.tokens[player, kind])), int(s.fresh_tokens[player, kind]))
        if s.family_house.size > 0:
            key = _mix(key, int(s.family_house[player]))
        if s.nests.size > 0:
            key = _mix(key, int(s.nests[player]))
        if s.at_gate.size > 0:
            key = _mix(key, int(s.at_gate[player]))
    for area in range(s.area_nests.size):
        key = _mix(key, int(s.area_nests[area]))
    for number in range(s.token_deal.size):  # what was seen and what was not, by where it lay
        seen = number < s.tower_taken.size and s.tower_taken[number]
        key = _mix(key, 1 + int(s.token_deal[number]) if seen else 0)
    return key
