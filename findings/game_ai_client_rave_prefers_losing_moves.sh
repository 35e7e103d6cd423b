#!/usr/bin/env bash
# A good guess: `RAVESelectionStrategy` of game-ai-client with `RAVEBackpropagationStrategy` learns of a move from all
# games in which it was played later, so few simulations tell good moves from bad ones. Its README says that it makes
# the search converge faster.
#
# What happens: a position keeps these values as its own player sees them, but they are turned to the other side where
# the next player is another, as if they were the child's. So moves that come with wins look bad, and those that come
# with losses look good, until far more visits outweigh them. With three of the cards 1 to 6 to be played for the higher
# sum, the search with RAVE begins with the 1 or 2 in most of twenty runs of 300 simulations, and plain UCB with the 5
# or 6. Nothing is said. Besides, `SolverBackpropagationStrategy` never marks the ends of games as solved, so it proves
# nothing. Use "ucb" and "default", as `MCTS()` does.
#
# requests 2.34.2, game-ai-client 1.2.3; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check requests==2.34.2 game-ai-client==1.2.3
"$folder/venv/bin/python" - <<'PYTHON'
import random
from statistics import mean

from game_sdk.mcts import (
    MCTS,
    Node,
    RandomSimulationStrategy,
    get_backpropagation_strategy,
    get_selection_strategy,
)

RUNS, SIMULATIONS = 20, 300


class Cards:
    """A game of two with the cards 1 to 6 each, of which three are played in turn; the higher sum wins."""

    def __init__(self, played=()):
        self.played = played

    def current_player(self):
        return len(self.played) % 2

    def get_legal_actions(self):
        mine = {(self.current_player(), card) for card in range(1, 7)}
        return [] if self.is_game_over() else sorted(mine - set(self.played))

    def move(self, action):
        return Cards((*self.played, action))

    def is_game_over(self):
        return len(self.played) == 6

    def game_result(self):
        ahead = sum(card if player == self.current_player() else -card for player, card in self.played)
        return (ahead > 0) - (ahead < 0)


def first_cards(selection, backpropagation):
    """Return the first cards of runs with a search that has these strategies."""
    cards = []
    for seed in range(RUNS):
        random.seed(seed)
        search = MCTS(
            selection_strategy=get_selection_strategy(selection),
            simulation_strategy=RandomSimulationStrategy(track_moves=True),
            backpropagation_strategy=get_backpropagation_strategy(backpropagation),
        )
        cards.append(search.search(Cards(), SIMULATIONS)[1])
    return cards


rave, ucb = first_cards("rave", "rave"), first_cards("ucb", "default")
print(f"first card of 1 to 6 after {SIMULATIONS} simulations, RAVE: {rave}, UCB: {ucb}")
end = Node(Cards(tuple((turn % 2, turn // 2 + 1) for turn in range(6))), 0)
get_backpropagation_strategy("solver").backpropagate(end, 0.0)
print("the end of a game is solved:", end.is_solved)
assert mean(rave) <= 2.5 and mean(ucb) >= 5 and not end.is_solved
PYTHON
