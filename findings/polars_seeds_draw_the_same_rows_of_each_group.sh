#!/usr/bin/env bash
# A good guess: `pl.col("move").sample(2, seed=7)` in `group_by("game").agg` draws two moves of each game, others in
# each, and the same ones whenever it runs again. So does pandas' `groupby.sample(2, random_state=7)`.
#
# What happens: every group begins with the same seed, so of all games of one length the same two places are drawn. Of
# a hundred games of 60 moves two moves are seen and 58 never. So it is with `shuffle(seed=7).over("game")`, and with
# `pl.set_random_seed` alone it is not. Where lengths differ, the places differ only with the length. Shuffle once,
# across all games: `df.sample(fraction=1, shuffle=True, seed=7).group_by("game").head(2)`.
#
# polars 2.1.0, and numpy 2.4.6 and pandas 3.1.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  polars==2.1.0 numpy==2.4.6 pandas==3.1.1
"$folder/venv/bin/python" - <<'PYTHON'
import pandas as pd
import polars as pl

GAMES, MOVES = 100, 60
data = {"game": [game for game in range(GAMES) for _ in range(MOVES)], "move": list(range(MOVES)) * GAMES}
df = pl.DataFrame(data)


def draw():
    return df.group_by("game").agg(pl.col("move").sample(2, seed=7)).explode("move")


by_seed = draw()["move"].n_unique()
shuffled = df.select("game", pl.col("move").shuffle(seed=7).over("game")).group_by("game").agg("move")
orders = len({tuple(moves) for moves in shuffled["move"]})
pl.set_random_seed(7)
without = df.group_by("game").agg(pl.col("move").sample(2)).explode("move")["move"].n_unique()
once = df.sample(fraction=1, shuffle=True, seed=7).group_by("game").head(2)
of_pandas = pd.DataFrame(data).groupby("game")["move"].sample(2, random_state=7).nunique()
print("different moves of 60 in 200 draws: polars", by_seed, "pandas", of_pandas, "polars without a seed", without)
print("orders of 100 shuffled games:", orders, "moves where all are shuffled at once:", once["move"].n_unique())
assert by_seed == 2 and orders == 1 and draw()["move"].n_unique() == 2
assert of_pandas > 40 and without > 40
assert once["move"].n_unique() > 40 and once.height == 2 * GAMES
PYTHON
