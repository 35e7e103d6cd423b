"""Expectimax over one round: every way to play my turn, the tiles that may be drawn next, the best reply to each.

My turn is searched decision by decision, depth first: the most promising actions of each. A way to end it is valued by
the mean, over the same sample of tiles for all, of what the position is worth after the reply, or after some turns more
that are played on by what is best one decision ahead. Where players hold several tiles, it is a sample of hands. A way
that falls behind the best one is given up before all of the sample is looked at.

    states[ROOT]            the game to decide in, hidden part reshuffled
    states[NEXT]            an action of my turn being tried
    states[REPLY]           what may follow my turn
    states[FIRST + level]   my turn after so many decisions
    states[search.trials:]  where `lookahead.py` tries actions
"""

import numpy as np

from zamek_agents.search.evaluation import evaluate
from zamek_agents.search.lookahead import deal_next_tile, look_ahead
from zamek_agents.search.star_room import count_levels
from zamek_agents.value.choice import count_begun, goes_on, is_turn_over
from zamek_agents.value.evaluator import evaluator_dtype
from zamek_env.core.chance import forget_hidden, redeal, seed_generator
from zamek_env.core.jit import kernel
from zamek_env.core.rules import step
from zamek_env.core.state import copy_state
from zamek_env.core.tables import find_kind, record_dtype
from zamek_env.layout.actions import OVER, PLACE
from zamek_env.ruleset import Ruleset

ROOT, NEXT, REPLY, FIRST = range(4)
NARROW = 4  # actions looked at in phases other than placing
MAX_WIDTH = 64


def search_dtype(ruleset: Ruleset) -> np.dtype[np.record]:
    """Return the dtype of what a search is asked for, and of its room beside games."""
    levels, tiles = count_levels(ruleset), ruleset.sizes.tiles
    return record_dtype(
        [
            ("generator", np.uint64, (1,)),
            ("number", np.int64),  # from which all chance follows
            ("values", np.float64, (ruleset.num_actions,)),
            ("behind", np.float64),  # points a tile by which a way may fall behind the best before it is given up
            ("best_value", np.float64),
            ("way_value", np.float64),  # what the way tried last is worth
            ("first_values", np.float64, (MAX_WIDTH,)),  # of each action of `open[0]`: its best way, NaN before one
            ("best_sums", np.float64, (tiles,)),  # of the best way so far, over the first tiles
            ("sums", np.float64, (tiles,)),
            ("shares", np.float64, (tiles,)),  # of each tile in the sample: how many there are of its kind
            ("evaluator", evaluator_dtype(ruleset)),
            ("is_learned", np.int32),  # the evaluator values positions; else they are valued by hand
            ("actions", np.int32, (ruleset.num_actions,)),
            ("open", np.int32, (levels, MAX_WIDTH)),  # actions still to be looked at, by level
            ("num_open", np.int32, (levels,)),
            ("best", np.int32),  # the action that the best way begins with
            ("width", np.int32),
            ("turns", np.int32),
            ("trials", np.int32),  # the first of the games where actions are tried
            ("tiles", np.int32, (tiles,)),  # deck indices of those that may be drawn next
            ("num_tiles", np.int32),
            ("sample", np.int32),  # size of the sample that they are taken from
        ]
    )


@kernel
def choose(tables, states, logs, searches):
    """Return the best action of `states[ROOT]`, whose hidden part is reshuffled; chance follows from `number`."""
    t, search = tables[0], searches[0]
    seed_generator(search.generator, search.number)
    forget_hidden(states[ROOT], states[ROOT].player)
    redeal(states[ROOT], search.generator, states[ROOT].player)
    _sample_tiles(t, states[ROOT], search)
    search.best_value = -np.inf
    copy_state(states, ROOT, states, FIRST)
    search.first_values.fill(np.nan)
    level = 0
    _list_open(t, states, logs[0], search, level)
    search.best = search.open[0, search.num_open[0] - 1]  # in case no way has a value, as with NaN
    while level >= 0:
        if search.num_open[level] == 0:
            level -= 1
            continue
        search.num_open[level] -= 1
        action = search.open[level, search.num_open[level]]
        first = action if level == 0 else search.open[0, search.num_open[0]]
        copy_state(states, FIRST + level, states, NEXT)
        step(t, states[NEXT], logs[0], action)
        if goes_on(states[FIRST + level], states[NEXT]):
            level += 1
            copy_state(states, NEXT, states, FIRST + level)
            _list_open(t, states, logs[0], search, level)
        else:
            if _is_best_way(t, states, logs[0], search, level):
                search.best = first
            known = search.first_values[search.num_open[0]]
            if not known >= search.way_value:  # true for NaN: no way is known yet
                search.first_values[search.num_open[0]] = search.way_value
    return int(search.best)


