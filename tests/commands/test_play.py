"""`zamek play`: its arguments and files, and a game by typed notation."""

import builtins
import json
import re
import shlex
import shutil
import socket
import sys
import textwrap
import threading
import time
from dataclasses import replace
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import numpy as np
import pytest

from tests.commands.test_play_session import DEMO, Failing, begin
from tests.support.scripted_agent import Valuing
from zamek_agents.heuristic import RandomAgent
from zamek_agents.value.agent import ValueAgent
from zamek_env import Game
from zamek_env.components.box_folder import DATA
from zamek_scripts.cli import parse
from zamek_scripts.play import Args, check, describe_kept, main, set_up
from zamek_scripts.playing.kept_game import HUMAN, Keeper, KeptGame
from zamek_scripts.playing.typed import draw_screen, play_typed, show_board, wait_for_agent


def answer(monkeypatch, lines):
    """Let `lines`, an iterable, be typed in; afterwards the input is at its end."""
    waiting = iter(lines)

    def give(prompt=""):
        print(prompt, end="")
        line = next(waiting, None)
        if line is None:
            raise EOFError
        print(line)
        return line

    monkeypatch.setattr(builtins, "input", give)


def choices_of(session, rng):
    """Yield a random legal action, in notation, again and again."""
    while True:
        choices = session.view()["choices"]
        yield choices[rng.integers(len(choices))]["action"]


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


# --- in the terminal ---


def test_a_whole_game_is_typed(monkeypatch, capsys):
    session = begin((RandomAgent(), None))
    answer(monkeypatch, choices_of(session, np.random.default_rng(0)))
    play_typed(session)
    printed = capsys.readouterr().out
    assert session.game.is_terminal and "Game over, " in printed
    assert "random is thinking" in printed and "\nrandom: place " in printed and "\nYou: place " in printed


def test_what_is_typed_wrong_is_explained_and_changes_nothing(monkeypatch, capsys):
    session = begin()
    first = session.view()["choices"][0]["action"]
    answer(
        monkeypatch, ["", "nonsense", "help", "list", "list zzz", "hint", "undo", first, "undo", "board", "quit", "-"]
    )
    play_typed(session)
    printed = capsys.readouterr().out
    for said in (
        "text must be an action, not 'nonsense'",
        "Tab completes it",
        f"  1  {first}  place",
        "no legal action has",
    ):
        assert said in printed
    assert "--hints asks for them" in printed and "nothing can be taken back" in printed
    assert session.view()["played"] == 0


def test_an_action_is_typed_by_its_number_or_in_any_case(monkeypatch, capsys):
    for type_first in (lambda texts: "1", lambda texts: texts[0].lower(), lambda texts: texts[0]):
        session = begin()
        texts = [choice["action"] for choice in session.view()["choices"]]
        answer(monkeypatch, ["0", str(len(texts) + 1), type_first(texts), "LIST f", "QUIT"])
        play_typed(session)
        assert session.played.actions == (texts[0],)
    assert capsys.readouterr().out.count(f"a number must be 1 to {len(texts)}, not ") == 6


@pytest.mark.plays("zamek")
def test_few_choices_are_listed_with_their_numbers_and_no_others(monkeypatch, capsys):
    session = begin(ruleset="zamek")
    assert len(session.view()["choices"]) > 9
    answer(monkeypatch, ["1", "list"])
    play_typed(session)
    printed = capsys.readouterr().out
    assert len(re.findall(r"^(?:.*> )?   1  -  +send nobody$", printed, re.MULTILINE)) == 2  # of itself, and by `list`
    assert "   1  Z54" not in printed


