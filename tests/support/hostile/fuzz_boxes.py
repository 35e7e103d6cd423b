"""Changes component files at random: each box is refused in one line, or it is played, seen, recorded and replayed.

What is accepted is also played by other house rules and by other numbers of players, if it can be.

    python -m tests.support.hostile.fuzz_boxes [--boxes 100] [--games 1] [--seed 0] [--way plain]

Boxes come from `mutated_boxes.py`. Kernels run as plain Python, which compiles nothing for each new box and raises at
an index too high and at a number too large for its type; `--way checked` compiles them with every index checked.
"""

import argparse
import json
import os
import pickle
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

import numpy as np

from tests.support.box import write_box
from tests.support.checking.consistency import check_consistency
from tests.support.hostile.mutated_boxes import draw_box, draw_rules
from tools.run_tests import ROOT, WAYS
from zamek_env import ComponentError, Game, load_components
from zamek_env.components.highest_score import bound_score
from zamek_env.components.house_rules import vary
from zamek_env.observer import Observer
from zamek_env.ruleset import Ruleset, get_ruleset, make_observation_space

LONGEST_MESSAGE = 2000  # characters
CHECKED_EVERY = 7  # decisions: a consistency check takes as long as many of them


def fuzz(boxes, games, seed):
    """Make so many boxes and play so many games with each that is accepted; return how many were what, a `Counter`."""
    counts = Counter()
    for number in range(boxes):
        rng = np.random.default_rng([seed, number])
        ruleset, files = draw_box(rng)
        with tempfile.TemporaryDirectory() as folder:
            try:
                counts[try_box(Path(folder) / "box", ruleset, files, games, rng)] += 1
            except Exception as error:
                kept = write_box(Path(tempfile.mkdtemp()) / "box", files)
                raise AssertionError(f"box {number} of seed {seed}, {ruleset}, kept in {kept}") from error
    return counts


def try_box(folder, ruleset, files, games, rng):
    """Load a box; play it if it is accepted. Return `"refused"` or `"accepted"`."""
    write_box(folder, files)
    try:
        components = load_components(folder, ruleset)
    except ComponentError as error:
        check_message(error)
        return "refused"
    assert load_components(folder, ruleset) == components
    rules = get_ruleset(ruleset, components)
    assert pickle.loads(pickle.dumps(rules)) is rules
    tables = [rules, *vary_table(components, rng)]
    for _ in range(games):
        for table in tables:
            play_game(table, int(rng.integers(2**31)), rng)
    return "accepted" if len(tables) == 1 else "varied"


def vary_table(components, rng):
    """Return a list of the ruleset for another number of players and by other house rules, if one is not refused."""
    for _ in range(10):
        try:
            varied = vary(components, int(rng.integers(7)), draw_rules(rng))
        except (ValueError, TypeError) as error:
            check_message(error)
        else:
            return [get_ruleset(components.name, varied)]
    return []


def check_message(error):
    """Check that an error says what is wrong in one line that can be read."""
    message = str(error)
    assert "\n" not in message and len(message) <= LONGEST_MESSAGE, message


def play_game(ruleset, deal, rng):
    """Play a game at random; look at it, check it and replay its record."""
    game = Game(ruleset.name, deal, ruleset.components)
    parts, number = ("planes", "codes", "vector"), np.arange(len(ruleset.codes))
    observer, space = Observer(ruleset, parts), make_observation_space(ruleset, parts)
    highest = bound_score(ruleset.components)
    while not game.is_terminal:
        seen, mask, player, scores = observer.look(game, int(rng.integers(ruleset.players)))
        assert seen in space, name_entries_beyond(ruleset, seen)
        assert np.array_equal(ruleset.code_planes[number, seen["codes"]].sum(-2), seen["planes"])
        actions = game.legal_actions()
        assert actions == np.flatnonzero(mask).tolist() and player == game.current_player
        assert max(scores) <= highest, (scores, highest)
        if len(game.history) % CHECKED_EVERY == 0:
            check_consistency(game)
            assert game.concealed(rng, player).public_key(player) == game.public_key(player)
        game.step(int(rng.choice(actions)))
    check_consistency(game)
    assert all(observer.look(game, player)[0] in space for player in range(ruleset.players))
    assert min(game.scores) >= 0 and max(game.scores) <= highest, (game.scores, highest)
    components = None if ruleset.is_packaged else ruleset.components
    twin = Game.replay(json.loads(json.dumps(game.record())), components)
    assert twin.state.tobytes() == game.state.tobytes()
    assert isinstance(ruleset, Ruleset) and twin.ruleset is ruleset


def is_passed(boxes, games, seed, way="plain"):
    """Return whether all boxes pass in a process of its own, with kernels run in that one of the `WAYS`."""
    numbers = ["--boxes", str(boxes), "--games", str(games), "--seed", str(seed)]
    command = [sys.executable, "-m", "tests.support.hostile.fuzz_boxes", *numbers, "--way", "here"]
    return subprocess.run(command, cwd=ROOT, env=os.environ | WAYS[way].environment).returncode == 0


def name_entries_beyond(ruleset, seen):
    """Return {name: (entry, the largest allowed)} of what lies beyond the space of observations."""
    vector, planes = ruleset.vector, ruleset.planes
    entries = zip(
        (*vector.names, *planes.names),
        (*seen["vector"], *seen["planes"].max((0, 1))),
        (*vector.high.astype(np.float32), *planes.high),
        strict=True,
    )
    return {name: (float(entry), float(high)) for name, entry, high in entries if not 0 <= entry <= high}


def main():
    """Run the kernels in the way asked for; exit with 1 where a box fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boxes", type=int, default=100, help="how many boxes")
    parser.add_argument("--games", type=int, default=1, help="games with each box that is accepted")
    parser.add_argument("--seed", type=int, default=0, help="of the boxes")
    parser.add_argument("--way", choices=[*WAYS, "here"], default="plain", help="how kernels run; here: as set now")
    args = parser.parse_args()
    if args.way != "here":
        sys.exit(not is_passed(args.boxes, args.games, args.seed, args.way))
    warnings.simplefilter("error")  # such as of numbers that overflow
    print(dict(fuzz(args.boxes, args.games, args.seed)))


if __name__ == "__main__":
    main()
