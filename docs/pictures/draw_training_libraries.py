"""Draws `training_libraries.svg`, how the examples with training libraries learned, from `training_libraries.csv`.

Usage: python docs/pictures/draw_training_libraries.py [FILE ...]

Each FILE is what an example printed, and is named like it: `python examples/cleanrl_ppo.py | tee cleanrl_ppo.txt`. Its
curve takes the place of the one of that name in the CSV file, or is added there.
"""

import csv
import re
from pathlib import Path

import matplotlib as mpl
import tyro
from matplotlib import pyplot as plt
from tyro.conf import Positional

_CURVES = Path(__file__).with_name("training_libraries.csv")
_COLUMNS = ("example", "decisions", "won")  # won: % of the games against `random`
_SCORE = re.compile(r"^(\d+) steps, \d+ s: (\d\.\d+) of", re.MULTILINE)
_REWARD = re.compile(r"^Eval num_timesteps=(\d+), episode_reward=(-?\d\.\d+)", re.MULTILINE)  # of Stable-Baselines3


def main(files: Positional[tuple[Path, ...]] = ()) -> None:
    """Take the curves of `files` in, and draw all: one line an example, the games won by decisions learned from."""
    curves = read_curves() | {file.stem.replace("_", " "): read_printed(file) for file in files}
    if files:
        write_curves(curves)
    mpl.rcParams["svg.hashsalt"] = "zamek"  # the same picture, the same file
    figure, axes = plt.subplots(figsize=(7, 3.6), layout="constrained")
    for name, points in curves.items():
        axes.plot([decisions / 1000 for decisions, _ in points], [won for _, won in points], marker=".", label=name)
    axes.axhline(50, color="grey", linewidth=0.8, linestyle=":")
    axes.set(xlabel="thousand decisions", ylabel="% won against random", ylim=(0, 100))
    axes.legend(frameon=False, fontsize="small", ncols=2)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(_CURVES.with_suffix(".svg"), metadata={"Date": None})


def read_printed(file):
    """Return the points (decisions, % won) of what an example printed. Raises `ValueError` where it has none."""
    printed = file.read_text(encoding="utf-8").replace("\r", "\n")
    points = [(int(steps), 100 * float(score)) for steps, score in _SCORE.findall(printed)]
    points += [(int(steps), 50 * (1 + float(reward))) for steps, reward in _REWARD.findall(printed)]
    if not points:
        raise ValueError(f"{file} holds no evaluations, as the examples print them")
    return points


def read_curves():
    """Return {example: points} of the CSV file."""
    curves = {}
    with _CURVES.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            curves.setdefault(row["example"], []).append((int(row["decisions"]), float(row["won"])))
    return curves


def write_curves(curves):
    """Write the CSV file."""
    with _CURVES.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_COLUMNS)
        writer.writerows((name, steps, f"{won:.4g}") for name, points in curves.items() for steps, won in points)


if __name__ == "__main__":
    tyro.cli(main, description=__doc__)
