"""What the network of `ppo` for Castle makes of a decision, and how it should change: kernels on its `Weights`.

A decision is a context, `(NUM_FEATURES,)`, and the entries of its rows that are not 0: entry `i` of `columns` and
`entries` belongs to row `r` where `starts[r] <= i < starts[r + 1]`.
"""

import numpy as np

from zamek_agents.castle_cards.network import HIDDEN
from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel

LEAST_CHANCE = 1e-8
_CLIP = 0.2  # how much a probability may change before an action is learned from no more
_MOST_GROWTH = 20.0  # of a probability


@kernel
def hear(layer, bias, inputs, hidden):
    """Write into `hidden`, float32 `(HIDDEN,)`, what a layer makes of its `inputs`, before anything is cut off."""
    for unit in range(HIDDEN):
        hidden[unit] = bias[unit]
    for number in range(inputs.size):
        if inputs[number] != 0:
            for unit in range(HIDDEN):
                hidden[unit] += inputs[number] * layer[number, unit]


@kernel
def judge_rows(weights, context, starts, columns, entries, count, hidden, logits):
    """Write the hidden layer of each of `count` rows into `hidden`, `(rows, HIDDEN)`, and add to the `logits`."""
    shared = np.empty(HIDDEN, np.float32)
    hear(weights.context, weights.bias, context, shared)
    for number in range(count):
        units = hidden[number]
        units[:] = shared
        for place in range(starts[number], starts[number + 1]):
            column = as_index(columns[place])
            for unit in range(HIDDEN):
                units[unit] += entries[place] * weights.rows[column, unit]
        total = np.float32(0)
        for unit in range(HIDDEN):
            total += max(units[unit], np.float32(0)) * weights.logit[unit]
        logits[number] += total


@kernel
def find_value(weights, context, hidden):
    """Return the result that is expected; writes its hidden layer into `hidden`, `(HIDDEN,)`."""
    hear(weights.value_context, weights.value_bias, context, hidden)
    total = weights.value[HIDDEN]
    for unit in range(HIDDEN):
        total += max(hidden[unit], np.float32(0)) * weights.value[unit]
    return total


@kernel
def make_chances(logits, count):
    """Replace the first `count` logits by their softmax."""
    best, total = logits[0], np.float32(0)
    for number in range(count):
        best = max(best, logits[number])
    for number in range(count):
        logits[number] = np.exp(logits[number] - best)
        total += logits[number]
    for number in range(count):
        logits[number] /= total


@kernel
def add_policy_gradient(weights, gradient, context, starts, columns, entries, hidden, growth, count):
    """Add to `gradient` what makes logits grow by `growth`; overwrites `hidden`, which is as `judge_rows` wrote it."""
    shared = np.zeros(HIDDEN, np.float32)
    for number in range(count):
        units = hidden[number]
        for unit in range(HIDDEN):
            if units[unit] > 0:
                gradient.logit[unit] += growth[number] * units[unit]
                units[unit] = growth[number] * weights.logit[unit]
                shared[unit] += units[unit]
            else:
                units[unit] = 0
        for place in range(starts[number], starts[number + 1]):
            column = as_index(columns[place])
            for unit in range(HIDDEN):
                gradient.rows[column, unit] += entries[place] * units[unit]
    _add_layer(gradient.context, gradient.bias, context, shared)


@kernel
def add_value_gradient(weights, gradient, context, hidden, error):
    """Add to `gradient` what makes the value grow by `error`; `hidden` is that of `find_value`, and is overwritten."""
    gradient.value[HIDDEN] += error
    for unit in range(HIDDEN):
        if hidden[unit] > 0:
            gradient.value[unit] += error * hidden[unit]
            hidden[unit] = error * weights.value[unit]
        else:
            hidden[unit] = 0
    _add_layer(gradient.value_context, gradient.value_bias, context, hidden)


@kernel
def _add_layer(layer, bias, inputs, growth):
    for unit in range(HIDDEN):
        bias[unit] += growth[unit]
    for number in range(inputs.size):
        if inputs[number] != 0:
            for unit in range(HIDDEN):
                layer[number, unit] += inputs[number] * growth[unit]


@kernel
def write_growth(chances, count, chosen, before, advantage, entropy, growth):
    """Write into `growth` by how much each logit should grow: PPO's clipped gradient, and that of the entropy.

    `before` is the probability of the action when it was `chosen`.
    """
    ratio = min(max(chances[chosen], np.float32(LEAST_CHANCE)) / before, np.float32(_MOST_GROWTH))
    is_clipped = ratio > 1 + _CLIP if advantage > 0 else ratio < 1 - _CLIP
    push = np.float32(0) if is_clipped else np.float32(advantage * ratio)
    disorder = np.float32(0)
    for number in range(count):
        chance = max(chances[number], np.float32(LEAST_CHANCE))
        disorder -= chance * np.log(chance)
    for number in range(count):
        chance = max(chances[number], np.float32(LEAST_CHANCE))
        growth[number] = push * ((1 if number == chosen else 0) - chance)
        growth[number] -= entropy * chance * (np.log(chance) + disorder)
