"""Many games in one call: `states` of shape `(n,)`, and for each game a row of every other array."""

from zamek_env.core import observation, rules
from zamek_env.core.jit import kernel


@kernel
def play_all(tables, states, logs, actions, chosen):
    """Play the legal action of every game that is `chosen`, bool `(n,)`; `logs` is spoilt."""
    for game in range(states.size):
        if chosen[game]:
            rules.step(tables[0], states[game], logs[0], actions[game])


@kernel
def observe_all(tables, states, planes, vectors, masks):
    """Write for every game what the player to decide sees and may do."""
    for game in range(states.size):
        s = states[game]
        observation.write_observation(tables[0], s, s.player, planes[game], vectors[game])
        rules.write_mask(tables[0], s, masks[game])
