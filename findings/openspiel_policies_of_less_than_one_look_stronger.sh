#!/usr/bin/env bash
# A good guess: `exploitability` of OpenSpiel refuses a policy whose chances do not add up to 1, as after a network's
# softmax over all actions of which the illegal ones were left out; or it divides by the sum.
#
# What happens: it computes with what is there. Where a policy's chances add up to less, all that follows counts less
# for whoever exploits it, so it looks stronger the more it wasted: in Leduc poker the uniform policy has 2.37, and
# 1.46 if each legal action has a third, where often only two are legal; if each has half of what is due, 0.47. It is
# so with a `Policy` in Python, a `TabularPolicy`, and for `nash_conv` and the function in C++; `policy_value` shrinks
# too. Only more than 1 for one action, or an action without a chance, is refused. Divide by the sum before.
#
# numpy 2.4.6, open-spiel 2.0.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 open-spiel==2.0.2
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability

GAME = pyspiel.load_game("leduc_poker")


class Even(policy.Policy):
    """Gives all legal actions of a state the same chance, computed from their number."""

    def __init__(self, share):
        super().__init__(GAME, [0, 1])
        self.share = share

    def action_probabilities(self, state, player_id=None):
        legal = state.legal_actions()
        return {action: self.share(len(legal)) for action in legal}


def measure(share):
    """Return the exploitability by the policy, as a table, and in C++."""
    even = Even(share)
    table = policy.tabular_policy_from_callable(GAME, even.action_probabilities)
    compiled = policy.python_policy_to_pyspiel_policy(table)
    ways = (
        exploitability.exploitability(GAME, even),
        exploitability.exploitability(GAME, table),
        pyspiel.exploitability(GAME, compiled),
    )
    return [round(float(way), 3) for way in ways]


seen = {
    "whole": measure(lambda legal: 1 / legal),
    "masked": measure(lambda legal: 1 / GAME.num_distinct_actions()),
    "half": measure(lambda legal: 0.5 / legal),
}
print("exploitability of chances that add up to 1, to less with fewer actions, and to a half:", seen)
assert seen == {"whole": [2.374] * 3, "masked": [1.459] * 3, "half": [0.467] * 3}
PYTHON
