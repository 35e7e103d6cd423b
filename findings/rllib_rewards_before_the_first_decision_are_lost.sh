#!/usr/bin/env bash
# A good guess: RLlib adds what a player gets while others move to that player's last action, and what comes before the
# player's first observation to the first one, or at least to the reported return: of a zero-sum game it is 0.
#
# What happens: rewards between two actions are added up, but those before a player has acted are dropped, also those of
# the step that brings the first observation. Who loses by the opponent's first move has no rewards at all, and the
# game's return is the winner's. `get_return(include_hanging_rewards=True)` leaves them out too, and so do the returns
# that are reported. Count results in the environment.
#
# numpy 2.4.6, gymnasium 1.2.2, ray 2.60.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 gymnasium==1.2.2 'ray[rllib]==2.60.0'
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import logging

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

logging.disable(logging.WARNING)

from ray.rllib.env.multi_agent_episode import MultiAgentEpisode

PLAYERS = ("player_0", "player_1")
SEEN = np.zeros(1, np.float32)


def play(*gains):
    """Return the game's return, and each player's rewards, where the players move in turn and take from the other."""
    episode = MultiAgentEpisode(
        observation_space=Dict({player: Box(0, 1, (1,)) for player in PLAYERS}),
        action_space=Dict({player: Discrete(2) for player in PLAYERS}),
    )
    episode.add_env_reset(observations={"player_0": SEEN}, infos={})
    for number, gain in enumerate(gains):
        mover, other = PLAYERS[number % 2], PLAYERS[1 - number % 2]
        is_last = number + 1 == len(gains)
        episode.add_env_step(
            observations=dict.fromkeys(PLAYERS if is_last else [other], SEEN),
            actions={mover: 0},
            rewards={mover: gain, other: -gain},
            infos={},
            terminateds={"__all__": is_last, **({player: True for player in PLAYERS} if is_last else {})},
        )
    rewards = {player: agent.get_rewards() for player, agent in episode.agent_episodes.items()}
    return episode.get_return(include_hanging_rewards=True), [list(rewards.get(player, [])) for player in PLAYERS]


first, later, at_once = play(4.0, 0.0, 0.0), play(0.0, 0.0, 4.0), play(4.0)
print("return and rewards where the first move takes 4:", first, "the third:", later, "the only one:", at_once)
assert first == (4, [[4, 0], [0]]) and later == (0, [[0, 4], [-4]])
assert at_once == (4, [[4], []])
PYTHON
