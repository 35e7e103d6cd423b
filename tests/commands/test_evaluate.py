"""`scripts/evaluate.py`, run as its users run it."""

import errno
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import zamek_scripts
from tests.support.lockstep import follow
from tests.support.record_checker import check_record
from tests.support.rulesets import SHORTEST
from zamek_agents.registry import list_untrained, make_agent
from zamek_env import Game
from zamek_env.components.box_folder import RULESETS
from zamek_env.make_game import FAMILIES, OWN
from zamek_scripts import cli, evaluate, train
from zamek_scripts.evaluate import OUT_FILES, Args, main

SCRIPT = Path(__file__).parents[2] / "scripts" / "evaluate.py"


def run(folder, *arguments):
    """Run the script in `folder` with these arguments and return what became of it."""
    command = [sys.executable, str(SCRIPT), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8")


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory):
    """Three agents, with both files written."""
    folder = tmp_path_factory.mktemp("evaluation")
    options = ["--games", "4", "--seed", "3", "--records", "games.jsonl", "--json", "results.json"]
    done = run(folder, "--agents", "random", "greedy", "random", *options)
    assert done.returncode == 0, done.stderr
    return folder, done


def test_the_table_shows_every_pairing_and_only_files_asked_for_are_written(evaluation):
    folder, done = evaluation
    names = [line.split("  ")[0].strip() for line in done.stdout.splitlines()]
    assert [name for name in names if name.startswith(("random", "greedy"))][:6] == [
        *("random #1", "greedy"),
        *("random #1", "random #2"),
        *("greedy", "random #2"),
    ]
    for said in ("win rate", "wins against", "Elo", "points by family house", "ms a decision", "Who begins wins"):
        assert said in done.stdout
    assert "12/12" in done.stderr and "12/12" not in done.stdout and "Traceback" not in done.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["games.jsonl", "results.json"]


def test_the_results_tell_where_they_come_from(evaluation):
    folder, _ = evaluation
    report = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    assert report["command"].endswith("--seed 3 --records games.jsonl --json results.json")
    assert report["arguments"]["agents"] == ["random", "greedy", "random"]
    assert report["arguments"]["games"] == 4
    assert set(report["versions"]) == {"zamek_env", "python", "numpy", "numba", "scipy"}
    assert report["seconds"] > 0
    assert [pairing["games"] for pairing in report["pairings"]] == [4, 4, 4]
    for pairing in report["pairings"]:
        assert pairing["wins"] + pairing["shared"] + pairing["losses"] == 4
        low, high = pairing["win_rate_interval"]
        assert 0 <= low <= pairing["win_rate"] <= high <= 1
    assert {standing["agent"] for standing in report["agents"]} == {"random #1", "greedy", "random #2"}
    for standing in report["agents"]:
        assert sum(standing["points_by_source"].values()) == pytest.approx(standing["points"])
        assert report["milliseconds_a_decision"][standing["agent"]] > 0


