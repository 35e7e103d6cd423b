"""Draws `ppo.svg`, how the network of the agent `ppo` learned, by letting the checkpoints of its training play.

Usage: python docs/pictures/draw_ppo.py runs/ppo-zamek        (about 15 seconds a checkpoint)
"""

import json
from pathlib import Path

import tyro
from matplotlib import pyplot as plt
from tqdm import tqdm
from tyro.conf import Positional

from zamek_agents import make_agent
from zamek_agents.analysis.plots import style
from zamek_agents.arena.comparison import compare
from zamek_agents.arena.sets import line_up

PAIRS = 10
OPPONENTS = ("greedy", "value")


@style()
def main(folder: Positional[Path]) -> None:
    """Draw the win rate and the margin against each opponent by decisions learned from, with 95 % intervals."""
    config = json.loads((folder / "config.json").read_text())
    numbers = sorted(int(path.stem.removeprefix("checkpoint-")) for path in folder.glob("checkpoint-*.npz"))
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    millions = [number / 1e6 for number in numbers]
    for opponent in OPPONENTS:
        found = [play(folder / f"checkpoint-{number}.npz", opponent) for number in tqdm(numbers, unit="checkpoint")]
        left.plot(millions, [100 * each.win_rate for each in found], label=opponent)
        ends = [[100 * each.win_rate_interval[end] for each in found] for end in (0, 1)]
        left.fill_between(millions, *ends, alpha=0.15)
        right.plot(millions, [each.mean_margin for each in found], label=opponent)
    left.set(xlabel="million decisions", ylabel="% won against", ylim=(0, 100))
    right.set(xlabel="million decisions", ylabel="points more than")
    right.legend(fontsize="small")
    for axes in (left, right):
        axes.axvline(config["imitated"] / 1e6, color="grey", linewidth=0.8, linestyle=":")
    figure.savefig(Path(__file__).parent / "ppo.svg", metadata={"Date": None})


def play(checkpoint, opponent):
    """Return the `Comparison` of a checkpoint with that opponent."""
    (pairing,) = line_up([make_agent(f"ppo:{checkpoint}"), make_agent(opponent)], seed=7)
    return compare(pairing.play(PAIRS))


if __name__ == "__main__":
    tyro.cli(main, description=__doc__)
