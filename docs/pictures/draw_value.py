"""Draws `value.svg`, how the evaluation of the agent `value` learned, from the `curve.json` of its trainings.

Usage: python docs/pictures/draw_value.py runs/value-zamek runs/value-sokol runs/value-carcassonne
"""

import json
from pathlib import Path

import tyro
from matplotlib import pyplot as plt
from tyro.conf import Positional

from zamek_agents.analysis.plots import style


@style()
def main(folder: Positional[Path], more: Positional[tuple[Path, ...]] = ()) -> None:
    """Draw the win rate and the margin against the greedy player by games, a line for each folder of a training."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    for each in (folder, *more):
        rows = [row for row in json.loads((each / "curve.json").read_text()) if "win_rate" in row]
        games = [row["games"] / 1000 for row in rows]
        label = each.name.removeprefix("value-")
        left.plot(games, [100 * row["win_rate"] for row in rows], label=label)
        right.plot(games, [row["margin"] for row in rows], label=label)
    left.set(xlabel="thousand games of self-play", ylabel="% won against greedy", ylim=(50, 100))
    right.set(xlabel="thousand games of self-play", ylabel="points more than greedy", ylim=(0, None))
    right.legend(fontsize="small")
    figure.savefig(Path(__file__).parent / "value.svg", metadata={"Date": None})


if __name__ == "__main__":
    tyro.cli(main, description=__doc__)
