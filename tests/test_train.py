"""Training: the sign of advantages where the mover changes, and the script as users run it."""

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch
from gymnasium import spaces

from zamek_agents import make_agent
from zamek_agents.opponents import AgentOpponent
from zamek_agents.self_play import SelfPlayVecEnv, SignedRolloutBuffer
from zamek_env import Game
from zamek_scripts import evaluate, train

ROOT = Path(__file__).parent.parent
GAMES = {"games": 8, "past-games": 2, "opponent-games": 2, "imitation-games": 32}
LEARNING = {"rollout": 16, "batch": 64, "epochs": 1, "past-every": 1, "width": 16, "hidden": 8, "threads": 1}
SMALL = [word for name, value in (GAMES | LEARNING).items() for word in (f"--{name}", str(value))]


def run_train(*arguments):
    """Run the script and return the finished process."""
    command = [sys.executable, str(ROOT / "scripts" / "train.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


# --- advantages ---


def fill_buffer(movers, rewards, values, last_value):
    """Return the buffer of one game with these movers (one more than steps), rewards and values, undiscounted."""
    moves = iter(movers)
    buffer = SignedRolloutBuffer(
        len(rewards),
        spaces.Dict({"vector": spaces.Box(0, 1, (1,))}),
        spaces.Discrete(2),
        "cpu",
        gae_lambda=1.0,
        gamma=1.0,
        n_envs=1,
        read_movers=lambda: np.array([0]),
    )
    buffer._read_movers = lambda: np.array([next(moves)])
    buffer.reset()
    for step, (reward, value) in enumerate(zip(rewards, values, strict=True)):
        seen = {"vector": np.zeros((1, 1), np.float32)}
        start = np.array([step == 0])
        tensors = torch.tensor([value]), torch.zeros(1)
        buffer.add(seen, np.zeros((1, 1)), np.array([reward]), start, *tensors, action_masks=np.ones((1, 2)))
    buffer.compute_returns_and_advantage(torch.tensor([last_value]), np.array([False]))
    return buffer.returns[:, 0]


def test_a_reward_of_the_opponent_counts_against_the_player_before():
    returns = fill_buffer(movers=[0, 1, 0], rewards=[1.0, 3.0], values=[0.0, 0.0], last_value=0.0)
    assert returns.tolist() == [1.0 - 3.0, 3.0]


def test_a_reward_of_the_same_player_counts_for_him():
    returns = fill_buffer(movers=[1, 1, 0], rewards=[1.0, 3.0], values=[0.0, 0.0], last_value=0.0)
    assert returns.tolist() == [1.0 + 3.0, 3.0]


def test_the_last_value_is_the_next_movers():
    assert fill_buffer(movers=[0, 1], rewards=[0.0], values=[0.5], last_value=2.0).tolist() == [-2.0]
    assert fill_buffer(movers=[0, 0], rewards=[0.0], values=[0.5], last_value=2.0).tolist() == [2.0]


# --- games for learning ---


class FirstLegal:
    """An opponent that plays the first legal action."""

    name = "first legal"

    def seed(self, seed):
        pass

    def choose(self, seen, masks, states):
        return masks.argmax(axis=1)


def play_randomly(games, steps, seed=0):
    """Yield (movers before, rewards, dones, movers after) of random steps."""
    rng = np.random.default_rng(seed)
    games.seed(seed)
    games.reset()
    for _ in range(steps):
        masks = np.stack(games.env_method("action_masks"))
        movers = games.movers
        games.step_async(np.array([rng.choice(np.flatnonzero(mask)) for mask in masks]))
        _, rewards, dones, _ = games.step_wait()
        yield movers, rewards, dones, games.movers


@pytest.mark.parametrize("reward", ["delta", "score"])
def test_signed_rewards_add_up_to_the_final_difference(reward):
    games = SelfPlayVecEnv(4, reward=reward)
    totals, finished = np.zeros(4), []
    for movers, rewards, dones, _ in play_randomly(games, 300):
        totals += np.where(movers == 0, rewards, -rewards)
        finished += totals[dones].round(2).tolist()
        totals[dones] = 0
    assert len(finished) > 4
    assert finished == [round((mine - theirs) / 100, 2) for _, mine, theirs in games.results]


def test_against_an_opponent_the_learner_keeps_its_seat():
    games = SelfPlayVecEnv(6, [(FirstLegal(), 6)])
    rounds = list(play_randomly(games, 200))
    seats_changed = sum(int((before != after)[~dones].sum()) for before, _, dones, after in rounds)
    assert seats_changed == 0
    assert games.results and all(name == "first legal" for name, _, _ in games.results)


def test_every_opponent_plays_in_as_many_games_as_it_is_given():
    games = SelfPlayVecEnv(7, [(FirstLegal(), 2), (AgentOpponent("greedy", "zamek"), 4)])
    for _ in play_randomly(games, 400):
        pass
    names = [name for name, _, _ in games.results]
    assert names.count("greedy") > names.count("first legal") > 0 and None in names


@pytest.mark.parametrize("reward", ["delta", "score"])
def test_rewards_against_an_opponent_add_up_to_the_learners_final_difference(reward):
    games = SelfPlayVecEnv(4, [(AgentOpponent("greedy", "zamek"), 4)], reward)
    totals, finished = np.zeros(4), []
    for _, rewards, dones, _ in play_randomly(games, 300):
        totals += rewards
        finished += totals[dones].round(2).tolist()
        totals[dones] = 0
    assert len(finished) > 4
    assert sorted(finished) == sorted(round((mine - theirs) / 100, 2) for _, mine, theirs in games.results)


def test_an_agent_as_opponent_decides_as_it_does_in_a_game_and_changes_nothing():
    game, rng = Game("carcassonne", seed=4), np.random.default_rng(0)
    for _ in range(40):
        game.step(rng.choice(game.legal_actions()))
    opponent, before = AgentOpponent("greedy", "carcassonne"), game.state
    opponent.seed(7)
    chosen = opponent.choose({}, None, game.raw_states).tolist()
    assert chosen == [make_agent("greedy").act(game, np.random.default_rng(7))]
    assert (game.state == before).all()


# --- the script ---


LONG_RUN = ("--imitate", 128, "--steps", 256, "--checkpoint-every", 128)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Train a tiny player and return its folder."""
    out = tmp_path_factory.mktemp("trained")
    done = run_train(*LONG_RUN, "--out", out, *SMALL)
    assert done.returncode == 0, done.stderr
    assert "decision" in done.stderr  # the progress bar
    return out


def test_training_writes_a_player_checkpoints_and_its_configuration(trained):
    assert (trained / "final.zip").exists()
    assert list(trained.glob("checkpoint-*.zip"))
    assert list(trained.glob("events*"))
    config = json.loads((trained / "config.json").read_text())
    assert config["arguments"]["games"] == 8
    assert (config["imitated"], config["decisions"]) == (128, 256)
    assert {"torch", "sb3-contrib", "zamek_env", "python"} <= config["versions"].keys()


@pytest.mark.parametrize("name", ["final.zip", "weights.npz"])
def test_the_trained_player_plays_legally_and_alike_every_time(trained, name):
    agent = make_agent(f"ppo:{trained / name}")
    rng = np.random.default_rng(0)
    game = Game(seed=1)
    while not game.is_terminal:
        action = agent.act(game, rng)
        assert action == agent.act(game.copy(), np.random.default_rng(9))
        game.step(action)


def test_a_player_is_trained_for_another_ruleset_and_plays_no_other(tmp_path):
    done = run_train("--ruleset", "sokol", "--steps", 128, "--out", tmp_path, *SMALL)
    assert done.returncode == 0, done.stderr
    agent, rng = make_agent(f"ppo:{tmp_path / 'final.zip'}"), np.random.default_rng(0)
    game = Game("sokol", seed=1)
    for _ in range(20):
        game.step(agent.act(game, rng))
    for other in ("zamek", "sokol-gates"):
        with pytest.raises(ValueError, match=f"was trained for another ruleset than '{other}'"):
            agent.act(Game(other, seed=1), rng)


@pytest.mark.parametrize("decisions", [128, 256])
def test_training_that_was_cut_short_goes_on_as_if_it_had_not_been(trained, tmp_path, decisions):
    resumed = ["--resume", trained / f"checkpoint-{decisions}.zip"]
    done = run_train(*resumed, *LONG_RUN, "--out", tmp_path, *SMALL)
    assert done.returncode == 0, done.stderr
    for name in ("policy.pth", "policy.optimizer.pth"):
        expected, found = read_tensors(trained / "final.zip", name), read_tensors(tmp_path / "final.zip", name)
        assert expected.keys() == found.keys() and all(torch.equal(expected[key], found[key]) for key in expected)
    expected, found = (torch.load(folder / "final.past", weights_only=True) for folder in (trained, tmp_path))
    assert len(expected["weights"]) == len(found["weights"]) == 3
    assert expected["counters"] | {"seconds": 0} == found["counters"] | {"seconds": 0}


def read_tensors(checkpoint, name):
    """Return {where it stands: tensor} of everything in a file of a checkpoint."""
    with zipfile.ZipFile(checkpoint) as file:
        found = torch.load(io.BytesIO(file.read(name)), weights_only=False)
    tensors = {}

    def collect(value, path):
        if isinstance(value, torch.Tensor):
            tensors[path] = value
        elif isinstance(value, dict):
            for key, part in value.items():
                collect(part, (*path, key))

    collect(found, ())
    return tensors


@pytest.mark.parametrize("ruleset", ["sokol", "sokol-gates"])
def test_a_checkpoint_of_another_ruleset_is_refused_in_one_line(trained, tmp_path, ruleset):
    resumed = ["--resume", trained / "final.zip", "--ruleset", ruleset]
    done = run_train(*resumed, "--out", tmp_path / "out", *SMALL)
    assert done.returncode == 2
    assert done.stderr == f"train: --resume: {trained / 'final.zip'} was trained for another ruleset than '{ruleset}'\n"
    assert not (tmp_path / "out").exists()


def test_a_player_is_not_asked_to_play_another_ruleset(trained, capsys):
    with pytest.raises(SystemExit) as exit_info:
        evaluate.main(evaluate.Args(agents=("random", f"ppo:{trained / 'final.zip'}"), ruleset="sokol", games=2))
    assert exit_info.value.code == 2
    printed = f"evaluate: ppo:{trained / 'final.zip'} was trained for another ruleset than 'sokol'\n"
    assert capsys.readouterr() == ("", printed)


def write_zip(path, members):
    """Write a zip file with these contents, {name: bytes}."""
    with zipfile.ZipFile(path, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)


def spoil_checkpoint(checkpoint, path, kind):
    """Write to `path` what is no checkpoint, or no longer."""
    with zipfile.ZipFile(checkpoint) as file:
        members = {name: file.read(name) for name in file.namelist()}
    contents = {"text": b"no zip", "empty": b"", "cut": checkpoint.read_bytes()[:1000]}
    zips = {
        "other zip": {"readme.txt": b"hello"},
        "no data": {"data": b"{}"},
        "no JSON": {"data": b"hello"},
        "a list": {"data": b"[1, 2]"},
        "weights cut": members | {"policy.pth": members["policy.pth"][:500]},
        "weights missing": {name: content for name, content in members.items() if name != "policy.pth"},
    }
    if kind in contents:
        path.write_bytes(contents[kind])
    else:
        write_zip(path, zips[kind])


@pytest.mark.parametrize(
    "kind",
    ["text", "empty", "cut", "other zip", "no data", "no JSON", "a list", "weights cut", "weights missing"],
)
def test_a_file_that_is_no_checkpoint_is_refused_in_one_line(trained, tmp_path, capsys, kind):
    path = tmp_path / "model.zip"
    spoil_checkpoint(trained / "final.zip", path, kind)
    with pytest.raises(SystemExit) as ended:
        train.main(train.Args(out=tmp_path / "out", resume=path, games=24, threads=1, width=16, hidden=8))
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert said.startswith(f"train: --resume: {path} is no checkpoint") and said.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("content", "said"), [(b"hello", "holds no past selves"), (None, "holds past selves of another network")]
)
def test_past_selves_that_do_not_belong_to_the_checkpoint_are_refused(trained, tmp_path, capsys, content, said):
    path = tmp_path / "model.zip"
    path.write_bytes((trained / "final.zip").read_bytes())
    if content is None:
        counters = torch.load(trained / "final.past", weights_only=True)["counters"]
        torch.save({"weights": [{"weight": torch.zeros(3)}], "counters": counters}, path.with_suffix(".past"))
    else:
        path.with_suffix(".past").write_bytes(content)
    with pytest.raises(SystemExit):
        train.main(train.Args(out=tmp_path / "out", resume=path, games=24, threads=1, width=16, hidden=8))
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"games": 0}, "--games"),
        ({"past_games": 99}, "--past-games"),
        ({"opponent_games": -1}, "--opponent-games"),
        ({"opponents": ("nobody",)}, "an agent must be one of"),
        ({"imitate": 10, "ruleset": "sokol-gates"}, "--imitate"),
        ({"minutes": -1.0}, "--minutes"),
        ({"minutes": float("nan")}, "--minutes"),
        ({"resume": Path("nothing.zip")}, "--resume"),
        ({"ruleset": "chess"}, "--ruleset"),
    ],
)
def test_bad_arguments_are_named_and_nothing_is_written(changes, named, tmp_path, capsys):
    with pytest.raises(SystemExit):
        train.main(train.Args(out=tmp_path / "out", **changes))
    assert named in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_bad_argument_on_the_command_line_ends_in_one_line(tmp_path):
    done = run_train("--out", tmp_path / "out", "--games", 0)
    assert done.returncode == 2
    assert done.stderr == "train: --games must be at least 1, not 0\n"


def test_a_file_that_is_no_model_is_refused(tmp_path):
    path = tmp_path / "model.zip"
    path.write_text("no zip")
    with pytest.raises(ValueError, match="holds no trained policy"):
        make_agent(f"ppo:{path}")
