"""`examples/river`: Carcassonne with the River, a ruleset of its own, played by everything and in every way.

All runs without compilation, which would take longer than the games. Learning, which needs it, is tried on a pond.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.test_own_ruleset import POND_FILES
from tests.support.box import write_box
from tests.support.games import IS_COMPILED
from tests.support.lockstep import RIVER
from zamek_env import load_components
from zamek_env.components.model import facing_port
from zamek_scripts import cli

ROOT = Path(__file__).parents[2]
ZAMEK = "import sys; from zamek_scripts.cli import main; sys.exit(main(sys.argv[1:]))"
PLAIN = {"NUMBA_DISABLE_JIT": "1"}


def run(code, *arguments, cwd=ROOT, environment=PLAIN):
    """Run Python code with these arguments in a process of its own; return its exit code, what it printed and said."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "300"} | environment
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


# --- the tiles ---


def test_the_river_has_twelve_tiles_more():
    river, base = load_components(RIVER), load_components(ruleset="carcassonne")
    more = [tile for tile in river.tiles if tile not in base.tiles]
    assert len(more) == 12 and len({tile.id for tile in more}) == 10
    assert [tile for tile in river.tiles if tile in base.tiles] == list(base.tiles)
    assert river.start_tile == base.start_tile
    features = [segment.feature for tile in more for segment in tile.segments]
    assert [features.count(name) for name in ("city", "road", "monastery")] == [4, 4, 1]


def test_nothing_but_a_bridge_crosses_the_river():
    """Straight rivers run from west to east: only a road joins the north of a tile and the south."""
    tiles = {tile.id: tile for tile in load_components(RIVER).tiles}
    north, south = {11, 0, 1, 2, 3}, {facing_port(port) for port in (0, 1, 2)} | {5, 9}
    crossing = {
        name: {
            segment.feature for segment in tiles[name].segments if {*segment.ports} & north and {*segment.ports} & south
        }
        for name in ("RC", "RE", "RG", "RH", "RI")
    }
    assert crossing == {"RC": set(), "RE": {"road"}, "RG": set(), "RH": set(), "RI": set()}


# --- played ---


PLAY = """
import json, pickle
import gymnasium
import numpy as np
from tests.support.lockstep import RIVER, box_of, play_in_lockstep
from tests.support.games import play_randomly
from tests.support.record_checker import check_record
from zamek_agents import RandomAgent
from zamek_agents.registry import make_agent
from zamek_env import Game, carcassonne_v0, load_components
from tests.support.checking.consistency import check_consistency
from zamek_env.render import draw_rgb, draw_svg
from zamek_env.vector import ZamekVectorEnv

agent, rng = RandomAgent(), np.random.default_rng(3)
game = Game("river", 3, RIVER)
twin = play_in_lockstep(game, lambda game, actions: agent.act(game, rng))
record = json.loads(json.dumps(game.record()))
check_record(record, twin)
assert (record["ruleset"], record["components"]) == ("river", load_components(RIVER).digest)
for components in (RIVER, str(RIVER), load_components(RIVER)):
    assert Game.replay(record, components).record() == record
river_tiles = {turn["tile"] for turn in record["turns"]} & {f"R{letter}" for letter in "ABCDEFGHIJ"}
assert len(river_tiles) > 7, river_tiles
assert all(name in str(game) for name in river_tiles)
assert draw_svg(game.ruleset.components, game.position()).startswith("<svg")
assert draw_rgb(game.ruleset.components, game.position()).std() > 20
for number, now in enumerate(play_randomly(Game("river", 4, RIVER), 4)):
    if number % 20 == 0:
        check_consistency(now)

env = gymnasium.make("Zamek-v0", ruleset="river", components=str(RIVER), render_mode="ansi")
seen, info = env.reset(seed=0)
env.step(int(info["action_mask"].argmax()))
assert seen in env.observation_space and env.render()
env.reset(seed=1)
games = ZamekVectorEnv(2, "river", components=str(RIVER))
batch, _ = games.reset(seed=0)
assert np.array_equal(batch["planes"][0], seen["planes"])
assert pickle.loads(pickle.dumps(games)).ruleset is games.ruleset is game.ruleset
pair = carcassonne_v0.env(ruleset="river", components=str(RIVER))
pair.reset(seed=0)
pair.reset(seed=0)
assert pair.unwrapped.game.seed == Game.replay(pair.unwrapped.game.record(), RIVER).seed

new = Game("river", 5, RIVER)
for spec in ("random", "greedy", "mcts:simulations=2,turns=1,tries=1,width=2", "expectimax:width=1,tiles=1"):
    assert make_agent(spec).act(new, rng) in new.legal_actions()
for spec in ("value", "ppo"):
    try:
        make_agent(spec).act(new, rng)
    except ValueError as error:
        assert "are shipped for the ruleset 'river' on components of your own" in str(error), error
    else:
        raise AssertionError(spec)
"""


