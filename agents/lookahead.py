"""Looking one decision ahead: what each legal action leads to, and the best of all or of a few."""

import numpy as np

from zamek_agents.evaluation import evaluate
from zamek_env.core.chance import draw_below
from zamek_env.core.jit import kernel
from zamek_env.core.legality import list_actions
from zamek_env.core.playout import draw_action
from zamek_env.core.rules import step
from zamek_env.core.state import copy_state

TRIAL = 1  # the game of `states` on which actions are tried


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
