#!/usr/bin/env bash
# A good guess: `make_wintable` of bbtcomp with `deal_with_ties="random"` gives each tie to one of both agents by the
# toss of a coin: of the ties of many pairs each side gets about half, wherever it stands in the table.
#
# What happens: of the ties of a pair the first agent gets a number from one to all of them, drawn once, so each
# number is as likely as any other, and none is impossible. Who has one tie with each other agent never loses one of
# them to an agent behind it in the table: the first column wins all, the last none. Of two ties the first gets one
# and a half. And of a hundred it gets any number from 1 to 100, so the winner of a level pair is chance. Nothing is
# said, and Bradley-Terry's ratings are fitted to these wins. "spread", the default, adds a game where ties are odd,
# one half for each; "davidson" models them.
#
# numpy 2.4.6, pandas 3.1.1, bbtcomp 0.4.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==3.1.1
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps \
  bbtcomp==0.4.0
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
import pandas as pd
from bbtcomp import make_wintable

AGENTS = ["one", "two", "three", "four"]


def share(ties, draws=200):
    """Return by draw the share of ties that the first of two agents gets, where all games are ties."""
    level = pd.DataFrame(1.0, index=range(ties), columns=AGENTS[:2])
    tables = [make_wintable(level, dbcol=None, deal_with_ties="random").table for _ in range(draws)]
    return np.array([table["win1"][0] for table in tables]) / ties


def count(ways):
    """Return the wins of four agents that tied once with each other."""
    table = make_wintable(pd.DataFrame(1.0, index=[0], columns=AGENTS), dbcol=None, deal_with_ties=ways).table
    wins = dict.fromkeys(AGENTS, 0)
    for _, row in table.iterrows():
        wins[AGENTS[row["pi"]]] += int(row["win1"])
        wins[AGENTS[row["pj"]]] += int(row["win2"])
    return wins


means, spread = [share(ties).mean().round(2).item() for ties in (1, 2, 100)], share(100).std().round(2).item()
print("mean share of the first of 1, 2 and 100 ties:", means, "deviation of that of 100:", spread, "of a coin: 0.05")
print("wins of four agents that tied once with each other:", count("random"), "spread:", count("spread"))
assert means[0] == 1 and 0.7 < means[1] < 0.8 and 0.4 < means[2] < 0.6 and spread > 0.2
assert count("random") == {"one": 3, "two": 2, "three": 1, "four": 0}
assert count("spread") == dict.fromkeys(AGENTS, 3)
PYTHON