@pytest.mark.plays("zamek")
@pytest.mark.parametrize(("columns", "rows"), [(80, 45), (120, 45), (120, 60), (80, 24)])
def test_the_board_fits_the_window_with_all_that_is_asked(columns, rows, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", str(rows))
    session = begin(ruleset="zamek")
    answer(monkeypatch, ["1"])
    play_typed(session)
    screens = re.split(r"choices, \? for help\)> ", capsys.readouterr().out)[:2]
    for screen in screens:
        lines = screen.splitlines()[-rows - 5 :]
        lines = lines[max(number for number, line in enumerate(lines) if line.startswith("         0     1")) :]
        assert len(lines) <= rows and max(map(len, lines)) <= columns
        assert any(line.startswith("Last: ") for line in lines) == (screen == screens[1])
    assert ("`board`" in screens[1]) == (rows < 55)
    show_board(session, is_whole=True)
    assert "`board`" not in capsys.readouterr().out


@pytest.mark.plays("zamek")
def test_a_terminal_shows_grounds_and_pieces_in_colours_unless_these_are_not_wanted(monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    session = begin(ruleset="zamek")
    session.move(session.state, session.view()["choices"][0]["action"])
    picture = session.presenter.picture(session.game, None)
    painted = draw_screen(picture, is_whole=True)
    assert "\x1b[31mh\x1b[0m" in painted and "\x1b[32mm\x1b[0m" in painted
    plain = re.sub("\x1b\\[[0-9;]*m", "", painted)
    monkeypatch.setenv("NO_COLOR", "1")
    assert draw_screen(picture, is_whole=True) == plain


def test_an_illegal_action_is_refused_without_a_number_that_nobody_typed(monkeypatch, capsys):
    session, other = begin(), begin(seed=4)
    wrong = next(
        text
        for text in (choice["action"] for choice in other.view()["choices"])
        if text not in {choice["action"] for choice in session.view()["choices"]}
    )
    answer(monkeypatch, [wrong])
    play_typed(session)
    assert not re.search(r"action \d", capsys.readouterr().out)


def test_the_tab_key_completes_what_can_be_typed(monkeypatch):
    readline = pytest.importorskip("readline", reason="not on Windows")
    session = begin()
    names = [choice["action"] for choice in session.view()["choices"]]
    start, found = names[0][:2], []

    def type_lines():
        complete, number = readline.get_completer(), 0
        while (text := complete(start, number)) is not None:
            found.append(text)
            number += 1
        assert complete("qu", 0) == "quit" and complete("uit", 0) is None
        yield "quit"

    answer(monkeypatch, type_lines())
    play_typed(session)
    assert found == [name for name in names if name.startswith(start)] and readline.get_completer_delims() == "\n"


def test_hints_are_printed_best_first(monkeypatch, capsys):
    session = begin()
    session.adviser = Valuing(np.arange)
    session.start()
    answer(monkeypatch, ["hint"])
    play_typed(session)
    names = [choice["action"] for choice in session.view()["choices"]]
    printed = [
        line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("  ") and line.endswith(".0")
    ]
    assert printed == [[name, f"{rank:+d}.0"] for rank, name in reversed([*enumerate(names)])]


def test_a_hint_is_waited_for_where_the_game_cannot_be_kept(monkeypatch, capsys):
    def think(count):
        assert asked.wait(20)
        time.sleep(0.3)
        return np.arange(count)

    def ask():
        asked.set()
        yield "hint"

    asked = threading.Event()
    Path("there").write_text("mine")
    session = begin(keeper=Keeper(Path("there/game.json")))
    session.adviser = Valuing(think)
    session.start()
    answer(monkeypatch, ask())
    play_typed(session)
    assert "  +1.0\n" in capsys.readouterr().out


def test_an_agent_that_fails_ends_the_command_with_the_game_kept(monkeypatch, capsys):
    session = begin((Failing(), None))
    play_typed(session)
    assert "failing could not decide: RuntimeError: no idea" in capsys.readouterr().out


def test_the_traceback_of_an_agent_of_ones_own_that_fails_is_printed(monkeypatch, capsys):
    """It decides well before the game begins, and fails in the game. An agent of the package has no author here."""
    source = """
        from zamek_agents.heuristic import RandomAgent

        class Mine(RandomAgent):
            name = "mine"
    """
    Path("mine.py").write_text(textwrap.dedent(source))
    monkeypatch.setattr(RandomAgent, "act", lambda self, game, rng: len(0) if game.history else game.legal_actions()[0])
    for agent, name, has_traceback in (("mine.py:Mine", "mine (first)", True), ("random", "random (first)", False)):
        with pytest.raises(SystemExit, match="1"):
            main(typed(against=(agent,), watch=True, keep=Path("game.json"), overwrite=True))
        printed = capsys.readouterr()
        said = f"{name} could not decide: TypeError: object of type 'int' has no len()"
        assert said in printed.out and printed.err.endswith(f"play: {said}\n")
        assert "The game is kept; go on with it by: zamek play --resume game.json" in printed.out.splitlines()[-1]
        assert ("test_play.py" in printed.err) == ("Traceback" in printed.err) == has_traceback


@pytest.mark.compiles
def test_hints_that_fail_are_no_failure_of_the_game(monkeypatch, capsys):
    def fail(*_):
        raise TypeError("no hint")

    monkeypatch.setattr(ValueAgent, "evaluate", fail)
    answer(monkeypatch, ["hint", "quit"])
    main(typed(against=("value",), hints=()))
    assert "value has no hint: TypeError: no hint" in capsys.readouterr().out


# --- arguments and files ---


def test_an_agent_that_has_decided_already_is_not_waited_for():
    session = begin((None, RandomAgent()))
    assert session.is_persons_turn and wait_for_agent(session)


def typed(**settings):
    """Return arguments for a game of two people in the terminal."""
    return Args(**({"against": ("human",), "ruleset": DEMO, "seed": 3, "terminal": True, "pace": 0.0} | settings))


def test_a_game_is_kept_resumed_and_recorded(monkeypatch, capsys):
    game = Game(DEMO, 3)
    first = game.format_action(game.legal_actions()[0])
    answer(monkeypatch, [first])
    main(typed())
    (path,) = Path("runs/play").iterdir()
    assert f"zamek play --resume {path}" in capsys.readouterr().out
    assert json.loads(path.read_text())["actions"] == [first]
    resumed = Args(resume=path, against=("random",), watch=True, terminal=True, pace=0.0, record=Path("game.json"))
    main(resumed)
    assert f"The game is kept in {path}\n" in capsys.readouterr().out
    record = json.loads(Path("game.json").read_text())
    assert Game.replay(record).is_terminal and record["players"] == ["random", "random"]
    kept = json.loads(path.read_text())
    assert kept["seats"] == ["random", "random"] and kept["actions"][0] == first


def test_the_command_that_goes_on_with_a_game_can_be_copied(monkeypatch, capsys):
    answer(monkeypatch, [])
    folder, path = Path("my box"), Path("my game.json")
    folder.mkdir()
    shutil.copy(DATA / f"{DEMO}.json", folder)
    main(typed(keep=path, components=folder))
    command = capsys.readouterr().out.partition("go on with it by: ")[2]
    main(parse(Args, shlex.split(command)[2:]))
    assert capsys.readouterr().out.endswith(command)


def begin_and_leave(begun, asked=None):
    """Begin a game and leave it before an agent thinks; return its session, and the arguments that go on as `asked`."""
    session, path = set_up(begun)
    session.close()
    session.start()
    command = describe_kept(asked or begun, session, path).partition("go on with it by: ")[2]
    return session, parse(Args, shlex.split(command)[2:])


def test_the_command_that_goes_on_asks_for_what_was_asked_for():
    asked = typed(against=("greedy",), pace=2.5, record=Path("game.json"), hints=(), browser=False)
    _, again = begin_and_leave(typed(against=("greedy",)), asked)
    assert (again.pace, again.record, again.hints, again.terminal) == (2.5, Path("game.json"), (), True)
    assert not again.browser and not again.overwrite


def test_the_command_that_goes_on_replaces_a_record_that_may_be_replaced():
    Path("game.json").write_text("of before")
    _, again = begin_and_leave(typed(record=Path("game.json"), overwrite=True))
    set_up(again)  # which does not refuse it


@pytest.mark.parametrize("where", [{"seat": 1}, {"watch": True}])
def test_the_command_that_goes_on_names_agents_of_ones_own(where):
    agent = "zamek_agents.heuristic:RandomAgent"
    session, again = begin_and_leave(typed(against=(agent,), **where))
    assert set_up(again)[0].deal.seats == session.deal.seats
    assert session.deal.seats.count(agent) == (2 if "watch" in where else 1)


def test_who_goes_on_with_a_game_against_others_keeps_the_seat():
    _, again = begin_and_leave(typed(against=("greedy",), seat=1))
    resumed = replace(again, against=("random",))
    assert set_up(resumed)[0].deal.seats == ("random", "human")
    assert set_up(replace(resumed, seat=0))[0].deal.seats == ("human", "random")
    assert set_up(replace(resumed, watch=True))[0].deal.seats == ("random", "random")


def test_two_games_begun_at_once_are_kept_apart(monkeypatch):
    answer(monkeypatch, [])
    main(typed())
    main(typed())
    assert len(list(Path("runs/play").iterdir())) == 2


def test_a_game_that_could_not_be_kept_is_not_said_to_be(monkeypatch, capsys):
    def spoil():
        Path("game.json").write_text("of another")
        yield Game(DEMO, 3).format_action(Game(DEMO, 3).legal_actions()[0])

    answer(monkeypatch, spoil())
    with pytest.raises(SystemExit) as exit_info:
        main(typed(keep=Path("game.json")))
    printed = capsys.readouterr()
    assert exit_info.value.code == 1 and "changed by another program" in printed.err and "--resume" not in printed.out


def test_a_record_that_could_not_be_saved_is_told_by_the_exit_code(monkeypatch, refused):
    def play():
        Path("game.json").write_text("of another")
        game, rng = Game(DEMO, 3), np.random.default_rng(0)
        while not game.is_terminal:
            action = int(rng.choice(game.legal_actions()))
            yield game.format_action(action)
            game.step(action)

    answer(monkeypatch, play())
    assert "play: The record is not saved: " in refused(main, typed(record=Path("game.json")), code=1)


def test_a_place_that_takes_no_file_is_named(monkeypatch, refused):
    Path("there").write_text("mine")
    answer(monkeypatch, [])
    why = r"there/.*\.json cannot be written: what should be its folder is a file"
    assert re.fullmatch(f"play: --keep: {why}\n", refused(main, typed(keep=Path("there/game.json"))))
    monkeypatch.setattr("zamek_scripts.play.KEPT", Path("there"))
    assert re.fullmatch(f"play: The game is not kept: {why}\\.\n", refused(main, typed(), code=1))


def keep(name, **changes):
    deal = {"ruleset": DEMO, "components": Game(DEMO, 3).ruleset.components.digest, "seed": 3, "seats": (HUMAN, HUMAN)}
    Keeper(Path(name)).keep(KeptGame(**(deal | changes)))
    return Path(name)


def test_the_page_on_play_names_all_keys_of_a_kept_game():
    page = (Path(__file__).parents[2] / "docs" / "play.md").read_text(encoding="utf-8")
    table = page.partition("format `zamek-play/1`:")[2]
    assert all(f"`{key}`" in table for key in json.loads(keep("kept.json").read_text()))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"ruleset": "chess"}, "--ruleset must be one of zamek, "),
        ({"ruleset": "chess", "terminal": False}, "--ruleset must be one of zamek, "),
        ({"seed": -1}, "--seed must lie in 0 to "),
        ({"seat": 2}, "--seat must lie in 0 to 1, not 2"),
        (
            {"against": ("random", "greedy"), "ruleset": "zamek"},
            "--against must name one player for all other seats, or 1, not 2",
        ),
        ({"against": ("deepest",)}, "--against: an agent must be one of random, greedy, "),
        ({"watch": True, "seat": 1}, "--seat cannot be given with --watch"),
        ({"watch": True, "against": ("greedy", "human")}, "--against must name agents with --watch, not human"),
        ({"against": ("greedy",), "watch": True, "hints": ()}, "--hints must come with a seat for a person"),
        ({"port": 8000}, "--port cannot be given with --terminal: there is no page"),
        ({"hints": ("value", "mcts")}, "--hints must name one agent, or none, not 2"),
        ({"hints": ("random",)}, "--hints: the agent 'random' does not evaluate choices"),
        ({"against": ("random",), "hints": ()}, "--hints: the agent 'random' does not evaluate choices"),
        ({"pace": -1.0}, "--pace must be 0 to 3600 seconds, not -1.0"),
        ({"pace": float("nan")}, "--pace must be 0 to 3600 seconds, not nan"),
        ({"pace": 1e10}, "--pace must be 0 to 3600 seconds, not 1"),
        ({"record": Path("there")}, "--record: there exists"),
        ({"keep": Path("there")}, "--keep: there exists"),
        ({"keep": Path()}, "--keep: . is a folder; name a file"),
        ({"resume": Path("there"), "seed": None}, "--ruleset cannot be given with --resume"),
    ],
)
def test_bad_input_is_refused_in_one_line(wrong, message, capsys):
    Path("there").write_text("mine")
    with pytest.raises(SystemExit) as exit_info:
        main(typed(**wrong))
    printed = capsys.readouterr()
    assert exit_info.value.code == 2 and printed.err.startswith(f"play: {message}") and printed.err.count("\n") == 1
    assert "http" not in printed.out  # no page is opened for it
    assert Path("there").read_text() == "mine" and not Path("runs").exists()