@pytest.mark.long
def test_the_records_hold_every_game_and_obey_the_rules(evaluation):
    folder, _ = evaluation
    records = [json.loads(line) for line in (folder / "games.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(records) == 12
    for record in records:
        check_record(record, follow(Game.replay(record)))
        assert list(Game.replay(record).scores) == record["scores"]
    assert [record["players"] for record in records[:2]] == [["random #1", "greedy"], ["greedy", "random #1"]]


def test_another_ruleset_is_played_where_it_is_asked_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    main(Args(agents=("random", "random"), games=2, ruleset=SHORTEST, records=Path("games.jsonl"), workers=1))
    records = [json.loads(line) for line in Path("games.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [record["ruleset"] for record in records] == [SHORTEST] * 2
    for record in records:
        assert Game.replay(record).record()["turns"] == record["turns"]


def test_the_same_seed_gives_the_same_games_and_results_by_any_number_of_workers(evaluation, tmp_path, capsys):
    folder, _ = evaluation
    agents = ("random", "greedy", "random")
    outputs = {"records": tmp_path / "games.jsonl", "json": tmp_path / "results.json"}
    main(Args(agents, games=4, seed=3, workers=1, **outputs))
    assert (tmp_path / "games.jsonl").read_bytes() == (folder / "games.jsonl").read_bytes()
    reports = [json.loads((where / "results.json").read_text(encoding="utf-8")) for where in (folder, tmp_path)]
    for report in reports:
        for name in ("command", "arguments", "seconds", "milliseconds_a_decision"):
            del report[name]
    assert json.dumps(reports[0]) == json.dumps(reports[1])
    capsys.readouterr()


def test_the_ladder_is_played_by_all_agents_that_need_no_training(monkeypatch, capsys):
    monkeypatch.setattr(evaluate, "list_untrained", lambda *_: ("random", "greedy", "sprouting"))
    monkeypatch.setattr(
        "zamek_agents.arena.round_robin.make_agent", lambda spec: make_agent(spec.replace("sprouting", "random"))
    )
    monkeypatch.setattr("zamek_agents.arena.round_robin.find_versions", lambda *specs: ())
    main(Args(ladder=True, games=2, workers=1))
    assert "random #2" in capsys.readouterr().out
    assert evaluate.choose_agents(Args(("greedy", "ppo:a.zip"), ladder=True), None, 2)[-1] == "ppo:a.zip"


@pytest.mark.parametrize(
    ("asked", "due"),
    [
        ({}, [50, 50, 50]),
        ({"games": 6}, [3, 3, 3]),
        ({"games": 6, "search_games": 2}, [3, 1, 1]),
        ({"search_games": 2}, [50, 1, 1]),
        ({"ladder": True}, [1000, 50, 50]),
        ({"ladder": True, "search_games": 20}, [1000, 10, 10]),
        ({"ladder": True, "games": 6}, [3, 3, 3]),
    ],
)
def test_pairings_with_a_search_may_play_fewer_games(asked, due):
    assert evaluate.count_sets(Args(**asked), ("random", "greedy", "mcts:simulations=2"), 2) == due


@pytest.mark.parametrize("ruleset", RULESETS)
def test_agents_of_the_ladder_play_by_every_ruleset(ruleset, monkeypatch, capsys):
    names = list_untrained(ruleset)
    assert names[:3] == ("random", "greedy", "value")
    monkeypatch.setattr(evaluate, "list_untrained", lambda *_: names[:3])
    main(Args(ladder=True, games=2, ruleset=ruleset, workers=1))
    assert "greedy" in capsys.readouterr().out


# --- the test that stops ---


def test_a_test_stops_once_it_is_settled(tmp_path, capsys):
    main(Args(games=1000, sprt=True, elo1=100, workers=1, json=tmp_path / "results.json"))
    (pairing,) = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))["pairings"]
    assert pairing["games"] < 100
    assert pairing["sprt"]["accepted"] == 1
    assert pairing["sprt"]["log_likelihood_ratio"] >= pairing["sprt"]["bounds"][1]
    printed = capsys.readouterr().out
    assert "H1 accepted" in printed
    assert "wins 50.0% (Elo +0), H0, or 64.0% (Elo +100), H1" in printed


def test_a_test_that_is_not_settled_says_so(capsys):
    main(Args(("random", "random"), games=4, sprt=True, rate0=0.4, rate1=0.6, workers=1))
    assert " open" in capsys.readouterr().out


# --- bad input ---


def test_plots_without_matplotlib_say_how_to_get_it(tmp_path, refused, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.delitem(sys.modules, "zamek_agents.arena.plots", raising=False)
    refusal = refused(main, Args(games=2, out=tmp_path / "out", plots=True))
    hint = "install it by `pip install 'zamek-env[bench]'`"
    assert refusal == f"evaluate: drawing needs matplotlib, which is not installed; {hint}\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"agents": ("random",)}, "--agents must name 2 or more, not 1"),
        ({"agents": ("random", "deepest")}, "an agent must be one of random, greedy, "),
        ({"agents": ("random", "ppo:lost.zip")}, "there is no model 'lost.zip'"),
        ({"games": 3}, "--games must be an even number from 2 on, not 3"),
        ({"search_games": 5}, "--search-games must be an even number from 2 on, not 5"),
        ({"search_games": 2}, "--search-games must come with an agent of the package that searches, such as mcts"),
        ({"seed": -1}, "--seed must be 0 or more, not -1"),
        ({"ruleset": "castle"}, f"--ruleset must be one of {', '.join((*RULESETS, *FAMILIES, OWN))}, not 'castle'"),
        ({"components": Path("lost")}, "--components: lost: is not a folder with component files"),
        ({"workers": 0}, "--workers must be 1 or more, not 0"),
        (
            {"agents": ("random", "ppo:\udcff.zip")},
            r"--agents must be names and paths of printable signs, not 'ppo:\udcff",
        ),
        ({"plots": True}, "--plots must come with --out, the folder to draw into"),
        ({"elo0": -10.0}, "--elo0 must come with --sprt, the test that it is about"),
        ({"rate1": 0.6}, "--rate1 must come with --sprt, the test that it is about"),
        ({"beta": 0.01}, "--beta must come with --sprt, the test that it is about"),
        ({"replays": 3}, "--replays must come with --html, the folder of the pages"),
        ({"sprt": True, "elo1": 0.0}, "--elo1 0 must ask for a higher win rate than --elo0 0"),
        ({"sprt": True, "elo0": 80.0}, "--elo1 50 must ask for a higher win rate than --elo0 80"),
        ({"sprt": True, "elo1": float("nan")}, "--elo1 must lie in -6000 to 6000, not nan"),
        ({"sprt": True, "elo1": 1e9}, "--elo1 must lie in -6000 to 6000, not 1000000000.0"),
        ({"sprt": True, "rate1": 0.4}, "--rate1 0.4 must ask for a higher win rate than --elo0 0"),
        ({"sprt": True, "rate0": 1.5}, "--rate0 must lie between 0 and 1, not 1.5"),
        ({"sprt": True, "rate1": 0.6, "elo1": 20.0}, "--elo1 must be left out with --rate1, which is the same"),
        ({"sprt": True, "alpha": 0.5}, "--alpha must lie between 0 and 0.5, not 0.5"),
        ({"sprt": True, "beta": 0.0}, "--beta must lie between 0 and 0.5, not 0"),
        ({"json": Path("games.jsonl")}, "--records and --json must be two files"),
        ({"json": Path("/dev/null/results.json")}, "/dev/null/results.json cannot be written: what should be its"),
        ({"json": Path()}, "--json: . is a folder; name a file"),
        ({"html": Path("/dev/null/x")}, "--html: /dev/null/x/index.html cannot be written: what should be its folder"),
        ({"json": Path("o/results.json"), "out": Path("o")}, "--json and results.json of --out must be two files"),
        ({"json": Path("o/wins.svg"), "out": Path("o"), "plots": True}, "--json and wins.svg of --out must be two"),
        ({"json": Path("o"), "html": Path("o/")}, "--json and --html must be two places, a file and a folder, not"),
        ({"json": Path("o"), "out": Path("o"), "overwrite": True}, "--json and --out must be two places, a file and a"),
        ({"records": Path("o"), "html": Path("n/../o")}, "--records and --html must be two places, a file and a"),
        ({"html": Path("o/wins.svg"), "out": Path("o"), "plots": True}, "wins.svg of --out and --html must be two pla"),
        ({"json": Path("games.jsonl/x")}, "--json must lie elsewhere than below --records, which is a file: "),
        ({"html": Path("games.jsonl/a/b")}, "--html must lie elsewhere than below --records, which is a file: "),
        ({"out": Path("games.jsonl/a")}, "pairs.jsonl of --out must lie elsewhere than below --records, which is a"),
        (
            {"html": Path("o/pairs.jsonl/a"), "out": Path("o")},
            "--html must lie elsewhere than below pairs.jsonl of --out, which is a file: ",
        ),
        (
            {"records": Path("o/index.html"), "html": Path("o")},
            "--records must not be index.html in the folder of --html, where a page is called so",
        ),
        ({"json": Path("o/game-12.html"), "html": Path("o")}, "--json must not be game-12.html in the folder of"),
        ({"out": Path("o/index.html"), "html": Path("o")}, "--out must not be index.html in the folder of --html"),
    ],
)
def test_bad_input_is_refused_in_one_line_and_nothing_is_written(wrong, message, tmp_path, refused, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments = {"agents": ("random", "random"), "games": 2, "records": Path("games.jsonl")} | wrong
    refusal = refused(main, Args(**arguments))
    assert refusal.startswith("evaluate: ") and message in refusal and refusal.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_cluster_that_does_not_answer_is_refused_before_anything_is_written(tmp_path, refused, monkeypatch):
    def refuse(*_):
        raise ValueError("no Ray cluster answers at '127.0.0.1:1'")

    monkeypatch.setattr(evaluate, "join_cluster", refuse)
    outputs = {"out": tmp_path / "out", "records": tmp_path / "new" / "games.jsonl", "json": tmp_path / "a" / "b.json"}
    refusal = refused(main, Args(("random", "random"), games=2, ray="127.0.0.1:1", **outputs))
    assert "evaluate: no Ray cluster answers" in refusal and list(tmp_path.iterdir()) == []


def test_no_folder_is_made_for_files_where_kept_results_are_of_other_settings(tmp_path, refused):
    arguments = {"agents": ("random", "random"), "games": 2, "workers": 1, "out": tmp_path / "out"}
    main(Args(**arguments))
    refusal = refused(main, Args(**arguments, seed=1, json=tmp_path / "new" / "results.json"))
    assert "holds results of other settings" in refusal and not (tmp_path / "new").exists()


def test_one_folder_takes_all_outputs_whose_names_differ(tmp_path):
    names = {"records": tmp_path / "games.jsonl", "json": tmp_path / "wins.svg"}  # without --plots no picture
    folders = {"out": tmp_path, "html": tmp_path}
    main(Args(("random", "random"), games=2, ruleset=SHORTEST, workers=1, replays=1, **folders, **names))
    found = {path.name for path in tmp_path.iterdir()}
    assert found == {"pairs.jsonl", *OUT_FILES, "games.jsonl", "wins.svg", "index.html", "game-1.html"}


def test_an_interrupted_evaluation_leaves_old_files_as_they_were(tmp_path, refused, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    records = tmp_path / "games.jsonl"
    records.write_text("old")
    monkeypatch.setattr("zamek_agents.arena.sets.Lineup.play_set", interrupt)
    refusal = refused(main, Args(("random", "random"), games=2, records=records, overwrite=True), code=130)
    assert records.read_text() == "old"
    assert list(tmp_path.iterdir()) == [records]
    assert refusal.endswith("evaluate: interrupted\n")


def test_folders_of_files_to_write_are_made_and_a_folder_is_no_file(tmp_path, refused):
    records = tmp_path / "new" / "below" / "games.jsonl"
    arguments = {"agents": ("random", "random"), "games": 2, "workers": 1}
    main(Args(**arguments, records=records))
    assert len(records.read_text().splitlines()) == 2
    refusal = refused(main, Args(**arguments, records=records.parent, overwrite=True))
    assert refusal.endswith(f"evaluate: --records: {records.parent} is a folder; name a file\n")


@pytest.mark.parametrize("name", ["results.json", "agents.csv", "ratings.svg"])
def test_a_folder_with_other_files_is_filled_only_on_request(name, tmp_path, refused):
    """Only results of games that are kept there show that the folder is one of ours."""
    (tmp_path / name).write_text("mine")
    wanted = Args(("random", "greedy"), games=2, workers=1, out=tmp_path)
    assert f"evaluate: --out: {tmp_path / name} exists" in refused(main, wanted)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "mine"
    main(replace(wanted, overwrite=True))
    main(wanted)  # the same results once more
    assert (tmp_path / "results.json").read_text() != "mine"


@pytest.mark.parametrize("option", ["records", "json"])
def test_a_file_that_exists_is_replaced_only_where_that_is_asked_for(option, tmp_path, refused):
    path = tmp_path / "old.jsonl"
    path.write_text("old")
    arguments = {"agents": ("random", "random"), "games": 2, "workers": 1, option: path}
    said = f"evaluate: --{option}: {path} exists; name another file, or say --overwrite to replace it\n"
    assert refused(main, Args(**arguments)) == said
    assert (path.read_text(), list(tmp_path.iterdir())) == ("old", [path])
    main(Args(**arguments, overwrite=True))
    assert path.read_text().startswith("{") and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("option", ["json", "records"])
def test_a_file_that_others_made_while_games_were_played_is_not_replaced(option, tmp_path, refused, monkeypatch):
    path, keep_all = tmp_path / "new.jsonl", evaluate.keep_all

    def play(*arguments):
        path.write_text("theirs")
        return keep_all(*arguments)

    monkeypatch.setattr(evaluate, "keep_all", play)
    refusal = refused(main, Args(("random", "random"), games=2, workers=1, **{option: path}), code=1)
    assert f"evaluate: {path} has come to exist meanwhile; what was to be" in refusal
    assert path.read_text() == "theirs" and (tmp_path / "new-2.jsonl").read_text().startswith("{")


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (OSError(errno.ENOSPC, "the disk is full", "pages"), 1, "pages cannot be written: the disk is full"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_pages_that_cannot_be_written_cost_nothing_else(error, code, message, tmp_path, capsys, monkeypatch):
    def fail(*_):
        raise error

    monkeypatch.setattr(evaluate.replay_page, "write_replays", fail)
    files = {"json": tmp_path / "results.json", "records": tmp_path / "games.jsonl"}
    with pytest.raises(SystemExit, match=f"^{code}$"):
        main(Args(("random", "random"), games=2, workers=1, html=tmp_path / "pages", **files))
    printed = capsys.readouterr()
    assert "random #2" in printed.out and "Who begins wins" in printed.out
    assert printed.err.endswith(f"evaluate: {message}\n")
    assert len(files["records"].read_text().splitlines()) == 2
    assert json.loads(files["json"].read_text())["pairings"][0]["games"] == 2


def test_a_run_that_ends_once_files_are_written_says_what_goes_on_with_it(tmp_path, refused, monkeypatch):
    def fail(*_):
        raise OSError(errno.ENOSPC, "No space left on device", "pages")

    monkeypatch.setattr(evaluate.replay_page, "write_replays", fail)
    args = Args(("random", "random"), games=2, workers=1, html=tmp_path / "pages", out=tmp_path / "out")
    files = {"json": tmp_path / "results.json", "records": tmp_path / "games.jsonl"}
    for changes, said in (
        ({}, "the same command goes on from here\n"),
        (files, "with --overwrite goes on from here, and replaces --records and --json\n"),
        (files | {"overwrite": True}, "the same command goes on from here\n"),
    ):
        refusal = refused(main, replace(args, **changes), code=1)
        assert "pages cannot be written: No space left on device; the same command " in refusal
        assert refusal.endswith(said)


# --- the command `zamek` ---


def test_zamek_runs_the_scripts(capsys):
    assert cli.main(["evaluate", "--agents", "random", "random", "--games", "2", "--workers", "1"]) == 0
    assert "random #2" in capsys.readouterr().out


def test_zamek_says_what_it_can_do_and_refuses_unknown_commands(capsys):
    assert cli.main([]) == cli.main(["--help"]) == cli.main(["--version"]) == 0
    assert "evaluate" in capsys.readouterr().out
    message = f"zamek: the command must be one of {', '.join(cli.COMMANDS)}, not"
    for command, more in (("plya", "; did you mean play?"), ("?", "")):
        assert cli.main([command]) == 2
        assert capsys.readouterr().err == f"{message} {command!r}{more}\n"


def test_a_command_names_the_extra_that_is_missing(capsys, monkeypatch):
    def import_nothing(_):
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr(cli, "import_module", import_nothing)
    assert cli.main(["benchmark"]) == 2
    assert "zamek benchmark needs torch" in capsys.readouterr().err


@pytest.mark.parametrize(("ruleset", "module"), [("zamek", "train_tiles"), ("castle-cards", "train_castle_cards")])
def test_zamek_train_names_the_extra_that_is_missing(ruleset, module, refused, monkeypatch, tmp_path):
    for name in ("torch", "stable_baselines3", "stable_baselines3.common.logger"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"zamek_scripts.{module}", raising=False)
    monkeypatch.delattr(zamek_scripts, module, raising=False)
    refusal = refused(train.main, train.Args(ruleset=ruleset, out=tmp_path / "out"))
    assert refusal.startswith("train: zamek train needs ") and refusal.count("\n") == 1
    assert "which is not installed" in refusal
    assert not (tmp_path / "out").exists()


REFUSED = """
import sys
from zamek_scripts import cli
for commands in ([name, "--help"] for name in cli.COMMANDS), (["train", *words] for words in {arguments}):
    for arguments in commands:
        try:
            cli.main(arguments)
        except SystemExit as ended:
            print("ended", *arguments, ended.code)
print({{"torch", "ray", "wandb"}} & {{*sys.modules}})
"""


def test_no_command_imports_torch_ray_or_wandb_to_say_what_it_takes():
    """That takes seconds, and whoever asks for help or mistypes a word waits for them."""
    lines = ("--stepz 3", "--games 0", "--opponents nobody", "--imitate 1 --teacher nobody")
    arguments = [line.split() for line in lines]
    command = [sys.executable, "-c", REFUSED.format(arguments=arguments)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert lines[-1] == "set()"
    assert [line for line in lines if line.startswith("ended")] == [
        *(f"ended {name} --help 0" for name in cli.COMMANDS),
        *(f"ended train {' '.join(words)} 2" for words in arguments),
    ]
