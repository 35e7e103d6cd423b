"""Looking one decision ahead: what each legal action is worth, and the best of all or of a few.

Actions are tried on the games of `states` from `search.trials` on.
"""

import numpy as np

from zamek_agents.search.evaluation import begin_trying, evaluate_action
from zamek_env.core.chance import draw_below, find_bag, put_next_tile, redeal, swap
from zamek_env.core.jit import kernel
from zamek_env.core.legality import list_actions
from zamek_env.core.playout import draw_action
from zamek_env.core.state import copy_state, find_seat
from zamek_env.core.tables import NONE


@kernel
def look_ahead(t, states, game, log, search):
    """List the legal actions of `states[game]` with what each is worth to the mover.

    Returns how many there are. Writes `actions` and `values` of `search`, the games for trials and `log` (overwritten).
    """
    trials = states[search.trials :]
    copy_state(states, game, trials, 0)
    begin_trying(t, trials, search)
    count = list_actions(t, trials[0], search.actions)
    for number in range(count):
        search.values[number] = evaluate_action(t, trials, log, search, search.actions[number])
    return count


@kernel
def choose_of_few(t, states, game, log, search):
    """Return the best of `search.tries` random legal actions of `states[game]`: of one, that is at random.

    The actions are tried on a reshuffle of what is hidden, because the player does not know which token it would take.
    Writes `generator` and `actions` of `search`, the games for trials and `log` (overwritten).
    """
    if search.tries == 1:
        return draw_action(t, states[game], search.generator)
    trials = states[search.trials :]
    copy_state(states, game, trials, 0)
    redeal(trials[0], search.generator, trials[0].player)
    begin_trying(t, trials, search)
    count = list_actions(t, trials[0], search.actions)
    best, best_value = search.actions[0], -np.inf
    for number in range(min(count, search.tries)):
        drawn = number + draw_below(search.generator, count - number)
        action = search.actions[drawn]
        search.actions[drawn] = search.actions[number]
        value = evaluate_action(t, trials, log, search, action)
        if value > best_value:
            best, best_value = action, value
    return best


@kernel
def deal_next_tile(s, tile):
    """Let `tile`, which the player to move has not seen, be what the next one lays.

    It is drawn next or, where players draw ahead (rule H1), was drawn by that player. Writes `deck`, `hand`.
    """
    if s.hand.size == 0:
        put_next_tile(s, tile)
        return
    player = find_seat(s, int(s.player), 1)
    held = s.hand[player, 0]
    if held <= NONE:
        return
    here = there = int(s.drawn)
    for number in range(s.drawn, s.deck.size):
        here = number if s.deck[number] == held else here
        there = number if s.deck[number] == tile else there
    for other in range(s.hand.shape[0]):
        if s.hand[other, 0] == tile:
            s.hand[other, 0] = held
    s.hand[player, 0] = tile
    if there >= find_bag(s):
        swap(s.deck, here, there)
