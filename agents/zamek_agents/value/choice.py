"""Choosing by the learned evaluation: every legal action is tried, together with the best way to finish the turn."""

import numpy as np

from zamek_agents.value.features import estimate_send
from zamek_agents.value.incremental import begin_action, begin_ends, evaluate_end, forget_pieces
from zamek_env.base.chance import draw_below
from zamek_env.base.records import NONE
from zamek_env.compiler.bits import as_index, lowest_bit
from zamek_env.compiler.jit import kernel
from zamek_env.compiler.memory import new_scratch
from zamek_env.components.bitset import WORD_BITS
from zamek_env.components.model import NUM_ROTATIONS
from zamek_env.core.areas import is_due
from zamek_env.core.dealing import forget_hidden, redeal
from zamek_env.core.legality import ACTIONS_A_TILE, find_choices, find_phase_range, list_actions
from zamek_env.core.pieces import find_free_piece
from zamek_env.core.placement import find_cell, find_reach
from zamek_env.core.rules import step
from zamek_env.core.state import copy_state
from zamek_env.layout.actions import CHOOSE, NOBODY, OVER, PLACE, SEND
from zamek_env.layout.sizes import Sizes


def count_trials(sizes: Sizes) -> int:
    """Return the number of scratch games that choosing takes, for a ruleset of these `Sizes`.

    These are one to begin with, and one after each decision of a turn: a placement, nobody or somebody sent, every area
    of both players that is scored, an extra turn. One more holds the game while a tile of a hand is tried.
    """
    return 1 + 1 + 2 + 2 * sizes.slots + 1 + (sizes.hand_size > 1)


@kernel
def choose_for(tables, states, logs, generator, evaluators):
    """Return the action that `choose_by_value` chooses in `states[0]`; `count_trials` scratch games come after.

    What is hidden is put in order first, so that the choice follows from what can be seen, and from `generator`.
    """
    forget_hidden(states[0], states[0].player)
    action, _ = choose_by_value(tables[0], states, 0, states[1:], logs[0], generator, evaluators[0])
    return action


@kernel
def evaluate_for(tables, states, logs, generator, evaluators, actions, values):
    """List the legal actions of `states[0]` in `actions`, ascending, and in `values` the worth of each to the mover.

    Returns their number. Otherwise it is as `choose_for`: the same `generator` gives the same values.
    """
    forget_hidden(states[0], states[0].player)
    copy_state(states, 0, states, 1)
    trials = states[1:]
    redeal(trials[0], generator, trials[0].player)
    begin_ends(tables[0], trials[0], evaluators[0])
    count = list_actions(tables[0], trials[0], actions)
    for number in range(count):
        values[number] = try_action(tables[0], trials, logs[0], evaluators[0], actions[number])
    return count


