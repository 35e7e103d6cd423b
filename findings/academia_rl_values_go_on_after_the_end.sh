#!/usr/bin/env bash
# A good guess: `update(state, action, reward, new_state, is_terminal)` of academia-rl's `QLAgent` and `SarsaAgent`
# leaves out the value of the new state where a game is over.
#
# What happens: neither reads `is_terminal`. That does no harm where a state at the end is seen at the end alone, as
# nothing is ever learned about it. In Blackjack the hand is the same after sticking, and so the value of the last
# position counts again with each game: sticking with 20 is worth 16 after 20,000 games, by `SarsaAgent` 1.2, and no
# game pays more than 1. Nothing is said. Pass a state of its own at the end, such as None.
#
# Beside it, `DQNAgent` does not read its `lr`: its learning rate is always 0.0005. Set it in `agent.optimizer`.
#
# numpy 1.26.4, gymnasium 0.29.1, torch 2.13.0, plotly 5.24.1, pytimedinput 2.0.1, pyyaml 6.0.3, academia-rl 0.2.0;
# November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==1.26.4 gymnasium==0.29.1 torch==2.13.0 plotly==5.24.1 pytimedinput==2.0.1 pyyaml==6.0.3
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps academia-rl==0.2.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gymnasium
import torch
from academia.agents import DQNAgent, QLAgent, SarsaAgent

GAMES, TWENTY, STICK = 20_000, (20, 10, 0), 0


def play(make_agent, show_the_end):
    """Return the value of sticking with 20, and the greatest one of all, after playing Blackjack."""
    env = gymnasium.make("Blackjack-v1", sab=True)
    agent = make_agent(n_actions=2, alpha=0.05, gamma=0.99, epsilon=0.3, random_state=0)
    env.reset(seed=0)
    for _ in range(GAMES):
        (state, _), over = env.reset(), False
        while not over:
            action = int(agent.get_action(state))
            new_state, reward, over, _, _ = env.step(action)
            agent.update(state, action, reward, new_state if show_the_end or not over else None, over)
            state = new_state
    return float(agent.q_table[TWENTY][STICK]), float(max(values.max() for values in agent.q_table.values()))


for make_agent in (QLAgent, SarsaAgent):
    (stick, greatest), (right, greatest_right) = play(make_agent, True), play(make_agent, False)
    print(f"{make_agent.__name__}: sticking with 20 is worth {stick:.2f}, the greatest value {greatest:.2f};", end=" ")
    print(f"with None at the end {right:.2f} and {greatest_right:.2f}")
    assert greatest > 3 and stick > 1 > greatest_right > 0.5 and 0 < right < 0.8
agent = DQNAgent(lambda: torch.nn.Linear(1, 2), n_actions=2, lr=0.1)
print("learning rate asked for", agent.lr, "and used", agent.optimizer.param_groups[0]["lr"])
assert agent.lr == 0.1 and agent.optimizer.param_groups[0]["lr"] == 0.0005
PYTHON
