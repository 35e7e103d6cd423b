"""Counts the bytes that a game takes, by all that Python and numpy allocate while it is made and played.

Usage: python benchmarks/memory.py
"""

import tracemalloc

from legal_actions import draw_legal
from rich.table import Table

from zamek_env.ruleset import get_ruleset
from zamek_env.vector import ZamekVectorEnv
from zamek_scripts.terminal import make_console

RULESETS = ("zamek", "sokol", "carcassonne")
GAMES, STEPS = 512, 70  # so many steps that games have ended
WAYS = {
    "vector environment": {},
    "vector environment, copy=False": {"copy": False},
    "vector environment, copy=True": {"copy": True},
    "vector environment, flat=True": {"flat": True},
    "vector environment, SAME_STEP": {"autoreset_mode": "SameStep"},
    "vector environment, codes and vector": {"observation": ("codes", "vector")},
    "vector environment, vector and rows": {"observation": ("vector", "rows")},
}


def measure_memory():
    """Return {name: bytes} of one game of each ruleset."""
    found = {}
    for name in RULESETS:
        ruleset = get_ruleset(name)
        found[f"{name}: a state"] = ruleset.state_dtype.itemsize
        found[f"{name}: planes, vector and mask"] = ruleset.frame_dtype().itemsize
        found |= {f"{name}: a game of a {way}": measure_games(name, arguments) for way, arguments in WAYS.items()}
    return found


def measure_games(ruleset, arguments):
    """Return the bytes a game of a vector environment takes in a loop that holds what was seen last."""
    play(ruleset, 2, 1, arguments)  # what is made once is not counted
    tracemalloc.start()
    held = play(ruleset, GAMES, STEPS, arguments)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del held
    return taken // GAMES


def play(ruleset, count, steps, arguments):
    """Play `steps` in each of `count` games; return the environment and what was seen last."""
    env = ZamekVectorEnv(count, ruleset=ruleset, **arguments)
    seen, info = env.reset(seed=1)
    for step in range(steps):
        seen, *_, info = env.step(draw_legal(info["action_mask"], step))
    return env, seen, info


if __name__ == "__main__":
    table = Table("", "bytes")
    for name, taken in measure_memory().items():
        table.add_row(name, f"{taken:,}")
    make_console().print(table)
