"""Training as users run it: by the script, with files that it wrote and files that it did not."""

import contextlib
import io
import json
import pickle
import subprocess
import sys
import zipfile
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from tests.support.array_files import Planted, read_arrays, write_changed
from zamek_agents import make_agent
from zamek_agents.benchmark import learn_ppo, learn_td
from zamek_agents.ppo.learner import Counters, load_checkpoint
from zamek_agents.ppo.policy import FORMAT
from zamek_agents.pretrained import find_shipped
from zamek_env import Game
from zamek_env.ruleset import get_ruleset
from zamek_scripts import cli, evaluate, train, train_tiles, train_value
from zamek_scripts.run_folder import is_run
from zamek_scripts.train_args import check
from zamek_scripts.train_tiles import Progress

ROOT = Path(__file__).parents[2]
GAMES = {"games": 8, "past-games": 2, "opponent-games": 2, "imitation-games": 32}
LEARNING = {"rollout": 16, "batch": 64, "epochs": 1, "past-every": 1, "width": 16, "hidden": 8, "threads": 1}
SMALL = [word for name, value in (GAMES | LEARNING).items() for word in (f"--{name}", str(value))]


def run_train(*arguments):
    """Run the script in a process of its own and return that once it is over."""
    command = [sys.executable, str(ROOT / "scripts" / "train.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


# --- the script ---


SEARCH = "mcts:simulations=6,width=3,turns=2"
SHIPPED = find_shipped("ppo", get_ruleset())
LONG_RUN = ("--imitate", 128, "--steps", 256, "--checkpoint-every", 128)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Train a tiny player and return its folder."""
    out, said = tmp_path_factory.mktemp("trained"), io.StringIO()
    with contextlib.redirect_stderr(said):
        cli.main(["train", *map(str, (*LONG_RUN, "--out", out, *SMALL))])
    assert "decision" in said.getvalue()  # the progress bar
    return out


def small_args(**changes):
    """Return arguments of a training as small as `trained`."""
    return train.Args(**({"games": 24, "threads": 1, "width": 16, "hidden": 8} | changes))


def test_training_writes_a_player_checkpoints_and_its_configuration(trained):
    names = {path.name for path in trained.iterdir() if not path.name.startswith("events")}
    checkpoints = {f"checkpoint-{decisions}.npz" for decisions in (128, 256, 384)}
    assert names == checkpoints | {"final.npz", "weights.npz", "config.json", "config.yaml"}
    assert list(trained.glob("events*"))
    config = json.loads((trained / "config.json").read_text())
    assert config["arguments"]["games"] == 8
    assert (config["imitated"], config["decisions"]) == (128, 256)
    assert {"torch", "sb3-contrib", "zamek_env", "python"} <= config["versions"].keys()


@pytest.mark.parametrize("name", ["final.npz", "weights.npz"])
def test_the_trained_player_plays_legally_and_alike_every_time(trained, name):
    agent = make_agent(f"ppo:{trained / name}")
    rng = np.random.default_rng(0)
    game = Game(seed=1)
    while not game.is_terminal:
        action = agent.act(game, rng)
        assert action == agent.act(game.copy(), np.random.default_rng(9))
        game.step(action)


@pytest.mark.long
def test_a_player_is_trained_for_another_ruleset_and_plays_no_other(tmp_path):
    done = run_train("--ruleset", "carcassonne-demo", "--steps", 128, "--out", tmp_path, *SMALL)
    assert done.returncode == 0, done.stderr
    agent, rng = make_agent(f"ppo:{tmp_path / 'final.npz'}"), np.random.default_rng(0)
    game = Game("carcassonne-demo", seed=1)
    for _ in range(20):
        game.step(agent.act(game, rng))
    for other in ("zamek", "carcassonne"):
        with pytest.raises(ValueError, match=f"was trained for the ruleset 'carcassonne-demo', not for '{other}'"):
            agent.act(Game(other, seed=1), rng)


@pytest.mark.parametrize("decisions", [128, 256])
@pytest.mark.long
def test_training_that_was_cut_short_goes_on_as_if_it_had_not_been(trained, tmp_path, decisions):
    resumed = ["--resume", trained / f"checkpoint-{decisions}.npz"]
    done = run_train(*resumed, *LONG_RUN, "--out", tmp_path, *SMALL)
    assert done.returncode == 0, done.stderr
    (expected, about), (found, about_then) = (read_arrays(folder / "final.npz") for folder in (trained, tmp_path))
    np.testing.assert_equal(found, expected)
    assert {name.split("/")[1] for name in expected if name.startswith("past/")} == {"0", "1", "2"}
    assert sum(name.endswith("/exp_avg") for name in expected) == 24
    counted = ("legs", "imitated", "updates", "decisions")
    assert [about[name] for name in counted] == [about_then[name] for name in counted] == [3, 128, 2, 256]


@pytest.mark.long
def test_training_may_end_with_what_was_imitated(trained, tmp_path):
    done = run_train("--imitate", 128, "--steps", 0, "--checkpoint-every", 128, "--out", tmp_path, *SMALL)
    assert done.returncode == 0, done.stderr
    (expected, _), (found, about) = read_arrays(trained / "checkpoint-128.npz"), read_arrays(tmp_path / "final.npz")
    np.testing.assert_equal(found, expected)
    assert (about["imitated"], about["decisions"]) == (128, 0)


def test_the_first_that_a_training_writes_tells_that_it_is_one(tmp_path, monkeypatch):
    def end(training, about):
        raise OSError("the power is gone")

    monkeypatch.setattr(train_tiles.Training, "_write_about", end)
    with pytest.raises(SystemExit):
        train.main(small_args(out=tmp_path))
    assert is_run(tmp_path)


def test_training_begins_with_given_weights_and_imitates_an_agent_that_searches(trained, tmp_path, monkeypatch):
    begun = []
    monkeypatch.setattr(
        train_tiles.Training, "_learn", lambda training, _: begun.append(training.model.policy.state_dict())
    )
    monkeypatch.chdir(tmp_path)
    train.main(small_args(out=tmp_path / "out", imitate=64, steps=0, weights=trained / "weights.npz", teacher=SEARCH))
    parts = read_arrays(trained / "weights.npz")[0]
    assert all(np.array_equal(part, begun[0][name].numpy()) for name, part in parts.items())
    monkeypatch.undo()
    out = tmp_path / "learned"
    train.main(
        small_args(out=out, imitate=16, imitation_repeats=2, steps=0, weights=trained / "weights.npz", teacher=SEARCH)
    )
    found = read_arrays(out / "final.npz")[0]
    moved = [np.abs(found[name] - part).max() for name, part in parts.items()]
    assert 0 < max(moved) < 0.1
    make_agent(f"ppo:{out / 'weights.npz'}")


@pytest.mark.parametrize(
    "ruleset", [pytest.param(name, marks=pytest.mark.long) for name in ("carcassonne", "carcassonne-demo")]
)
def test_a_checkpoint_of_another_ruleset_is_refused_in_one_line(trained, tmp_path, ruleset):
    resumed = ["--resume", trained / "final.npz", "--ruleset", ruleset]
    done = run_train(*resumed, "--out", tmp_path / "out", *SMALL)
    assert done.returncode == 2
    said = f"{trained / 'final.npz'} was trained for the ruleset 'zamek', not for '{ruleset}'"
    assert done.stderr == f"train: --resume: {said}\n"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"hidden": 9}, "--resume: PATH has a network of width 16 and hidden 8, not 16 and 9"),
        (
            {"games": 8, "past_games": 2, "opponent_games": 2, "rollout": 16, "batch": 64, "steps": 128},
            "--steps must be as in the run of PATH, which made 256, not 128",
        ),
    ],
)
def test_a_checkpoint_of_another_size_or_from_more_decisions_is_refused(trained, tmp_path, refused, changes, said):
    path = trained / "final.npz"
    refusal = refused(train.main, small_args(out=tmp_path / "out", resume=path, **changes))
    assert refusal == f"train: {said}\n".replace("PATH", str(path)) and not (tmp_path / "out").exists()


def test_a_player_is_not_asked_to_play_another_ruleset(trained, refused):
    agents = ("random", f"ppo:{trained / 'final.npz'}")
    refusal = refused(evaluate.main, evaluate.Args(agents=agents, ruleset="carcassonne-demo", games=2))
    said = f"{trained / 'final.npz'} was trained for the ruleset 'zamek', not for 'carcassonne-demo'"
    assert refusal == f"evaluate: {said}\n"


# --- checkpoints that are none ---


ADAM = "optimizer/3/exp_avg"
PART = "features_extractor.network.value.2.bias"
PAST = f"past/0/{PART}"
CHANGES = {
    "no decisions": lambda arrays, about: about.pop("decisions"),
    "a decision too few": lambda arrays, about: about.update(decisions=-1),
    "no counter": lambda arrays, about: about.pop("legs"),
    "a counter with a fraction": lambda arrays, about: about.update(updates=1.5),
    "endless seconds": lambda arrays, about: about.update(seconds=1e300),
    "no number of seconds": lambda arrays, about: about.update(seconds="3"),
    "an unknown ruleset": lambda arrays, about: about.update(ruleset=["zamek"]),
    "the format of weights": lambda arrays, about: about.update(format=FORMAT),
    "a part missing": lambda arrays, about: arrays.pop(PART),
    "a part of halves": lambda arrays, about: arrays.update({PART: np.zeros(1, np.float16)}),
    "half of an optimiser": lambda arrays, about: arrays.pop(ADAM),
    "an optimiser of another shape": lambda arrays, about: arrays.update({ADAM: np.float32(1)}),
    "a negative square": lambda arrays, about: arrays.update({f"{ADAM}_sq": -1 - arrays[f"{ADAM}_sq"]}),
    "a past self that is none": lambda arrays, about: arrays.pop(PAST),
    "a past self that is no number": lambda arrays, about: arrays.update({PAST: np.full(1, np.nan, np.float32)}),
    "a past self of another size": lambda arrays, about: arrays.update({PAST: np.zeros(2, np.float32)}),
    "a past self before the first": lambda arrays, about: arrays.update({f"past/-1/{PART}": PAST}),
}


@pytest.mark.parametrize("kind", ["text", "empty", "cut", "weights", *CHANGES])
def test_a_file_that_is_no_checkpoint_is_refused_in_one_line(trained, tmp_path, refused, kind):
    path, source = tmp_path / "model.npz", trained / "final.npz"
    contents = {"text": b"no zip", "empty": b"", "cut": source.read_bytes()[:1000]}
    contents["weights"] = (trained / "weights.npz").read_bytes()
    if kind in CHANGES:
        write_changed(source, path, CHANGES[kind])
    else:
        path.write_bytes(contents[kind])
    refusal = refused(train.main, small_args(out=tmp_path / "out", resume=path))
    assert refusal.startswith(f"train: --resume: {path} holds no checkpoint: ") and refusal.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_refused_checkpoint_changes_neither_network_nor_past_selves(trained, tmp_path):
    begun = train_tiles.Training(small_args(), get_ruleset(), opponents=())
    model, past_selves, counters = begun.model, begun.past_selves, begun.counters
    before = {name: value.clone() for name, value in model.policy.state_dict().items()}
    write_changed(trained / "final.npz", tmp_path / "model.npz", CHANGES["a past self that is none"])
    with pytest.raises(ValueError, match="holds no checkpoint"):
        load_checkpoint(tmp_path / "model.npz", model, past_selves)
    assert all(torch.equal(before[name], value) for name, value in model.policy.state_dict().items())
    assert counters == Counters() and not past_selves.weights and model.num_timesteps == 0


def plant(folder):
    """Write files into `folder` that make the file `planted` there when their pickles are read; return them."""
    planted = Planted(folder / "planted")
    content = pickle.dumps(planted)
    files = {name: folder / name for name in ("pickle.npz", "model.zip", "torch.zip", "objects.npz", "model.past")}
    files["pickle.npz"].write_bytes(content)
    files["model.past"].write_bytes(content)
    objects = np.array(planted, object)
    np.savez(files["objects.npz"], about=objects, weights=objects, means=objects)
    with zipfile.ZipFile(files["model.zip"], "w") as file:
        data = {"policy_class": {":type:": "x", ":serialized:": "gASV"}}
        for name, held in (("data", json.dumps(data).encode()), ("policy.pth", content), ("about", content)):
            file.writestr(name, held)
    torch.save({"weights": planted}, files["torch.zip"])
    return list(files.values())


def test_nothing_in_a_planted_file_is_run(tmp_path, refused):
    files = plant(tmp_path)
    resumed = (
        lambda path: train.main(small_args(out=tmp_path / "out", resume=path)),
        lambda path: train_value.main(train_value.Args(out=tmp_path / "out", resume=path)),
    )
    for path in files:
        for spec in (f"ppo:{path}", f"value:{path}", f"mcts:weights={path}", f"expectimax:weights={path}"):
            with pytest.raises(ValueError, match=f"{path.name} holds no "):
                make_agent(spec)
        for resume in resumed:
            refusal = refused(resume, path)
            assert f"--resume: {path} holds no " in refusal and refusal.count("\n") == 1
    assert not (tmp_path / "planted").exists() and not (tmp_path / "out").exists()
    pickle.loads(pickle.dumps(Planted(tmp_path / "planted"))).close()
    assert (tmp_path / "planted").exists()  # so it would have been seen


# --- arguments ---


def test_a_run_that_began_with_weights_is_resumed_with_the_same_arguments(tmp_path):
    args = small_args(out=tmp_path, weights=Path("no longer there.npz"), resume=SHIPPED)
    assert check(args) is get_ruleset()


@pytest.mark.usefixtures("weights_for_zamek_alone")
@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"games": 0}, "--games must lie in 1 to 1000000000000, not 0"),
        ({"past_games": 99}, "--past-games"),
        ({"games": 7, "past_games": 4, "opponent_games": 4}, "--past-games (4) and --opponent-games (4 for each of"),
        ({"opponent_games": -1}, "--opponent-games"),
        ({"opponents": ("nobody",)}, "--opponents: an agent must be one of"),
        ({"imitate": 10, "ruleset": "sokol-gates"}, "--imitate"),
        ({"imitate": 10, "teacher": "nobody"}, "--teacher: an agent must be one of"),
        ({"imitate": 10, "teacher": "greedy"}, "the agent 'greedy' does not evaluate choices"),
        ({"teacher": SEARCH}, "--teacher must come with --imitate"),
        ({"imitation_repeats": 0}, "--imitation-repeats must lie in 1 to 1000000000000, not 0"),
        ({"weights": Path("nothing.npz")}, "--weights: there is no file nothing.npz"),
        ({"weights": SHIPPED, "width": 16}, "has a network of width 64 and hidden 128, not 16 and 128"),
        ({"weights": SHIPPED, "ruleset": "carcassonne"}, "--weights: "),
        ({"minutes": -1.0}, "--minutes"),
        ({"minutes": float("nan")}, "--minutes"),
        ({"resume": Path("nothing.npz")}, "--resume"),
        ({"width": 0}, "--width must lie in 1 to 1024, not 0"),
        ({"steps": 0}, "--steps must be at least 1 where --imitate is 0, not 0"),
        ({"width": 10**9}, "--width must lie in 1 to 1024"),
        ({"hidden": 1025}, "--hidden must lie in 1 to 1024"),
        ({"threads": 10**6}, "--threads must lie in 1 to 1024"),
        ({"past_kept": 10**6}, "--past-kept must lie in 1 to 1000"),
        ({"batch": 1}, "--batch must lie in 2 to"),
        ({"games": 25, "rollout": 5, "batch": 4}, "--batch must not leave one decision alone of the 125 of an update"),
        ({"seed": 2**32}, "--seed must lie in 0 to 4294967295, not 4294967296"),
        ({"learning_rate": float("inf")}, "--learning-rate"),
        ({"imitation_rate": 0.0}, "--imitation-rate"),
        ({"gae_lambda": 2.0}, "--gae-lambda"),
        ({"entropy": float("nan")}, "--entropy"),
        ({"ruleset": "chess"}, "--ruleset"),
    ],
)
def test_bad_arguments_are_named_and_nothing_is_written(changes, named, tmp_path, refused):
    assert named in refused(train.main, train.Args(out=tmp_path / "out", **changes))
    assert not (tmp_path / "out").exists()


# --- what is shown of it ---


class FakeModel:
    """Knows how many decisions were learned from, and notes what is recorded of them."""

    num_timesteps = 250

    def __init__(self):
        self.recorded = {}
        self.logger = SimpleNamespace(record=self.recorded.__setitem__)


def test_wins_and_points_of_the_last_games_are_shown_by_opponent(capsys):
    games = SimpleNamespace(num_envs=4, results=[("greedy", 9, 5), ("greedy", 5, 5), ("value", 1, 6), (None, 3, 4)])
    model = FakeModel()
    progress = Progress(train.Args(steps=1000, imitate=0, learning_rate=0.5), model, games, Counters())
    assert progress._on_step() and games.results == []
    progress._on_rollout_end()
    assert model.recorded == {
        "play/points": (9 + 5 + 5 + 5 + 1 + 6 + 3 + 4) / 8,
        "play/wins against greedy": 0.75,  # a shared victory is half a win
        "play/wins against value": 0.0,
    }
    assert progress.rate == 0.5 * 0.75  # a quarter of the steps is over
    progress.bar.close()
    capsys.readouterr()


# --- training that goes astray ---


@pytest.mark.parametrize("imitate", [128, 0])
@pytest.mark.long
def test_training_that_diverges_ends_in_one_line_and_keeps_what_was_good(trained, tmp_path, imitate):
    path = tmp_path / "out" / "checkpoint-128.npz"
    path.parent.mkdir()
    for name in (path.name, "config.yaml"):
        (path.parent / name).write_bytes((trained / name).read_bytes())
    rates = ("--imitate", 1280, "--imitation-rate", 1e30) if imitate else ("--learning-rate", 1e30)
    asked = (*LONG_RUN, *rates, *SMALL, "--resume", path, "--out", path.parent)
    done = run_train(*asked)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("train: learning diverged: ") and last.endswith(f"--resume {path}")
    assert "Traceback" not in done.stderr
    assert path.read_bytes() == (trained / "checkpoint-128.npz").read_bytes()
    assert not (path.parent / "final.npz").exists() and not (path.parent / "weights.npz").exists()
    for checkpoint in path.parent.glob("*.npz"):
        make_agent(f"ppo:{checkpoint}")


def test_the_clock_starts_once_all_is_compiled(tmp_path, monkeypatch):
    begun = []
    monkeypatch.setattr(train_tiles, "compile_all", lambda *args: begun.append("compiled"))
    monkeypatch.setattr(train_tiles, "Progress", lambda *args: begun.append("clock") or sys.exit())
    with pytest.raises(SystemExit):
        train.main(small_args(out=tmp_path))
    assert begun == ["compiled", "clock"]


def test_learners_of_the_benchmark_have_the_settings_of_training():
    args, value_args = train.Args(), train_value.Args()
    settings = asdict(learn_ppo.Settings(args.seed))
    assert settings == {name: getattr(args, name) for name in settings} | {"learning_rate": 1e-3}
    assert {name: getattr(value_args, name) for name in learn_td.SETTINGS} == learn_td.SETTINGS
    assert (args.opponents, args.reward) == (("greedy",), "delta")
    assert [
        args.games, args.past_games, args.opponent_games
    ] == [learn_ppo.GAMES, learn_ppo.PAST_GAMES, learn_ppo.GREEDY_GAMES]  # fmt: skip
    assert [args.past_kept, args.past_every] == [learn_ppo.PAST_KEPT, learn_ppo.PAST_EVERY]