@pytest.mark.parametrize(
    ("changes", "settings", "message"),
    [
        ({"ruleset": "chess"}, {}, "ruleset 'chess'"),
        ({"components": "0" * 64}, {}, "was played on components"),
        ({"components": None}, {}, "was played on components None"),
        ({"seats": (HUMAN, "evil.py:Agent")}, {}, "the agent 'evil.py:Agent' is not of this package"),
        ({"ruleset": "zamek", "seats": (HUMAN,) * 3}, {}, "players must be 2 in the ruleset zamek, not 3"),
        ({"actions": ("-",)}, {}, "action 1: action 2148 (-) is illegal"),
        ({}, {"seat": 1}, "need --against"),
    ],
)
def test_a_kept_game_that_cannot_go_on_is_refused(changes, settings, message, refused):
    path = keep("game.json", **changes)
    held = path.read_text()
    Path("evil.py").write_text("raise SystemExit('run')")
    assert message in refused(main, Args(resume=path, terminal=True, **settings))
    assert path.read_text() == held


@pytest.mark.parametrize("name", ["game.json", "there/../game.json", "link.json", "/game.json"])
def test_the_file_that_keeps_a_game_takes_no_record_whatever_it_is_called(name):
    path = keep("game.json")
    Path("there").mkdir()
    Path("link.json").symlink_to(path)
    record = Path.cwd() / path if name.startswith("/") else Path(name)
    with pytest.raises(ValueError, match=f"--record: {record} keeps the game; name another file"):
        check(Args(resume=path, terminal=True, record=record, overwrite=True))
    with pytest.raises(ValueError, match=f"--record: {record} keeps the game; name another file"):
        check(typed(keep=path, record=record, overwrite=True))


