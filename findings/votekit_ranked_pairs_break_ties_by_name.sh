#!/usr/bin/env bash
# A good guess: `RankedPairs(profile, tiebreak="random")` of VoteKit draws among agents that tie, as `Schulze` with the
# same argument, and `election_states[-1].tiebreaks` says what was drawn.
#
# What happens: it draws, notes what was drawn, and elects the first one by name, as its docstring says of all ties,
# though it takes `tiebreak`. Of 60 ties between A and B `RankedPairs` elects A in all, and notes B as the first in many
# of them. `Schulze` elects what it notes. Nothing is said. Draw yourself from the agents in `tiebreaks`.
#
# Beside it, the second argument without a name is `tiebreak` here and in `Schulze`, and `n_seats` in `Plurality`.
#
# numpy 2.3.5, pandas 3.1.1, votekit 3.5.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.3.5 pandas==3.1.1 votekit==3.5.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import inspect

from votekit.ballot import RankBallot
from votekit.elections import Plurality, RankedPairs, Schulze
from votekit.pref_profile import RankProfile

ballots = [RankBallot(ranking=[{first}, {second}], weight=5) for first, second in ("AB", "BA")]
profile = RankProfile(ballots=tuple(ballots))
counts = {}
for method in (RankedPairs, Schulze):
    elected, noted = [], []
    for _ in range(60):
        election = method(profile, tiebreak="random")
        elected += election.get_elected()[0]
        noted += election.election_states[-1].tiebreaks[frozenset("AB")][0]
    counts[method.__name__] = elected.count("B"), noted.count("B"), sum(map(str.__ne__, elected, noted))
second = [list(inspect.signature(method).parameters)[1] for method in (RankedPairs, Schulze, Plurality)]
print("of 60 ties B is elected, is noted as the first, and both differ:", counts, "second arguments:", second)
assert counts["RankedPairs"][0] == 0 and counts["RankedPairs"][1] > 10
assert counts["Schulze"][0] > 10 and counts["Schulze"][2] == 0
assert second == ["tiebreak", "tiebreak", "n_seats"]
PYTHON
