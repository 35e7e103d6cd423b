#!/usr/bin/env bash
# A good guess: `mcts` plays two-player games, as its own example, Noughts and Crosses, shows: `getCurrentPlayer` of a
# state is 1 or -1, `getReward` is from the view of the first, and the search lets each player choose what is best for
# him, as its code on GitHub does.
#
# What happens: that code is of 2020, and no release has it. The package of 2019, which pip installs, does not
# call `getCurrentPlayer`: at every node it prefers the child with the greatest reward, also where the opponent moves.
# So each opponent is thought to help. Of a move that wins only if the other blunders, and loses else, and one that is
# worth a half for sure, it takes the first, the more surely the longer it searches; and whoever has negative rewards
# looks for the moves by which he loses. Nothing is said. Games against a random opponent look well.
# `monte-carlo-tree-search` 2.1.0, made from the later code, multiplies by the player.
#
# mcts 1.0.4, monte-carlo-tree-search 2.1.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for package in mcts==1.0.4 monte-carlo-tree-search==2.1.0; do
  python3 -m venv "$folder/$package"
  "$folder/$package/bin/pip" install --quiet --disable-pip-version-check "$package"
done
cat > "$folder/game.py" <<'PYTHON'
import random
import sys

random.seed(7)
REWARDS = {("safe",): 0.5, ("bold", "blunder"): 1, ("bold", "punish"): -1}


class Game:
    """A game in which the first player is safe, or bold and at the mercy of the second. `sign` swaps both."""

    def __init__(self, sign, moves=()):
        self.sign, self.moves = sign, moves

    def get_current_player(self):
        return self.sign if not self.moves else -self.sign

    def get_possible_actions(self):
        return ["safe", "bold"] if not self.moves else ["blunder", "punish"]

    def take_action(self, action):
        return Game(self.sign, (*self.moves, action))

    def is_terminal(self):
        return self.moves in REWARDS

    def get_reward(self):
        return self.sign * REWARDS[self.moves]

    getCurrentPlayer, getPossibleActions, takeAction = get_current_player, get_possible_actions, take_action
    isTerminal, getReward = is_terminal, get_reward


if sys.argv[1] == "mcts":
    from mcts import mcts

    def choose(state):
        return mcts(iterationLimit=1000).search(initialState=state)
else:
    from mcts.searcher.mcts import MCTS

    def choose(state):
        return MCTS(iteration_limit=1000).search(initial_state=state)


answer = [choose(Game(1)), choose(Game(1, ("bold",))), choose(Game(-1)), choose(Game(-1, ("bold",)))]
print(f"{sys.argv[1]}: the first player is {answer[0]}, the second would {answer[1]}; colours swapped:", *answer[2:])
assert answer == (sys.argv[2].split())
PYTHON
"$folder/mcts==1.0.4/bin/python" "$folder/game.py" mcts "bold blunder bold punish"
"$folder/monte-carlo-tree-search==2.1.0/bin/python" "$folder/game.py" later "safe punish safe punish"
