#!/usr/bin/env bash
# A good guess: `bayesian_test` of abtoolkit gives the chance that one agent is better than the other, from points as
# from wins, so that a draw can be half a success, or the priors half a success and half a failure. "two-sided" is
# another alternative than "less".
#
# What happens: it sums over the failures of the first agent by ones, and stops at one or below. With a half the sum
# ends elsewhere, and the chance is too low: 0.04 for 2 against 3 points of 4 games with priors of a half, where it is
# 0.24, and -0.23 for half a point against nine and a half of 10. Between equals of 2.5 points it is 0.42. Nothing is
# said. With whole numbers it is right, and with halves in a hundred games the error is beyond the third place.
#
# Beside it, the function takes "two-sided" for "less", as does its simulation, whose other tests take it as it is.
#
# numpy 2.4.6, scipy 1.17.1, abtoolkit 2.0.1; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps abtoolkit==2.0.1
"$folder/venv/bin/python" - <<'PYTHON'
from abtoolkit.discrete.stattests import bayesian_test, conversion_ztest
from scipy import integrate, stats


def compare(first, second, games, prior=1.0):
    """Return the chance that the first agent is better, by abtoolkit and by the integral."""
    said = bayesian_test(first, games, second, games, "greater", prior, prior)
    one, other = (stats.beta(points + prior, games - points + prior) for points in (first, second))
    right = integrate.quad(lambda chance: one.pdf(chance) * other.cdf(chance), 0, 1)[0]
    return round(float(said), 3), round(float(right), 3)


whole, prior, halves = compare(50, 60, 100), compare(2, 3, 4, prior=0.5), compare(0.5, 9.5, 10)
extreme, equal, many = compare(0, 10, 10, prior=0.5), compare(2.5, 2.5, 5), compare(50.5, 60.5, 100)
sides = [round(float(bayesian_test(50, 100, 60, 100, side)), 3) for side in ("less", "two-sided")]
others = [round(float(conversion_ztest(50, 100, 60, 100, side)), 3) for side in ("less", "two-sided")]
print(f"said and right: wins {whole}, half priors {prior}, {extreme}, half points {halves}, equal {equal},", end=" ")
print(f"of 100 games {many}; less and two-sided {sides}, by the z-test {others}")
assert whole[0] == whole[1] and many[0] == many[1] and prior == (0.043, 0.237)
assert max(halves[0], extreme[0]) < 0 == halves[1] == extreme[1] and equal == (0.423, 0.5)
assert sides[0] == sides[1] and others[0] < others[1]
PYTHON
