"""Draws `learning.svg`, how MaskablePPO learns from rows, from `learning.csv`.

Usage: python docs/pictures/draw_learning.py [FILE ...]

Each FILE is what the example printed, and is named ENVIRONMENT_SEED.txt:

    python examples/sb3_maskable_ppo.py --env-id Zamek-v1 --seed 1 | tee Zamek-v1_1.txt

Its curve takes the place of that of the same environment and seed in the CSV file, or is added there.
"""

import csv
import re
from collections import defaultdict
from pathlib import Path

import tyro
from matplotlib import pyplot as plt
from tyro.conf import Positional

from zamek_agents.analysis.plots import style

_CURVES = Path(__file__).with_name("learning.csv")
_COLUMNS = ("environment", "seed", "decisions", "won")  # won: % of the games against `greedy`
_REWARD = re.compile(r"Eval num_timesteps=(\d+), episode_reward=(-?\d\.\d+)")


@style()
def main(files: Positional[tuple[Path, ...]] = ()) -> None:
    """Take the curves of `files` in, and draw all: a thin line a seed, a thick one for their mean."""
    rows = read_curves() | {key: won for file in files for key, won in read_printed(file).items()}
    with _CURVES.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([_COLUMNS, *([*key, won] for key, won in sorted(rows.items()))])
    figure, axes = plt.subplots(figsize=(7, 3.6), layout="constrained")
    for color, environment in enumerate(sorted({key[0] for key in rows}, reverse=True)):
        seeds, together = defaultdict(list), defaultdict(list)
        for (name, seed, decisions), won in sorted(rows.items()):
            if name == environment:
                seeds[seed].append((decisions / 1e6, won))
                together[decisions / 1e6].append(won)
        for points in seeds.values():
            axes.plot(*zip(*points, strict=True), color=f"C{color}", alpha=0.3, linewidth=0.8)
        means = [(decisions, sum(won) / len(won)) for decisions, won in together.items() if len(won) == len(seeds)]
        label = f"{environment}, {len(seeds)} seed{'s' * (len(seeds) > 1)}"
        axes.plot(*zip(*means, strict=True), color=f"C{color}", marker=".", label=label)
    axes.axhline(50, color="grey", linewidth=0.8, linestyle=":")
    axes.set(xlabel="million decisions", ylabel="% won against greedy", ylim=(0, 100), xlim=(0, None))
    axes.legend(loc="lower right")
    figure.savefig(_CURVES.with_suffix(".svg"), metadata={"Date": None})


def read_curves():
    """Return {(environment, seed, decisions): % won} of the CSV file."""
    if not _CURVES.exists():
        return {}
    with _CURVES.open(newline="", encoding="utf-8") as file:
        return {(r["environment"], r["seed"], int(r["decisions"])): float(r["won"]) for r in csv.DictReader(file)}


def read_printed(file):
    """Return the same of what the example printed."""
    environment, _, seed = file.stem.rpartition("_")
    found = _REWARD.findall(file.read_text(encoding="utf-8"))
    return {(environment, seed, int(decisions)): 50 + 50 * float(reward) for decisions, reward in found}


if __name__ == "__main__":
    tyro.cli(main, description=__doc__)
