"""Spaces, observations and pictures as Gymnasium wants them, shared by all environments."""

import numpy as np
from gymnasium import spaces

from zamek_env.core import engine
from zamek_env.render import draw_rgb


def make_observation_space(ruleset):
    """Return the `Dict` space of observations; names and scales stand in `ruleset.planes` and `ruleset.vector`.

    The planes are bounded by what they can hold, not by 255, so that Stable-Baselines3 does not take them for an image.
    """
    shape = (*ruleset.components.wall.shape, len(ruleset.planes))
    high = np.broadcast_to(ruleset.planes.high, shape).astype(np.uint8)
    return spaces.Dict(
        {
            "planes": spaces.Box(np.zeros(shape, np.uint8), high, dtype=np.uint8),
            "vector": spaces.Box(0.0, ruleset.vector.high.astype(np.float32), dtype=np.float32),
        }
    )


def make_action_space(ruleset):
    """Return the `Discrete` space of actions; its layout stands in `zamek_env.core.actions`."""
    return spaces.Discrete(ruleset.num_actions)


def observe(game, player):
    """Return what `player` sees of `game`: new arrays `planes` and `vector`."""
    ruleset = game.ruleset
    planes = np.empty((*ruleset.components.wall.shape, len(ruleset.planes)), np.uint8)
    vector = np.empty(len(ruleset.vector), np.float32)
    engine.write_observation(ruleset.tables, game.states, 0, player, planes, vector)
    return {"planes": planes, "vector": vector}


def picture(game, render_mode):
    """Return `game` as text (`"ansi"`) or pixels (`"rgb_array"`), None for any other mode."""
    if render_mode == "ansi":
        return str(game)
    if render_mode == "rgb_array":
        return draw_rgb(game.ruleset.components, game.position())
    return None
