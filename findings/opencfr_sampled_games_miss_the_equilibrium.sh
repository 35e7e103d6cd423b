#!/usr/bin/env bash
# A good guess: all minimizers of openCFR come near an equilibrium of its Kuhn poker, and those that sample more slowly:
# the more iterations, the less an opponent who knows a strategy can win against it. The first player loses 1/18 a game.
#
# What happens: `VanillaCFR` and `CFRPlus` do, and the others stop elsewhere. `MCCFR_External` and `MCCFR_Outcome` draw
# an action with equal chances, and then weigh it by its probability, as if all had been looked at. After 20,000
# iterations as after 60,000 an opponent wins 0.12 to 0.21 a game against them, a third of the 0.46 that it wins against
# a player who draws by lot, and the first player is said to gain. `RBP_CFR` counts what it leaves out as worth 0, and
# stays at 0.09. Nothing is said. Take `CFRPlus`.
#
# numpy 2.4.6, tqdm 4.70.1, openCFR 1.0.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 tqdm==4.70.1 opencfr==1.0.0
"$folder/venv/bin/python" - <<'PYTHON'
import contextlib
import io
import itertools

import numpy as np
from openCFR import Trainer
from openCFR.games.sample_games import Kuhn
from openCFR.minimizers import RBP_CFR, CFRPlus, MCCFR_External, MCCFR_Outcome, VanillaCFR

CARDS, CHECK, BET, CALL, FOLD = "JQK", 0, 1, 2, 3
DECISIONS = (((), (CHECK, BET)), ((CHECK,), (BET,)))


def score(cards, actions, player):
    """Return what a player wins in a game that is over, and None before."""
    if actions[-2:] == (CHECK, CHECK):
        points = 1
    elif actions[-1:] == (CALL,):
        points = 2
    elif actions[-1:] == (FOLD,):
        return 1 if len(actions) % 2 == player else -1
    else:
        return None
    return points if CARDS.index(cards[player]) > CARDS.index(cards[1 - player]) else -points


def expect(cards, actions, player, plan, strategies):
    """Return what a player with a plan wins on average against strategies."""
    if (points := score(cards, actions, player)) is not None:
        return points
    to_move = len(actions) % 2
    legal = (CALL, FOLD) if actions[-1:] == (BET,) else (CHECK, BET)
    if to_move == player:
        return expect(cards, (*actions, legal[plan[cards[player], actions]]), player, plan, strategies)
    chances = strategies["-".join([cards[to_move], *map(str, actions)])]
    return sum(
        chance * expect(cards, (*actions, action), player, plan, strategies)
        for chance, action in zip(chances, legal, strict=True)
    )


def find_best_answer(strategies, player):
    decisions = list(itertools.product(CARDS, DECISIONS[player]))
    plans = (dict(zip(decisions, plan, strict=True)) for plan in itertools.product((0, 1), repeat=len(decisions)))
    deals = list(itertools.permutations(CARDS, 2))
    return max(np.mean([expect(cards, (), player, plan, strategies) for cards in deals]) for plan in plans)


def measure(strategies):
    return round(float(sum(find_best_answer(strategies, player) for player in (0, 1))) / 2, 3)


def train(minimizer, iterations):
    """Return the exploitability of the strategies that a minimizer finds, and the value it reports."""
    np.random.seed(0)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        sets, total = Trainer(Kuhn(), minimizer).train(iterations=iterations, display_results=False)
    exploitability = measure({key: infoset.get_average_strategy() for key, infoset in sets.items()})
    return exploitability, round(float(total / iterations), 3)


seen = {}
for minimizer, *lengths in (
    (VanillaCFR, 1000, 3000),
    (CFRPlus, 1000, 3000),
    (RBP_CFR, 1000, 3000),
    (MCCFR_External, 20_000, 60_000),
    (MCCFR_Outcome, 20_000, 60_000),
):
    name = minimizer.__name__.rpartition(".")[2]
    seen[name] = [train(minimizer, iterations) for iterations in lengths]
    print(f"{name}: exploitability and value after {lengths} iterations:", seen[name])
keys = ["-".join([card, *map(str, actions)]) for card in CARDS for each in DECISIONS for actions in each]
print("by lot:", measure(dict.fromkeys(keys, (0.5, 0.5))))
assert all(seen[name][-1][0] < 0.01 for name in ("VanillaCFR", "CFRPlus"))
assert all(exploitability > 0.08 for name in list(seen)[2:] for exploitability, _ in seen[name])
assert all(value > 0 for name in list(seen)[3:] for _, value in seen[name])
PYTHON
