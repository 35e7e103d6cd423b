"""Looking one decision ahead: what is legal, what each of it leads to, and the best of all or of a few."""

import numpy as np

from zamek_agents.evaluation import evaluate
from zamek_env.core.actions import PLACE
from zamek_env.core.bits import WORD_BITS, index, lowest_bit
from zamek_env.core.chance import draw_below
from zamek_env.core.components import NUM_ROTATIONS
from zamek_env.core.jit import kernel
from zamek_env.core.placement import find_place, find_reach
from zamek_env.core.playout import draw_action
from zamek_env.core.rules import find_choices, find_phase_range, step
from zamek_env.core.state import copy_state

TRIAL = 1  # the game of `states` on which actions are tried


@kernel
def list_actions(t, s, actions):
    """Write the legal actions into `actions`; return how many there are."""
    if s.phase == PLACE:
        return _list_placements(t, s, actions)
    count = 0
    first, _ = find_phase_range(t, s)
    choices = find_choices(t, s)
    while choices != 0:
        actions[index(count)] = first + lowest_bit(choices)
        count += 1
        choices &= choices - 1
    return count


@kernel
def _list_placements(t, s, actions):
    count = 0
    for rotation in range(NUM_ROTATIONS):
        for number in range(find_reach(s)):
            cells = np.int64(s.placements[rotation, number])
            while cells != 0:
                place = find_place(t, s, number * WORD_BITS + lowest_bit(cells))
                actions[index(count)] = place * NUM_ROTATIONS + rotation
                count += 1
                cells &= cells - 1
    return count


@kernel
def look_ahead(t, states, game, log, search):
    """List the legal actions of `states[game]` with the value to the mover of what each leads to.

    Returns how many there are. Writes `actions` and `values` of `search`, `states[TRIAL]` and `log` (spoilt).
    """
    player = states[game].player
    count = list_actions(t, states[game], search.actions)
    for number in range(count):
        copy_state(states, game, states, TRIAL)
        step(t, states[TRIAL], log, search.actions[number])
        search.values[number] = evaluate(t, states[TRIAL], player, search)
    return count


@kernel
def choose_of_few(t, states, game, log, search):
    """Return the best of `search.tries` random legal actions of `states[game]`: of one, that is at random.

    Writes `generator` and `actions` of `search`, `states[TRIAL]` and `log` (spoilt).
    """
    if search.tries == 1:
        return draw_action(t, states[game], search.generator)
    player = states[game].player
    count = list_actions(t, states[game], search.actions)
    best, best_value = search.actions[0], -np.inf
    for number in range(min(count, search.tries)):
        drawn = number + draw_below(search.generator, count - number)
        action = search.actions[drawn]
        search.actions[drawn] = search.actions[number]
        copy_state(states, game, states, TRIAL)
        step(t, states[TRIAL], log, action)
        value = evaluate(t, states[TRIAL], player, search)
        if value > best_value:
            best, best_value = action, value
    return best
