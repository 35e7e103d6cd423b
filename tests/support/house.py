"""House rules drawn at random, such as go together."""

import random

SWITCHES = ("back_into_bag", "start_in_bag", "hole_plays_again", "unfinished_pays_nothing", "small_city")
HELD = ({}, {"draw_ahead": True}, {"hand": "open"}, {"hand": "hidden"})
TABLES = ({}, {"table": (1, 11)}, {"table": (7, 9)}, {"table": (5, 5), "edges_complete": True})


def draw_house(rng: random.Random) -> dict:
    """Some of the house rules."""
    return {name: True for name in SWITCHES if rng.random() < 0.5} | rng.choice(HELD) | rng.choice(TABLES)