@pytest.mark.parametrize("said", ["none.json: No such file", "notes.txt holds no game in progress: it is no JSON"])
def test_a_file_from_which_no_game_can_go_on_is_named_with_its_option(said, refused):
    Path("notes.txt").write_text("mine")
    path = Path(said.split(" ")[0].rstrip(":"))
    assert f"play: --resume: {said}" in refused(main, Args(resume=path, terminal=True))


@pytest.mark.parametrize("held", [b"mine", b"mine\r\n", b"\xff"])
def test_files_are_replaced_where_that_is_asked_for(held, monkeypatch):
    Path("game.json").write_bytes(held)
    answer(monkeypatch, [])
    main(typed(keep=Path("game.json"), overwrite=True))
    assert json.loads(Path("game.json").read_text())["seed"] == 3


@pytest.mark.parametrize("seat", [0, 1])
def test_the_person_sits_where_she_likes(seat):
    session, _ = set_up(typed(against=("random",), seat=seat))
    assert session.names[seat] == HUMAN and session.names[1 - seat] == "random"


def test_a_port_that_is_taken_is_named(refused):
    pytest.importorskip("uvicorn", reason="needs the extra `play`")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refusal = refused(main, typed(terminal=False, port=port))
    assert f"play: --port: {port} cannot be used" in refusal