@kernel
def choose_by_value(t, states, game, trials, log, generator, evaluator):
    """Return (the legal action of `states[game]` that is worth most to the mover, its worth).

    Ties are broken at random; where all values are NaN, it is the first one, worth -inf. Writes `trials`
    (`count_trials` games of scratch space), `log` (overwritten), `generator` and the scratch space of `evaluator`.
    """
    copy_state(states, game, trials, 0)
    redeal(trials[0], generator, trials[0].player)
    begin_ends(t, trials[0], evaluator)
    s = trials[0]
    best, best_value, ties = NONE, -np.inf, 0
    groups = NUM_ROTATIONS * find_reach(s) if s.phase == PLACE else 1
    for group in range(groups):
        choices = np.int64(s.placements[group // NUM_ROTATIONS, group % NUM_ROTATIONS])
        if s.phase != PLACE:
            choices = find_choices(t, s)
        while choices != 0:
            action = _name_action(t, s, group, lowest_bit(choices))
            choices &= choices - 1
            value = try_action(t, trials, log, evaluator, action)
            best = action if best <= NONE else best
            ties = 1 if value > best_value else ties + (value == best_value)
            if value > best_value or (value == best_value and draw_below(generator, ties) == 0):
                best, best_value = action, value
    return best, best_value


@kernel
def _name_action(t, s, group, choice):
    """Return the action of bit `choice`; `group` is the word and rotation of a placement, else unused."""
    if s.phase == PLACE:
        return (group // NUM_ROTATIONS * WORD_BITS + choice) * NUM_ROTATIONS + group % NUM_ROTATIONS
    first, _ = find_phase_range(t, s)
    return first + choice


@kernel
def try_action(t, trials, log, evaluator, action):
    """Return what `action` is worth to the player to decide in `trials[0]`, with the best way to finish the turn.

    For this game and its siblings, `begin_ends` must have been called. Writes the other `trials` (`count_trials` with
    the first), `log` (overwritten) and the scratch space of `evaluator`.
    """
    if trials[0].hand.size > 0 and trials[0].phase == CHOOSE:
        return _try_tile(t, trials, log, evaluator, action)
    return _try_in_turn(t, trials, log, evaluator, action)


@kernel
def _try_tile(t, trials, log, evaluator, action):
    """Return the worth of `action`, which takes a tile out of the hand, with the best placement of that tile."""
    kept, best = trials.size - 1, -np.inf
    copy_state(trials, 0, trials, kept)
    step(t, trials[0], log, action)
    begin_ends(t, trials[0], evaluator)
    actions = new_scratch(t.tile_holds, ACTIONS_A_TILE)
    for number in range(list_actions(t, trials[0], actions)):
        best = max(best, _try_in_turn(t, trials, log, evaluator, int(actions[number])))
    copy_state(trials, kept, trials, 0)
    return best


@kernel
def _try_in_turn(t, trials, log, evaluator, action):
    """Do as `try_action` does once there is a tile to lay, or it lies already."""
    player = int(trials[0].player)
    begin_action(evaluator, find_cell(t, trials[0], action // NUM_ROTATIONS) if trials[0].phase == PLACE else NONE)
    copy_state(trials, 0, trials, 1)
    step(t, trials[1], log, action)
    if trials[1].phase == SEND:
        copy_state(trials, 1, trials, 2)
        step(t, trials[2], log, int(t.send_base) + NOBODY)
        if is_turn_over(trials[2]) and trials[2].phase != OVER:
            return _evaluate_sends(t, trials, log, evaluator, player)
    return _finish(t, trials, 1, log, evaluator, player)


@kernel
def is_turn_over(s):
    """Return whether no decision of a turn that has begun is left in `s`."""
    return s.phase == PLACE or s.phase == OVER or (s.hand.size > 0 and s.phase == CHOOSE)


@kernel
def count_begun(s):
    """Return how many tiles have left bag and hands, with that of the turn to begin: it identifies turns."""
    return int(s.drawn) + (s.hand.size > 0 and s.phase == CHOOSE)


@kernel
def goes_on(before, s):
    """Return whether the turn of `before` goes on in `s`, to which a decision of that turn led."""
    return not is_turn_over(s) or (s.hand.size > 0 and before.phase == CHOOSE and s.phase == PLACE)


@kernel
def _evaluate_sends(t, trials, log, evaluator, player):
    """Return the best value of `trials[1]` with a piece sent or with none; `trials[2]` is the game after sending none.

    A piece that stays on the board is not sent but put in its place; one that scores at once is sent.
    """
    s, after = trials[1], trials[2]
    best, sent = evaluate_end(t, after, player, evaluator), 0
    choices = find_choices(t, s) & ~(1 << NOBODY)
    segments = t.tile_node.shape[1]
    tile = as_index(s.deck[as_index(s.drawn - 1)])
    while choices != 0:
        choice = lowest_bit(choices)
        choices &= choices - 1
        area = as_index(s.area[t.tile_node[tile, (choice - 1) % segments]])
        if is_due(t, s, area):
            sent |= 1 << choice
        else:
            piece = find_free_piece(t, after, player, (choice - 1) // segments)
            best = max(best, estimate_send(t, after, evaluator, player, piece, area))
    return _send_best(t, trials, log, evaluator, player, sent, best)  # last, as it overwrites what was noted of owners


@kernel
def _send_best(t, trials, log, evaluator, player, choices, least):
    """Return the best value to `player` of sending a piece in `trials[1]` by one of the bits `choices`, or `least`."""
    best, left = least, choices
    while left != 0:
        copy_state(trials, 1, trials, 3)
        step(t, trials[3], log, t.send_base + lowest_bit(left))
        best = max(best, _finish(t, trials, 3, log, evaluator, player))
        left &= left - 1
    return best


@kernel
def _finish(t, trials, start, log, evaluator, player):
    """Return the best value to `player` of all ways to finish the turn that goes on in `trials[start]`."""
    if is_turn_over(trials[start]):
        return evaluate_end(t, trials[start], player, evaluator)
    waiting = np.empty(trials.size, np.int64)
    depth, best = start, -np.inf
    waiting[start] = find_choices(t, trials[start])
    while depth >= start:
        if waiting[depth] == 0:
            depth -= 1
            continue
        first, _ = find_phase_range(t, trials[depth])
        action = first + lowest_bit(waiting[depth])
        waiting[depth] &= waiting[depth] - 1
        if trials[depth].phase == SEND:
            forget_pieces(evaluator)
        copy_state(trials, depth, trials, depth + 1)
        step(t, trials[depth + 1], log, action)
        if is_turn_over(trials[depth + 1]):
            best = max(best, evaluate_end(t, trials[depth + 1], player, evaluator))
        else:
            depth += 1
            waiting[depth] = find_choices(t, trials[depth])
    return best
