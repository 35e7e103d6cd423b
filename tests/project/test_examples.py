"""The examples, run as a user runs them."""

import json
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np
import pytest

from tests.support.games import finish, play_randomly
from tests.support.installed_agents import installed
from zamek_agents import make_agent
from zamek_env import Game
from zamek_env.single import ZamekEnv

ROOT = Path(__file__).parents[2]
ZAMEK = shutil.which("zamek", path=sysconfig.get_path("scripts"))
COMMAND = [ZAMEK] if ZAMEK else [sys.executable, "-c", "from zamek_scripts.cli import main; raise SystemExit(main())"]
MY_AGENT = ROOT / "examples" / "my_agent.py"
__all__ = ["installed"]


def run(folder, *arguments):
    return subprocess.run([*COMMAND, *arguments], cwd=folder, capture_output=True, text=True, encoding="utf-8")


@pytest.mark.parametrize(
    ("folder", "spec"),
    [
        (ROOT, "examples/my_agent.py:MyAgent(depth=2)"),
        pytest.param(ROOT / "examples", "my_agent:MyAgent(depth=2)", marks=pytest.mark.long),
    ],
)
def test_an_agent_of_ones_own_is_evaluated(folder, spec):
    arguments = ["--agents", spec, "random", "--games", "2", "--ruleset", "carcassonne-demo", "--workers", "1"]
    done = run(folder, "evaluate", *arguments)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^ *my agent, depth 2 +2 +100\.0%", done.stdout, re.MULTILINE)


@pytest.mark.parametrize("call", ["MyAgent(depth=9)", "MyAgent(breadth=1)", "YourAgent"])
@pytest.mark.long
def test_an_agent_that_cannot_be_made_is_refused_in_one_line(call):
    spec = f"examples/my_agent.py:{call}"
    done = run(ROOT, "evaluate", "--agents", spec, "random", "--games", "2", "--ruleset", "carcassonne-demo")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"evaluate: the agent {spec!r}: ") and done.stderr.count("\n") == 1


def test_it_takes_the_most_points_that_it_can_have_now():
    agent, deeper = (make_agent(f"{MY_AGENT}:MyAgent(depth={depth})") for depth in (1, 2))
    gained = 0
    for game in play_randomly(Game("carcassonne-demo", seed=2)):
        if game.is_terminal:
            break
        player, points = game.current_player, {}
        for action in game.legal_actions():
            twin = game.copy()
            twin.step(action)
            points[action] = twin.scores[player]
        assert points[agent.act(game, np.random.default_rng(1))] == max(points.values())
        assert deeper.act(game, np.random.default_rng(1)) in points
        gained += max(points.values()) > game.scores[player]
    assert gained > 2


def test_it_is_an_opponent_too():
    env = ZamekEnv(opponent=f"{MY_AGENT}:MyAgent", seat=1)
    env.reset(seed=1)
    env.step(env.game.legal_actions()[0])
    assert len(env.game.history) >= 3


def test_the_python_of_the_page_on_agents_runs(installed, monkeypatch):
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    assert blocks
    monkeypatch.chdir(ROOT)
    for block in blocks:
        exec(compile(block, "agents.md", "exec"), {})
    (command,) = re.findall(r"zamek evaluate .*", MY_AGENT.read_text(encoding="utf-8"))
    assert f"    {command}\n" in page


def test_other_examples_that_examples_name_are_there():
    for example in MY_AGENT.parent.glob("*.py"):
        for name in re.findall(r"`(\w+\.py)`", example.read_text(encoding="utf-8")):
            assert (example.parent / name).exists(), f"{example.name} names {name}"


@pytest.mark.long
@pytest.mark.parametrize("count", [10, 2])
def test_behaviour_cloning_learns_from_exported_games(count, tmp_path):
    pytest.importorskip("torch")
    export_games(tmp_path, count)
    done = clone(tmp_path, "--epochs", "1", "--batch", "64" if count == 10 else "512", "--pairs", "1")
    assert done.returncode == 0, done.stderr
    assert re.search(r"agrees with \d.*%.*\nwins .*% \(.*\) of 2 games against greedy", done.stdout)
    assert "loss=" in done.stderr


@pytest.mark.long
def test_behaviour_cloning_says_in_a_line_which_games_it_cannot_learn_from(tmp_path):
    pytest.importorskip("torch")
    done = clone(tmp_path)
    assert (done.returncode, done.stdout) == (1, "") and done.stderr.startswith("the games cannot be read: ")
    assert "games" in done.stderr and done.stderr.count("\n") == 1
    for name, observation, said in (
        ("one", ("vector", "rows"), "the games must be 2 or more, as one is held out, not 1\n"),
        ("plain", ("vector",), "the games must have vector and rows: export them with --observation vector rows\n"),
    ):
        (tmp_path / name).mkdir()
        export_games(tmp_path / name, 1, observation)
        done = clone(tmp_path / name)
        assert (done.returncode, done.stderr) == (1, said)


@pytest.mark.long
@pytest.mark.parametrize(("players", "rules"), [(3, None), (2, {"small_city": True})])
def test_behaviour_cloning_refuses_games_that_it_would_not_play_at_the_end(players, rules, tmp_path):
    pytest.importorskip("torch")
    games = [Game("carcassonne-demo", seed, players=players, rules=rules) for seed in (1, 2)]
    with (tmp_path / "games.jsonl").open("w") as file:
        file.writelines(json.dumps(finish(game).record()) + "\n" for game in games)
    exported = run(tmp_path, "export", "games.jsonl", "--observation", "vector", "rows", "--out", "games")
    assert exported.returncode == 0, exported.stderr
    done = clone(tmp_path)
    said = "the games must be of two players, by a packaged ruleset, as those at the end are\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)


def export_games(folder, count, observation=("vector", "rows")):
    """Export so many games into `folder / "games"`."""
    agents = ["--agents", "greedy", "random", "--ruleset", "carcassonne-demo", "--observation", *observation]
    assert run(folder, "export", "--play", str(count), *agents, "--out", "games").returncode == 0


def clone(folder, *arguments):
    """Run the example on `folder / "games"`."""
    script = [sys.executable, str(ROOT / "examples" / "behaviour_cloning.py"), "games"]
    return subprocess.run([*script, *arguments], cwd=folder, capture_output=True, text=True, encoding="utf-8")
