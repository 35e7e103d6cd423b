#!/usr/bin/env bash
# A good guess: `GymctsAgent` of gymcts over an `ActionHistoryMCTSGymEnvWrapper` finds a winning move among four in 50
# simulations. Each simulation replays the actions that lead to a position, and plays from there to the end.
#
# What happens: after the replay the wrapper still holds whether the last game had ended, and its last step. So a
# position that is looked at for the first time, after a game that has ended, is not played at all: it gets the return
# of that game. Where a move ends the game, all moves get the return of the one that was tried last: the move that wins
# is found if it is the last legal one, and else loses like all others. In a longer game two of the first five
# simulations are played. `DeepCopyMCTSGymEnvWrapper` is right.
#
# numpy 2.4.6, gymnasium 1.4.0, gymcts 1.5.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 gymnasium==1.4.0 gymcts==1.5.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import logging
import random

import gymnasium
from gymcts.gymcts_action_history_wrapper import ActionHistoryMCTSGymEnvWrapper
from gymcts.gymcts_agent import GymctsAgent
from gymcts.gymcts_deepcopy_wrapper import DeepCopyMCTSGymEnvWrapper

ACTIONS = 4


class Game(gymnasium.Env):
    """A game of one move or more, which is won by the right first move and lost by any other."""

    observation_space = gymnasium.spaces.Discrete(10)
    action_space = gymnasium.spaces.Discrete(ACTIONS)

    def __init__(self, length, winning):
        self.length, self.winning = length, winning

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.moves = []
        return 0, {}

    def step(self, action):
        self.moves.append(action)
        ended = len(self.moves) == self.length
        ENDED.extend([self.winning] * ended)
        won = 1.0 if self.moves[0] == self.winning else -1.0
        return len(self.moves), won * ended, ended, False, {}


def search(wrapper, length, winning, simulations):
    """Return the mean that a search finds for each first move, and how many games it has played to the end."""
    random.seed(1)
    ENDED.clear()
    env = wrapper(Game(length, winning))
    env.reset()
    agent = GymctsAgent(env)
    agent.vanilla_mcts_search(num_simulations=simulations)
    return [float(agent.search_root_node.children[action].mean_value) for action in range(ACTIONS)], len(ENDED)


ENDED = []
logging.disable(logging.CRITICAL)
replayed, copied = (
    [search(wrapper, 1, 1, 50)[0], search(wrapper, 1, 3, 50)[0], search(wrapper, 4, 1, 5)]
    for wrapper in (ActionHistoryMCTSGymEnvWrapper, DeepCopyMCTSGymEnvWrapper)
)
print("means of the moves, where move 1 wins at once, where move 3 does, and of a longer game, and games played in it:")
print("by replay:", replayed, "by copies:", copied)
assert copied == [[-1, 1, -1, -1], [-1, -1, -1, 1], ([-1, 1, -1, -1], 5)]
assert replayed[:2] == [[-1, -1, -1, -1], [1, 1, 1, 1]]
means, games = replayed[2]
assert games == 2 and len(set(means)) == 1
PYTHON
