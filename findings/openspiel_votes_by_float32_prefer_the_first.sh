#!/usr/bin/env bash
# A good guess: `add_vote_from_values` of OpenSpiel's voting methods, by which agents are ranked over many games or
# tasks, breaks ties by chance, as its documentation says: of two agents with the same returns each comes first in half
# of the votes.
#
# What happens: it adds up to 1e-10 to each value, in the dtype of the values. Of float32, such as the returns of most
# vector environments, and of float64 of a million and more, that adds nothing: among equal ones the agent that was
# named first wins each vote. Two agents that win all games against a third are not equal then, but the first beats the
# second in all of them, by every method. Values of 0 are not concerned, so ties of losers are broken by chance, and a
# test with zeros passes. Convert to float64 and scale the values to some units.
#
# numpy 2.4.6, open_spiel 2.0.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 open_spiel==2.0.2
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
from open_spiel.python.voting import base, borda, copeland

GAMES = 1000


def count(values):
    """Return how often the first agent comes before the second, and the scores of both by two methods."""
    np.random.seed(1)
    profile = base.PreferenceProfile(alternatives=["first", "second", "third"])
    for _ in range(GAMES):
        profile.add_vote_from_values(values)
    outcomes = [method().run_election(profile) for method in (borda.BordaVoting, copeland.CopelandVoting)]
    scores = [dict(zip(outcome.ranking, outcome.scores)) for outcome in outcomes]
    return int(profile.pref_matrix()[0, 1]), [[float(found[name]) for name in ("first", "second")] for found in scores]


doubles, large = count(np.array([1.0, 1.0, -1.0])), count(np.array([2e6, 2e6, 1e6]))
singles, zeros = count(np.array([1, 1, -1], np.float32)), count(np.array([0, 0, -1], np.float32))
print(f"of {GAMES} ties the first wins, by float64: {doubles[0]}, by float32: {singles}, of 2e6: {large[0]}")
assert 400 < doubles[0] < 600 and 400 < zeros[0] < 600
assert singles == large == (GAMES, [[2 * GAMES, GAMES], [2, 1]])
PYTHON
