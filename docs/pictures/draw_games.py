"""Draws the pictures in the README, games of the greedy player against itself: `castle.png` and `carcassonne.png`.

Usage: python docs/pictures/draw_games.py
"""

from pathlib import Path

import numpy as np
from PIL import Image

from zamek_agents import GreedyAgent
from zamek_env import Game

HEIGHT = 820  # pixels
PICTURES = (  # file, ruleset, deal, tiles still in the deck
    ("castle.png", "zamek", 11, 0),
    ("carcassonne.png", "carcassonne", 9, 12),
)


def play(ruleset, deal, tiles_left):
    """Return a game that the greedy player has played against itself until so many tiles are left, or to its end."""
    game, agent, rng = Game(ruleset, seed=deal), GreedyAgent(), np.random.default_rng(deal)
    while not game.is_terminal and (tiles_left == 0 or game.position().remaining.total() >= tiles_left):
        game.step(agent.act(game, rng))
    return game


if __name__ == "__main__":
    for name, ruleset, deal, tiles_left in PICTURES:
        game = play(ruleset, deal, tiles_left)
        picture = game.draw_rgb(HEIGHT)
        Image.fromarray(picture).quantize(128).save(Path(__file__).parent / name, optimize=True)
