#!/usr/bin/env bash
# A good guess: intervals of vw-estimators, for the mean return of a policy from games of another, may be computed in
# parts and added, `part + part`, with the same result as from all games at once. `get(alpha)` is of the confidence
# 1 - alpha.
#
# What happens: the sum of two Clopper-Pearson intervals forgets `rmin` and `rmax`, and scales back to 0 and 1. With
# rewards of -1 and 1, where one game of four is won, all games at once give an interval around -0.5, and the sum of two
# halves one around 0.25. Nothing is said; intervals by Cressie-Read add up well. `Interval` of `ccb.first_slot` always
# returns that of 95 %, whatever `alpha` is. Set both bounds in the sum, and call `impl.get(alpha)`.
#
# numpy 2.4.6, scipy 1.17.1, vw-estimators 0.2.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 scipy==1.17.1 vw-estimators==0.2.2
"$folder/venv/bin/python" - <<'PYTHON'
from estimators.bandits import clopper_pearson, cressieread, gaussian
from estimators.ccb import first_slot

GAMES = 1000


def estimate(interval, games):
    """Add games of which one in four is won to an interval, and return it."""
    for game in games:
        interval.add_example(0.5, 1 if game % 4 == 0 else -1, 0.5)
    return interval


def rounded(interval):
    return [round(float(bound), 2) for bound in interval]


seen = {}
for module in (clopper_pearson, cressieread):
    whole = estimate(module.Interval(rmin=-1, rmax=1), range(GAMES))
    halves = [estimate(module.Interval(rmin=-1, rmax=1), range(start, GAMES, 2)) for start in (0, 1)]
    name = module.__name__.rpartition(".")[2]
    seen[name] = rounded(whole.get()), rounded((halves[0] + halves[1]).get())
    print(f"{name}: all games {seen[name][0]}, two halves added {seen[name][1]}")

slots, plain = first_slot.Interval(gaussian.Interval()), gaussian.Interval()
for game in range(GAMES):
    slots.add_example([0.5], [game % 4 == 0], [0.5])
    plain.add_example(0.5, game % 4 == 0, 0.5)
wide = {alpha: (rounded(plain.get(alpha)), rounded(slots.get(alpha)[0])) for alpha in (0.5, 0.05, 0.0001)}
print("bandits and first slot, by alpha:", wide)
assert seen["clopper_pearson"] == ([-0.55, -0.44], [0.22, 0.28]) and seen["cressieread"][0] == seen["cressieread"][1]
assert len({str(first) for _, first in wide.values()}) == 1 and len({str(bandits) for bandits, _ in wide.values()}) == 3
PYTHON
