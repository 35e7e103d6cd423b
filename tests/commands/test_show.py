"""`zamek show`: one game, drawn, with a table of its points."""

import os
import re
from pathlib import Path

import pytest

from tests.support.box import write_box
from zamek_scripts import export
from zamek_scripts.show import Args, main


def test_a_game_is_played_to_its_end_and_told_of(tmp_path, capsys):
    picture = tmp_path / "new" / "game.svg"
    main(Args(("random", "greedy"), seed=3, svg=picture))
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 120
    (totals,) = re.findall(r"^ *all +(\d+) +(\d+) *$", printed, re.MULTILINE)
    rows = re.findall(r"^ *(?!all)\w.*? +(-?\d+) +(-?\d+) *$", printed.split("points by")[1], re.MULTILINE)
    assert [sum(int(row[player]) for row in rows) for player in (0, 1)] == [int(total) for total in totals]
    assert "random" in printed and "greedy" in printed
    assert picture.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize(
    ("ruleset", "players"), [("zamek", ["value", "greedy"]), ("castle-cards", ["ismcts", "greedy"])]
)
def test_who_plays_where_nobody_is_named_plays_that_game(ruleset, players, monkeypatch):
    seated = []
    monkeypatch.setattr("zamek_scripts.show.play", lambda game, agents, seed: seated.extend(agents))
    monkeypatch.setattr("zamek_scripts.show.print_game", lambda game, names: None)
    main(Args(ruleset=ruleset))
    assert [agent.name for agent in seated] == players


@pytest.mark.compiles
def test_greedy_replaces_agents_without_weights_for_own_components(tmp_path, monkeypatch):
    seated, box = [], write_box(tmp_path / "box")
    monkeypatch.setattr("zamek_scripts.show.play", lambda game, agents, seed: seated.extend(agents))
    monkeypatch.setattr("zamek_scripts.show.print_game", lambda game, names: None)
    main(Args(components=box))
    find_games, _, _ = export.play(export.Args(play=1, components=box))
    assert [agent.name for agent in seated] == ["greedy", "greedy"] == [*find_games.args[0].specs]
    find_games, _, _ = export.play(export.Args(play=1))
    assert find_games.args[0].specs == ("value", "value")


def test_the_same_seed_shows_the_same_game(capsys):
    shown = []
    for seed in (3, 3, 4):
        main(Args(("random", "random"), seed=seed))
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] != shown[2]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"ruleset": "chess"}, "--ruleset must be one of zamek, "),
        ({"agents": ("random", "deepest")}, "--agents: an agent must be one of random, greedy, "),
        ({"agents": ("ppo:no/such.npz", "random")}, "there is no model 'no/such.npz'"),
        ({"seed": -1}, "--seed must lie in 0 to "),
        ({"svg": Path("/dev/null/a.svg")}, "--svg: /dev/null/a.svg cannot be written: what should be its folder is a"),
    ],
)
def test_bad_input_is_refused_in_one_line(wrong, message, capsys):
    with pytest.raises(SystemExit) as exit_info:
        main(Args(**({"agents": ("random", "random")} | wrong)))
    printed = capsys.readouterr()
    assert exit_info.value.code == 2
    assert printed.out == "" and printed.err.startswith(f"show: {message}") and printed.err.count("\n") == 1


def test_a_folder_that_takes_no_files_is_named_before_the_game_is_played(tmp_path, monkeypatch, refused):
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)
    monkeypatch.setattr("zamek_scripts.show.print_game", None)
    picture = tmp_path / "new" / "game.svg"
    message = f"show: --svg: {picture} cannot be written: {tmp_path} takes no files from this user\n"
    assert refused(main, Args(("random", "random"), svg=picture)) == message


def test_a_picture_is_replaced_only_if_asked_to(tmp_path, refused):
    picture = tmp_path / "game.svg"
    picture.write_text("mine")
    refusal = refused(main, Args(("random", "random"), svg=picture))
    assert picture.read_text() == "mine" and f"{picture} exists" in refusal
    main(Args(("random", "random"), svg=picture, overwrite=True))
    assert picture.read_text() != "mine"


def test_an_agent_that_ends_the_program_in_the_middle_of_a_game_is_told(monkeypatch):
    def act(self, game, rng):
        if game.history:
            raise SystemExit(0)
        return game.legal_actions()[-1]

    monkeypatch.setattr("zamek_env.fair_play._PROVEN", set())  # as an agent of somebody else
    monkeypatch.setattr("zamek_agents.heuristic.GreedyAgent.act", act)
    with pytest.raises(RuntimeError, match=r"^an agent must decide, not end the program by SystemExit\(0\)"):
        main(Args(("random", "greedy"), seed=3))


@pytest.mark.parametrize("error", [TypeError, ValueError])
def test_a_bug_of_an_agent_of_ones_own_keeps_its_traceback(error, tmp_path):
    file = tmp_path / f"agent_with_{error.__name__}.py"
    file.write_text(f"class Mine:\n    def act(self, game, rng):\n        raise {error.__name__}('a bug')\n")
    with pytest.raises(error, match=r"^a bug\nas .*Mine was asked to decide once, before the games$"):
        main(Args((f"{file}:Mine", "random"), seed=3))


@pytest.mark.parametrize("error", [TypeError, ValueError])
def test_an_agent_of_ones_own_says_which_games_it_does_not_play(error, tmp_path, refused):
    file = tmp_path / f"agent_checking_by_{error.__name__}.py"
    check = f"    def check_game(self, game):\n        raise {error.__name__}('it plays chess')\n"
    file.write_text(f"class Mine:\n    name = 'mine'\n    def act(self, game, rng):\n        return 1 / 0\n{check}")
    refusal = refused(main, Args((f"{file}:Mine", "random"), seed=3))
    assert refusal.strip() == "show: the agent 'mine': it plays chess"


@pytest.mark.parametrize("answer", [None, "greedy", 9.0, -1, 10**6])
def test_whose_answer_is_refused_is_told_in_one_line(answer, monkeypatch, refused):
    monkeypatch.setattr("zamek_agents.heuristic.GreedyAgent.act", lambda self, game, rng: answer)
    refusal = refused(main, Args(("random", "greedy"), seed=3), code=1)
    assert re.search(
        rf"show: the answer of greedy: action must .*, not {answer!r}.*, in the game of seed 3$", refusal, re.MULTILINE
    )
