"""Draws `training_libraries.svg`, how the examples with training libraries learned, from what they printed.

Usage: python examples/cleanrl_ppo.py | tee runs/examples/cleanrl_ppo.txt, and so on; then
       python docs/pictures/draw_training_libraries.py runs/examples/*.txt
"""

import re
import sys
from pathlib import Path

import matplotlib as mpl
from matplotlib import pyplot as plt

_SCORE = re.compile(r"^(\d+) steps, \d+ s: (\d\.\d+) of", re.MULTILINE)
_REWARD = re.compile(r"^Eval num_timesteps=(\d+), episode_reward=(-?\d\.\d+)", re.MULTILINE)  # of Stable-Baselines3


def main(files):
    """Draw the share of games won against `random` by decisions learned from, one line a file, named by the file."""
    mpl.rcParams["svg.hashsalt"] = "zamek"  # the same picture, the same file
    figure, axes = plt.subplots(figsize=(7, 3.6), layout="constrained")
    for file in files:
        printed = file.read_text(encoding="utf-8").replace("\r", "\n")
        points = [(int(steps), 100 * float(score)) for steps, score in _SCORE.findall(printed)]
        points += [(int(steps), 50 * (1 + float(reward))) for steps, reward in _REWARD.findall(printed)]
        thousands = [steps / 1000 for steps, _ in points]
        axes.plot(thousands, [score for _, score in points], marker=".", label=file.stem.replace("_", " "))
    axes.axhline(50, color="grey", linewidth=0.8, linestyle=":")
    axes.set(xlabel="thousand decisions", ylabel="% won against random", ylim=(0, 100))
    axes.legend(frameon=False, fontsize="small", ncols=2)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(Path(__file__).parent / "training_libraries.svg", metadata={"Date": None})


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
