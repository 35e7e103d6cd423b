#!/usr/bin/env bash
# A good guess: `MatchupDataset` of riix keeps the rows of a table: game `i` is played by the two agents of row `i`, and
# has its result. Rows that are not sorted by time are sorted, or refused.
#
# What happens: agents are looked up by joins of Polars, which promise no order of rows, and results are taken from the
# table as it is. So games move, differently each time, and each gets the result of another one: of forty games between
# forty agents that win all and forty that lose all, many are won by a loser. Ratings are computed from that without
# a word. And with days in the order 3, 1, 2 two of three games are rated twice. Sort tables by day, and build the
# data by `MatchupDataset.init_from_arrays`.
#
# numpy 2.4.6, scipy 1.17.1, polars 2.1.0, riix 0.0.6; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 polars==2.1.0
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps \
  riix==0.0.6
"$folder/venv/bin/python" - <<'PYTHON'
from datetime import date

import numpy as np
import polars as pl
from riix.models.elo import Elo
from riix.utils import MatchupDataset

GAMES = 40


def load(games, days):
    first, second, results = zip(*games, strict=True)
    table = pl.DataFrame({"day": [date(2026, 1, day) for day in days], "a": first, "b": second, "won": results})
    return MatchupDataset(table, ["a", "b"], "won", datetime_col="day", rating_period="1D", verbose=False)


# strong agents win all games, now as the first player, then as the second one
games = [
    (f"strong {game}", f"weak {game}", 1.0) if game % 2 else (f"weak {game}", f"strong {game}", 0.0)
    for game in range(GAMES)
]
loaded = load(games, [1] * GAMES)
pairs = [tuple(loaded.competitors[player] for player in players) for players in loaded.matchups]
model = Elo(loaded.competitors)
model.fit_dataset(loaded)
below = sum(name.startswith("strong") for name, rating in zip(loaded.competitors, model.ratings) if rating < 1500)
counts = [len(results) for _, results, _ in load(games[:3], [3, 1, 2])]
print("strong agents, who have won all games, with a rating below the first one:", below, "of", GAMES)
print("games of three days, of one each, the first row on the last day:", counts)
assert set(pairs) == {(first, second) for first, second, _ in games}
assert pairs != [(first, second) for first, second, _ in games] and below > 0
assert loaded.outcomes.tolist() == [result for *_, result in games] and sum(counts) == 5

right = MatchupDataset.init_from_arrays(
    np.zeros(GAMES, np.int32),
    np.array([[loaded.competitor_to_idx[name] for name in players] for *players, _ in games]),
    np.array([result for *_, result in games]),
    loaded.competitors,
)
model = Elo(right.competitors)
model.fit_dataset(right)
assert all((rating > 1500) == name.startswith("strong") for name, rating in zip(right.competitors, model.ratings))
PYTHON
