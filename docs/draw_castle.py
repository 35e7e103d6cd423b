"""Draws `castle.png`, the picture in the README: a whole game of the greedy player against itself.

Usage: python docs/draw_castle.py
"""

from pathlib import Path

import numpy as np
from PIL import Image

from zamek_agents import GreedyAgent
from zamek_env import Game
from zamek_env.render import draw_rgb

SEED = 11
HEIGHT = 820  # pixels

if __name__ == "__main__":
    game, agent, rng = Game(seed=SEED), GreedyAgent(), np.random.default_rng(SEED)
    while not game.is_terminal:
        game.step(agent.act(game, rng))
    picture = draw_rgb(game.ruleset.components, game.position(), HEIGHT)
    Image.fromarray(picture).quantize(128).save(Path(__file__).parent / "castle.png", optimize=True)
