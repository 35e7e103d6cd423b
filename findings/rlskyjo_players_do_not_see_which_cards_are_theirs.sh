#!/usr/bin/env bash
# A good guess: in rlskyjo, SkyJo for PettingZoo, `collect_observation(player)` shows a player its own cards first, and
# then those of the others. Three equal cards of a column leave the table, and lie on top of the discard pile then.
#
# What happens: without `observe_other_player_indirect`, as by default, the rows are those of player 0, 1 and 2 for all,
# and nothing else in the observation says who looks at it. So all players see the same, and one network for all of them
# does not know which cards it may exchange: only the mask tells which of its cards are still hidden. And where three
# equal cards leave the table, three zeros are discarded, which are among the best: instead of a twelve the next player
# takes a 0. Nothing is said. Pass `observe_other_player_indirect=True`, which shows a player its own cards alone, or
# roll the rows.
#
# numpy 2.4.6, numba 0.68.1, rlskyjo 1.0.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 numba==0.68.1
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps rlskyjo==1.0.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from collections import Counter

import numpy as np
from rlskyjo.game.skyjo import SkyjoGame

GAMES, PLAYERS, REMOVED, NOTHING = 200, 3, 0, 15


def count_cards(game):
    """Count the cards in hands, on the table and in both piles by value."""
    table = game.players_cards[game.players_masked != REMOVED].tolist()
    hand = [game.hand_card] if game.hand_card != NOTHING else []
    return Counter(int(card) for card in [*table, *hand, *game.drawpile, *game.discard_pile])


rng = np.random.default_rng(0)
observations, alike, became = 0, 0, Counter()
for seed in range(GAMES):
    game = SkyjoGame(num_players=PLAYERS)
    game.set_seed(seed)
    while not game.is_terminated:
        player, _ = game.get_expected_action()
        seen = [game.collect_observation((player + i) % PLAYERS)[0] for i in range(PLAYERS)]
        mask = game.collect_observation(player)[1]
        observations, alike = observations + 1, alike + all(np.array_equal(seen[0], other) for other in seen)
        before, columns = count_cards(game), sum(game.game_metrics["num_refunded"])
        game.act(player, int(rng.choice(np.flatnonzero(mask))))
        if sum(game.game_metrics["num_refunded"]) > columns:
            after = count_cards(game)
            lost, found = before - after, after - before
            became[tuple(lost.elements()), tuple(found.elements())] += 1
print(f"observations that are alike for all players: {alike} of {observations}")
print("columns that left the table, and what was discarded:", dict(became))
assert alike == observations > 1000 and any(lost and lost[0] > 0 for lost, _ in became)
assert all(found == (0, 0, 0) for lost, found in became if lost)
PYTHON
