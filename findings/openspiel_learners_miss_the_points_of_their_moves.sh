#!/usr/bin/env bash
# A good guess: the agents of OpenSpiel, such as `QLearner`, learn from all rewards of a game, in a game that pays
# points for each move as in one that pays at the end. They are stepped when it is their turn, and once after the end,
# as all of its examples do.
#
# What happens: they read the rewards of the last move alone, which is mostly another player's. What an agent gets for
# its own move comes with the next time step, in which another is to move, and is never asked for. A player who gets a
# point for one of two actions learns that both are worth nothing, but for the last move of the game. `DQN` takes its
# rewards from the same place. Pay at the end, or add up the rewards between the turns of an agent before each step.
#
# numpy 2.4.6, open_spiel 2.0.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 open_spiel==2.0.2
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
import pyspiel
from open_spiel.python import rl_environment
from open_spiel.python.algorithms.tabular_qlearner import QLearner

MOVES = 5
TYPE = pyspiel.GameType(
    short_name="points",
    long_name="points",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.REWARDS,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=True,
)
INFO = pyspiel.GameInfo(
    num_distinct_actions=2,
    max_chance_outcomes=0,
    num_players=2,
    min_utility=0.0,
    max_utility=3.0,
    max_game_length=MOVES,
)


class Points(pyspiel.Game):
    """Two players take turns, and get a point for each action 1."""

    def __init__(self, params=None):
        super().__init__(TYPE, INFO, params or {})

    def new_initial_state(self):
        return State(self)

    def observation_tensor_size(self):
        return 1


class State(pyspiel.State):
    def __init__(self, game):
        super().__init__(game)
        self.actions = []

    def current_player(self):
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else len(self.actions) % 2

    def is_terminal(self):
        return len(self.actions) == MOVES

    def _legal_actions(self, player):
        return [0, 1]

    def _apply_action(self, action):
        self.actions.append(action)

    def rewards(self):
        last = len(self.actions) - 1
        return [float(self.actions[last]) if last % 2 == player else 0.0 for player in range(2)]

    def returns(self):
        return [float(sum(self.actions[player::2])) for player in range(2)]

    def observation_tensor(self, player):
        return [float(len(self.actions))]


np.random.seed(1)
env = rl_environment.Environment(Points())
agents = [QLearner(player_id=player, num_actions=2) for player in range(2)]
paid, read = np.zeros(2), np.zeros(2)
for _ in range(2000):
    time_step = env.reset()
    while not time_step.last():
        player = time_step.current_player()
        read[player] += time_step.rewards[player] if time_step.rewards else 0
        time_step = env.step([agents[player].step(time_step).action])
        paid += time_step.rewards
    for player, agent in enumerate(agents):
        read[player] += time_step.rewards[player]
        agent.step(time_step)
values = {}
for state in range(MOVES):
    learned = agents[state % 2]._q_values[f"[{state}.0]"]
    values[f"player {state % 2} after {state} moves"] = [round(learned[action], 2) for action in (0, 1)]
print("points of both players:", paid.tolist(), "of which they read", read.tolist())
print("values of the actions 0 and 1:", values)
assert paid.min() > 1800 and read[0] < 0.9 * paid[0] and read[1] == 0
*early, last = values.values()
assert all(nothing == point for nothing, point in early) and np.allclose(last, [0, 1])
PYTHON