def test_the_page_is_served_before_anything_is_compiled_and_gone_once_it_is_refused(monkeypatch, capsys):
    pytest.importorskip("uvicorn", reason="needs the extra `play`")
    found = []

    def deal(*_):
        address = re.search(r"http://\S+/", capsys.readouterr().out)[0]
        found.append((address, json.load(urlopen(f"{address}state"))["opening"]))
        raise ValueError("--ruleset: no")

    monkeypatch.setattr("zamek_scripts.play.deal_game", deal)
    with pytest.raises(SystemExit, match="2"):
        main(typed(terminal=False, browser=False, against=("value", "greedy")))
    ((address, opening),) = found
    assert opening["steps"] == [f"the rules of {DEMO}", "the board and the choices", "value", "greedy"]
    assert (opening["done"], opening["share"]) == (0, 0)
    with pytest.raises(URLError):
        urlopen(address)


def test_who_lacks_the_web_packages_is_told_which_extra_brings_them(monkeypatch, refused):
    for name in [name for name in sys.modules if name.partition(".")[0] in ("starlette", "uvicorn")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "zamek_scripts.playing.server", raising=False)
    for name in ("starlette", "uvicorn"):
        monkeypatch.setitem(sys.modules, name, None)
    refusal = refused(main, typed(terminal=False))
    assert "zamek play --terminal" in refusal and "zamek-env[play]" in refusal