@pytest.mark.long
def test_the_river_is_played_by_the_rules_in_every_way():
    code, _, said = run(PLAY)
    assert code == 0, said


@pytest.mark.long
def test_agents_are_compared_on_the_river(tmp_path):
    which, agents = ["--components", RIVER, "--ruleset", "river"], ["--agents", "random", "random", "--games", "4"]
    options = ["--workers", "2", "--records", tmp_path / "games.jsonl", "--out", tmp_path / "out"]
    code, printed, said = run(ZAMEK, "evaluate", *which, *agents, *options)
    assert code == 0 and "random #2" in printed, said
    assert (tmp_path / "games.jsonl").read_text(encoding="utf-8").count('"ruleset": "river"') == 4
    assert load_components(RIVER).digest in (tmp_path / "out" / "pairs.jsonl").read_text(encoding="utf-8")


# --- learned ---


TRAIN = [
    "--steps", 8, "--rollout", 4, "--games", 2, "--past-games", 1, "--opponent-games", 1, "--batch", 8, "--width", 8,
    "--hidden", 4,
]  # fmt: skip


@pytest.fixture
def pond(tmp_path):
    return write_box(tmp_path / "pond", POND_FILES)


def evaluate(cwd, *agents):
    which = ["--components", "pond", "--ruleset", "pond"]
    return run(ZAMEK, "evaluate", *which, "--agents", *agents, "--games", 2, "--workers", 1, cwd=cwd)


@pytest.mark.long
def test_a_network_learns_a_ruleset_of_ones_own_and_plays_no_other(pond):
    folder, which = pond.parent, ["--components", "pond", "--ruleset", "pond"]
    code, _, said = run(ZAMEK, "train", *which, *TRAIN, "--out", "out", cwd=folder)
    assert code == 0, said
    code, printed, said = evaluate(folder, "random", "ppo:out/weights.npz")
    assert code == 0 and "ppo:out/weights.npz" in printed, said
    resume = [*which, *TRAIN, "--resume", "out/final.npz", "--steps", 16]
    code, _, said = run(ZAMEK, "train", *resume, "--out", "more", cwd=folder)
    assert code == 0, said
    (pond / "pond.json").write_text((pond / "pond.json").read_text().replace('"B": 1', '"B": 2'))
    code, _, said = evaluate(folder, "random", "ppo:out/weights.npz")
    assert code == 2 and said.startswith("evaluate: out/weights.npz was trained on other components of 'pond': on ")
    code, _, said = run(ZAMEK, "train", *resume, "--out", "other", cwd=folder)
    assert code == 2 and said.startswith("train: --resume: out/final.npz was trained on other components of 'pond': ")
    assert not (folder / "other").exists()


@pytest.mark.long
@pytest.mark.skipif(not IS_COMPILED, reason="learning needs compiled code")
def test_weights_of_a_ruleset_of_ones_own_are_learned_and_played_on_no_other(pond):
    folder, which = pond.parent, ["--components", "pond", "--ruleset", "pond"]
    learn = [*which, "--games", 4, "--report-every", 2, "--match-deals", 1]
    code, _, said = run(ZAMEK, "train-value", *learn, "--out", "out", cwd=folder, environment={})
    assert code == 0, said
    code, printed, said = evaluate(folder, "random", "value:out/weights.npz")
    assert code == 0 and "value:out/weights.npz" in printed, said
    (pond / "pond.json").write_text((pond / "pond.json").read_text().replace('"B": 1', '"B": 2'))
    for agent in ("value:out/weights.npz", "expectimax:weights=out/weights.npz"):
        code, _, said = evaluate(folder, "random", agent)
        assert code == 2 and said.startswith("evaluate: out/weights.npz was trained on other components of 'pond': on ")
    resume = [*which, "--resume", "out/learner.npz", "--out", "other"]
    code, _, said = run(ZAMEK, "train-value", *resume, cwd=folder)
    assert code == 2 and "out/learner.npz was trained on other components of 'pond': on " in said
    assert not (folder / "other").exists()


# --- refused ---


@pytest.mark.parametrize("command", ["evaluate", "train", "train-value"])
@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--ruleset", "river"], "--ruleset must be one of zamek, .*; a ruleset of your own comes with --components"),
        (["--ruleset", "river", "--components", "lost"], "--components: lost: is not a folder with component files"),
        (
            ["--components", RIVER],
            "--components: .*: holds none of zamek.json, .*; it holds river.*; that is the ruleset 'river'",
        ),
    ],
)
def test_commands_refuse_what_is_not_there_in_one_line(command, options, problem, tmp_path, refused):

    refusal = refused(cli.run, [command, *map(str, options), "--out", str(tmp_path / "out")])
    assert refusal.count("\n") == 1 and not (tmp_path / "out").exists()
    assert re.match(f"^{command}: {problem}", refusal), refusal