@kernel
def _sample_tiles(t, root, search):
    """Choose the tiles that may be laid next: those that come first in the deck, each kind once with its weight.

    Where players hold several tiles, choose only how often their hands are dealt: seldom, as each shows several tiles.
    Writes `tiles`, `shares`, `num_tiles`.
    """
    count = 0
    if root.hand.size > 0 and root.hand.shape[1] > 1:
        deals = max(1, min(search.sample, search.tiles.size) // root.hand.shape[1])
        search.num_tiles = deals if root.hides_hands.size > 0 else 0
        search.shares.fill(1.0)
        return
    first = int(root.drawn)
    for deck_index in range(first, min(first + search.sample, root.deck.size)):
        known, kind = 0, find_kind(t, root.deck[deck_index])
        while known < count and find_kind(t, root.deck[search.tiles[known]]) != kind:
            known += 1
        if known == count:
            search.tiles[count] = deck_index
            search.shares[count] = 0.0
            count += 1
        search.shares[known] += 1.0
    search.num_tiles = count


@kernel
def _list_open(t, states, log, search, level):
    """List the most promising actions of a decision in my turn, the best last. Writes `open`, `num_open`."""
    count = look_ahead(t, states, FIRST + level, log, search)
    width = min(count, search.width if states[FIRST + level].phase == PLACE else NARROW)
    search.num_open[level] = width
    for rank in range(width):
        best = _find_best(search, count)
        search.values[best] = -np.inf
        search.open[level, width - 1 - rank] = search.actions[best]


@kernel
def _is_best_way(t, states, log, search, level):
    """Return whether ending my turn by the action just taken from `open` is better than all before it.

    A way that is given up is taken to be as much worse than the best one as it was on the tiles looked at. Writes
    `way_value`, `best_value`, `best_sums`.
    """
    action = search.open[level, search.num_open[level]]
    total, weight = 0.0, 0.0
    for number in range(max(1, search.num_tiles)):
        copy_state(states, FIRST + level, states, REPLY)
        if search.num_tiles > 0:
            _deal_next(states, search, number)
            weight += search.shares[number]
            total += search.shares[number] * _value_after(t, states, log, search, action)
            search.sums[number] = total
            if total < search.best_sums[number] - search.behind * weight and search.best_value > -np.inf:
                search.way_value = search.best_value - (search.best_sums[number] - total) / weight
                return False
        else:
            weight = 1.0
            total = _value_after(t, states, log, search, action)
    search.way_value = total / weight
    if not total / weight > search.best_value:  # true for NaN
        return False
    search.best_value = total / weight
    for number in range(search.num_tiles):
        search.best_sums[number] = search.sums[number]
    return True


@kernel
def _deal_next(states, search, number):
    """Let the next player have what that entry of the sample says, in `states[REPLY]`. Writes `generator`."""
    s = states[REPLY]
    if s.hand.size > 0 and s.hand.shape[1] > 1:
        seed_generator(search.generator, search.number ^ (number + 1))
        redeal(s, search.generator, states[ROOT].player)
    else:
        deal_next_tile(s, s.deck[search.tiles[number]])


@kernel
def _value_after(t, states, log, search, action):
    """Return what `states[REPLY]` is worth to the player of `states[ROOT]` after `action` and the best reply to it.

    Before that, `turns` more turns are played on by what is best one decision ahead. Of two players, who replies values
    the reply; of more, it is played and then valued.
    """
    player = states[ROOT].player
    s = states[REPLY]
    step(t, s, log, action)
    last = count_begun(s) + search.turns
    while s.phase != OVER and not (s.score.size != 2 and is_turn_over(s) and count_begun(s) > last):
        best = _find_best(search, look_ahead(t, states, REPLY, log, search))
        if s.score.size == 2 and is_turn_over(s) and count_begun(s) >= last:
            return search.values[best] if s.player == player else -search.values[best]
        step(t, s, log, search.actions[best])
    return evaluate(t, s, player, search)


@kernel
def _find_best(search, count):
    """Return which of the `count` actions listed in `search` is worth most."""
    best = 0
    for number in range(1, count):
        if search.values[number] > search.values[best]:
            best = number
    return best
