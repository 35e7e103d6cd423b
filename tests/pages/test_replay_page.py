"""Pages that replay games: whole, small and safe."""

import json
import re
import sys
import webbrowser
from unittest.mock import Mock

import numpy as np
import pytest

from tests.support.box import load_box, write_box
from tests.support.games import few, play_greedily
from tests.support.rulesets import SHORTEST
from zamek_agents import make_agent
from zamek_env import Game, RecordError
from zamek_env.evaluation import Evaluation
from zamek_env.records.step_text import explain_points
from zamek_env.render.svg import UNIT
from zamek_scripts import cli
from zamek_scripts.replay import read_record
from zamek_scripts.replaying.replay_page import dump_for_script, make_page, make_story, pack, write_replays
from zamek_scripts.replaying.replay_tiles import TileStoryBuilder
from zamek_scripts.replaying.story import Moment, Option, Outline, Story, Thoughts, rank

LARGEST = 2_000_000  # bytes of the page of a game
FAMILIES = ("zamek", "sokol-gates", "carcassonne-demo")
HOSTILE = '</script><script>document.title = "hacked"</script><img src=x onerror=alert(1)>@@data@@&amp;'


def play_some(ruleset="zamek", decisions=25, seed=3, components=None):
    """Return a game of the greedy player after so many decisions."""
    game = Game(ruleset, seed=seed, components=components)
    return next(
        each for number, each in enumerate(play_greedily(game, seed)) if number == decisions or each.is_terminal
    )


def read_data(page):
    """Return what a page holds as JSON."""
    (text,) = re.findall(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    return json.loads(text)


def unpack_view(data, number):
    """Yield the markup of view `number` in all moments, as the page puts it together."""
    before = []
    for moment in data["moments"]:
        _, start, end, middle = moment["views"][number]
        before = [*before[:start], *middle, *before[len(before) - end :]]
        parts = [data["parts"][part] for part in before]
        yield [head + ("" if shared < 0 else data["shared"][shared]) + tail for head, shared, tail in parts]


def check_alone(page):
    """Check that a page loads nothing."""
    assert "default-src 'none'" in page
    text = page.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//[a-z]+\.|<link|<iframe|<img|@import|url\(|\bsrc=|fetch\(|XMLHttp|import\(", text)


# --- what a page holds ---


def test_the_title_tells_who_played_and_how_it_ended():
    *_, game = play_greedily(Game(SHORTEST, seed=3), 3)
    first, second = game.scores
    assert first != second
    assert make_story(game.record(["a", "b"])).title == f"a – b {first}:{second}"


@pytest.mark.parametrize("ruleset", FAMILIES)
def test_a_page_is_one_small_file_that_loads_nothing(ruleset):
    page = make_page(make_story(play_some(ruleset, few(30, 12)).record()))
    assert len(page.encode()) < LARGEST / 2
    check_alone(page)
    assert page.count("<script") == page.count("</script") == 2


@pytest.mark.long
@pytest.mark.parametrize("ruleset", ["zamek", "sokol-gates", "carcassonne"])
def test_the_page_of_a_whole_game_with_thoughts_is_small(ruleset):
    agent = make_agent("value" if ruleset != "sokol-gates" else "expectimax:width=2,tiles=1,evaluation=hand")
    page = make_page(make_story(play_some(ruleset, 1000).record(), agent=agent, blunder=3))
    assert len(page.encode()) < LARGEST
    check_alone(page)


@pytest.mark.compiles
def test_games_on_components_of_ones_own_are_told(tmp_path):
    box = load_box(tmp_path)
    game = play_some("zamek", 1000, components=box)
    story = make_story(game.record(), box)
    assert len(story.moments) == 1 + len(game.history) and story.moments[-1].scores == game.scores
    check_alone(make_page(story))


@pytest.mark.parametrize("ruleset", ["zamek", "carcassonne-demo"])
def test_a_page_shows_every_position_of_the_game(ruleset):
    game = play_some(ruleset, few(25, 10))
    story = make_story(game.record())
    data = read_data(make_page(story))
    for number in range(2):
        for moment, shown in zip(story.moments, unpack_view(data, number), strict=True):
            lines = moment.views[number].strip().split("\n")[1:-1]
            assert shown == [line for line in lines if not line.startswith('<rect class="back"')]
    assert [moment["action"] for moment in data["moments"]] == ["", *game.record()["actions"]]
    areas = {}
    for moment, packed in zip(story.moments, data["moments"], strict=True):
        areas |= {at: data["words"][number] for at, number in packed["areas"].items()}
        assert areas == moment.areas


def test_the_same_record_makes_the_same_page():
    record = play_some(decisions=10).record()
    assert make_page(make_story(record)) == make_page(make_story(record))


@pytest.mark.parametrize("ruleset", FAMILIES)
def test_it_is_said_why_an_area_brings_its_points(ruleset):
    """An explanation always adds up: `explain_points` gives none where it does not."""
    game = play_some(ruleset, few(1000, 40))
    (recorder,) = [TileStoryBuilder(game, ("a", "b"))._recorder]
    scored = 0
    for action in game.history:
        recorder.step(action)
        for entry in [item for kind, item in recorder.news if kind == "scored"]:
            assert explain_points(game.ruleset, recorder.game.state[0], entry), entry
            scored += 1
    assert scored


def test_hidden_things_are_told_apart_from_what_is_shown():
    game = play_some(decisions=20)
    story = make_story(game.record())
    deck = [game.ruleset.tile(tile).id for tile in game.state[0].deck.tolist()]
    first = story.moments[0]
    assert f"Next in the deck: {', '.join(deck[1:13])} and 47 more." in first.hidden
    revealed = re.findall(r'<g class="revealed" data-tower="(\d+)" data-kind="(\d+)">', first.views[0])
    assert {tower: int(kind) for tower, kind in revealed} == game.record()["tokens"]
    for line in first.views[0].split("\n"):
        assert 'class="revealed"' in line or "data-kind" not in line


def test_every_moment_shows_who_decided_the_last_tile_and_the_tokens_left():
    played = play_some(decisions=70)
    story, record = make_story(played.record()), played.record()
    game, turn, last = Game(seed=3), 0, []
    for action, moment in zip(Game.replay(record).history, story.moments[1:], strict=True):
        if game.phase == "place":
            turn, last = turn + 1, [game.format_action(action).partition("@")[2][:-1]]
        assert (moment.player, moment.turn) == (game.current_player, turn)
        game.step(action)
        position = game.position()
        assert moment.scores == position.scores
        assert re.findall(r'<g class="last" data-cell="([^"]+)"', moment.views[0]) == last
        revealed = re.findall(r'<g class="revealed" data-tower="(\d+)" data-kind="(\d+)">', moment.views[0])
        assert {int(tower): int(kind) for tower, kind in revealed} == {
            tower: record["tokens"][str(tower)] for tower in position.towers
        }
        left = position.remaining.total()
        assert re.findall(r" and (\d+) more", moment.hidden[0]) == [str(left - 12)] * (left > 12)
    assert len(position.towers) < len(record["tokens"])  # some were taken


def test_choices_at_which_an_agent_did_not_look_come_last():
    assert rank(Evaluation([3, 5, 8, 9], np.array([np.nan, 1.0, 2.0, -4.0]), "points")) == [8, 5, 9, 3]


def test_the_deck_of_an_unfinished_game_without_seed_is_not_made_up():
    record = play_some(decisions=20).record()
    story = make_story(record | {"seed": None})
    assert story.moments[-1].hidden == ()
    assert story.moments[0].hidden and "more" not in story.moments[0].hidden[0][-6:]


def test_losses_are_those_of_the_agents_evaluation():
    game, agent = play_some(decisions=16), make_agent("value")
    story = make_story(game.record(), agent=agent, blunder=1.0)
    decided = [moment for moment in story.moments if moment.player is not None]
    for moment in decided:
        (played,) = [option for option in moment.thoughts.options if option.is_played]
        assert played.text == moment.action
        if cell := re.search(r"@(\d+),(\d+)", played.text):
            assert played.outline == Outline(int(cell[2]) * UNIT, int(cell[1]) * UNIT, UNIT)
        best = moment.thoughts.options[0]
        assert moment.thoughts.loss == pytest.approx(best.value - played.value)
    data = pack(story)
    for moment in data["moments"][1:]:
        assert moment["thoughts"]["options"][moment["thoughts"]["played"]][0] == moment["action"]
    losses = [moment["thoughts"]["loss"] for moment in data["moments"][1:]]
    assert data["blunder"] == 1.0 and max(losses) > 0


# --- what is not to be trusted ---


def test_names_are_text_and_neither_markup_nor_code():
    record = play_some(decisions=4).record((HOSTILE, "<!--"))
    page = make_page(make_story(record))
    assert page.count("<script") == 2 and "<img" not in page and "<!--" not in page
    data = read_data(page)
    assert data["players"] == [HOSTILE, "<!--"]


def test_names_are_on_one_line_and_cannot_turn_what_follows_round():
    record = play_some(decisions=4).record(("a\n\x00\u202eb\ud800", "\u00e9" * 101))
    assert make_story(record).players == (r"a\n\x00\u202eb\ud800", "\u00e9" * 99 + "…")


@pytest.mark.parametrize("text", ["</script>", "<!--", "]]>", "\u2028", "&lt;", '"\\'])
def test_json_in_a_script_holds_any_text(text):
    dumped = dump_for_script({text: [text]})
    assert json.loads(dumped) == {text: [text]}
    assert not re.search(r"[<>&\u2028]", dumped)


@pytest.mark.parametrize("players", [None, [1, 2], [["a"], "b"], ["", " \n"]])
def test_players_without_proper_names_are_numbered(players):
    record = play_some(decisions=4).record() | {"players": players}
    assert make_story(record).players == ("First player", "Second player")


def test_a_record_that_breaks_a_rule_makes_no_page():
    record = play_some(decisions=12).record()
    record["turns"][1]["rotation"] = 7
    with pytest.raises(RecordError, match=r"turns\[1\], rotation: must be \d, not 7"):
        make_story(record)


# --- any game ---


def make_other_story(count=3):
    """Return a story of a game of which the page knows nothing: one picture, three players, no board."""
    thoughts = Thoughts(
        "probability", [Option("draw", 0.75, Outline(1, 2, 3)), Option("pass", np.nan, None, True)], np.nan
    )
    moments = [
        Moment((f'<svg viewBox="0 0 9 {step}"><g><text>{step}</text></g>\n<text>x</text></svg>',), (step, 0, -step),
              step, None if step == 0 else step % 3, "pass", (f"step {step}",), thoughts=thoughts if step else None)
        for step in range(count)
    ]  # fmt: skip
    return Story("Cards", "by hand", ("a", "b", "c"), moments, "someone")


def test_any_game_can_be_told():
    data = read_data(make_page(make_other_story()))
    assert [moment["scores"] for moment in data["moments"]] == [[0, 0, 0], [1, 0, -1], [2, 0, -2]]
    assert list(unpack_view(data, 0))[1] == ["<g><text>1</text></g>\n<text>x</text>"]
    assert data["moments"][1]["thoughts"]["options"] == [["draw", 0.75, 0], ["pass", None, -1]]


def test_a_story_that_does_not_fit_together_is_refused():
    moment = Moment(("<svg/>",), (0, 0))
    with pytest.raises(ValueError, match="moments must hold one moment or more"):
        Story("", "", ("a", "b"), [])
    with pytest.raises(ValueError, match="a score for each of 3 players"):
        Story("", "", ("a", "b", "c"), [moment])
    with pytest.raises(ValueError, match="a view must be one SVG document with a viewBox"):
        pack(Story("", "", ("a", "b"), [moment]))


# --- the command ---


@pytest.fixture
def games(tmp_path):
    """A file of two records, with an empty line between."""
    path = tmp_path / "games.jsonl"
    lines = [json.dumps(play_some(decisions=6, seed=seed).record((f"first of {seed}", "b"))) for seed in (1, 2)]
    path.write_text("\n\n".join(lines) + "\n", encoding="utf-8")
    return path


def run(*arguments):
    return cli.main(["replay", *map(str, arguments)])


def test_the_command_writes_the_page_of_the_game_asked_for(games, capsys):
    assert run(games, "-n", 2) == 0
    assert "first of 2" in (games.parent / "games-2.html").read_text(encoding="utf-8")
    assert "games-2.html" in capsys.readouterr().out
    out = games.parent / "new" / "page.html"
    assert run(games, "-o", out, "--agent", "value", "--blunder", 0.5) == 0
    assert read_data(out.read_text(encoding="utf-8"))["agent"] == "value"


@pytest.mark.parametrize("is_terminal, more, opened", [(True, (), 1), (False, (), 0), (True, ("--no-browser",), 0)])
def test_the_page_is_opened_where_the_command_runs_in_a_terminal(games, monkeypatch, is_terminal, more, opened):
    addresses = []
    monkeypatch.setattr(webbrowser, "open", addresses.append)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)
    run(games, *more)
    assert addresses == [games.with_suffix(".html").as_uri()] * opened


def test_a_single_record_may_take_many_lines(games):
    where, record = read_record(games, 1)
    path = games.with_name("one.json")
    path.write_text(json.dumps(record, indent=1), encoding="utf-8")
    assert read_record(path, 1) == (where, record) == ("line 1", record)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-n", "3"], "--number must lie in 1 to 2, the game records of .*games.jsonl, not 3$"),
        (["-n", "0"], "--number must be 1 or more, not 0"),
        (["--agent", "greedy"], "the agent 'greedy' does not evaluate choices; of those here value, expectimax, mcts"),
        (["--agent", "deepest"], "--agent: an agent must be one of random, greedy"),
        (["--blunder", "2"], "--blunder must come with --agent, in whose eyes decisions lose points"),
        (["--blunder", "-1"], "--blunder must be points above 0, not -1"),
        (["--blunder", "nan"], "--blunder must be points above 0, not nan"),
    ],
)
def test_bad_input_is_refused_in_one_line(games, arguments, message, refused):
    refusal = refused(run, games, *arguments)
    assert not list(games.parent.glob("*.html"))
    assert re.search(rf"^replay: {message}", refusal, re.MULTILINE), refusal


def test_a_wrong_record_is_named_by_its_line(games, refused):
    games.write_text(games.read_text(encoding="utf-8").replace('"first of 2"', "3, 4"), encoding="utf-8")
    assert refused(run, games, "-n", 2).startswith(f"replay: {games}: line 3: record, players: ")
    assert run(games) == 0


def test_a_bug_of_an_agent_of_ones_own_keeps_its_traceback(games):
    source = (
        "class Mine:\n    name = 'mine'\n    def act(self, game, rng): ...\n    def evaluate(self, game, rng): len(0)\n"
    )
    agent = games.with_name("mine.py")
    agent.write_text(source)
    with pytest.raises(TypeError, match="object of type 'int' has no len"):
        run(games, "--agent", f"{agent}:Mine")


def test_an_agent_that_plays_other_games_is_refused_in_one_line(games, refused):
    refusal = refused(run, games, "--agent", "ismcts")
    assert refusal.endswith("replay: the agent 'ismcts' plays castle-cards only, not zamek\n")


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", "null", "[" * 100_000, '{"format": "zamek-record/1"}', "\x00"])
def test_files_that_hold_no_record_are_refused(text, tmp_path, refused):
    path = tmp_path / "games.jsonl"
    path.write_text(text, encoding="utf-8")
    assert refused(run, path).count("\n") == 1
    assert [each.name for each in tmp_path.iterdir()] == ["games.jsonl"]


def test_a_number_is_refused_by_what_the_file_holds(tmp_path, refused):
    path = tmp_path / "games.jsonl"
    for text, said in (("", f"{path} holds no game record"), ("{}\n", "--number must be 1, the only game record of ")):
        path.write_text(text, encoding="utf-8")
        assert refused(run, path, "-n", 2).startswith(f"replay: {said}")


def test_bytes_that_are_no_text_are_refused(tmp_path, refused):
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\xff\xfe\x00")
    assert "as text in UTF-8, not packed" in refused(run, path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "RECORDS", "--overwrite"], "holds the records"),
        (["RECORDS", "-o", "..", "--overwrite"], "--out: .. is a folder; name a file"),
        (["."], "replay: .: Is a directory\n"),
        ([".."], "replay: ..: Is a directory\n"),
        ([""], "must not be empty"),
    ],
)
def test_records_are_never_replaced_by_their_page_and_a_file_must_be_named(games, arguments, message, refused):
    before = games.read_bytes()
    refusal = refused(
        run, *([games] if arguments[0] == "-o" else []), *(games if word == "RECORDS" else word for word in arguments)
    )
    assert games.read_bytes() == before
    assert message in refusal


def test_a_page_is_replaced_only_if_asked_to(games, refused):
    page = games.with_suffix(".html")
    page.write_text("mine")
    refusal = refused(run, games)
    assert page.read_text() == "mine" and f"{page} exists" in refusal
    assert run(games, "--overwrite") == 0 and page.read_text(encoding="utf-8") != "mine"


def test_own_components_are_named_on_the_command_line(games, tmp_path, refused):
    folder = tmp_path / "box"
    write_box(folder)
    assert "components" in refused(run, games, "--components", folder)


def test_replays_of_many_games_are_listed_by_their_names(tmp_path, refused):
    folder = tmp_path / "replays"
    write_replays(folder, [play_some(decisions=3).record((HOSTILE, str(number))) for number in range(2)])
    assert sorted(path.name for path in folder.iterdir()) == ["game-1.html", "game-2.html", "index.html"]
    listed = (folder / "index.html").read_text(encoding="utf-8")
    assert 'href="game-2.html"' in listed and "<script" not in listed and "<img" not in listed
    mine = ("game-rules.html", "game-.html", "my-game-1.html")
    for name in mine:
        (folder / name).write_text("mine")
    write_replays(folder, [play_some(decisions=3).record()])
    assert sorted(path.name for path in folder.iterdir()) == sorted(["game-1.html", "index.html", *mine])
    refusal = refused(cli.main, ["evaluate", "--agents", "random", "random", "--html", str(folder)])
    assert f"--html: {folder} holds replays" in refusal


def test_pages_of_ten_games_and_more_are_in_order_by_name(tmp_path):
    write_replays(tmp_path, [play_some(decisions=3).record((str(number), "b")) for number in range(1, 11)])
    pages = sorted(path.name for path in tmp_path.glob("game-*.html"))
    assert (pages[0], pages[-1]) == ("game-01.html", "game-10.html")
    assert re.findall(r'href="(.+?)">(\d+) –', (tmp_path / "index.html").read_text(encoding="utf-8")) == [
        (page, str(number)) for number, page in enumerate(pages, 1)
    ]


@pytest.mark.parametrize("fault", ["a record", "the disk"])
def test_replays_stay_where_new_ones_cannot_be_written(fault, tmp_path, monkeypatch):
    record, folder = play_some(decisions=3).record(), tmp_path / "replays"
    write_replays(folder, [record] * 2)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    (folder / ".pages.2147483647.0123abcd.part").mkdir()  # of a process that was killed
    made = play_some(decisions=4).record()
    if fault == "a record":
        with pytest.raises(RecordError):
            write_replays(folder, [made, made | {"turns": []}])
    else:
        monkeypatch.setattr("os.fsync", Mock(side_effect=[None, OSError(28, "No space left on device")]))
        with pytest.raises(OSError, match="No space left on device") as failed:
            write_replays(folder, [made, made])
        assert failed.value.filename == str(folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.long
def test_evaluate_writes_replays_of_the_first_games_of_each_pairing(tmp_path):
    options = ["--ruleset", "carcassonne-demo", "--games", "4", "--workers", "1", "--html", str(tmp_path)]
    assert cli.main(["evaluate", "--agents", "random", "greedy", "random", *options, "--replays", "1"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [*(f"game-{n}.html" for n in (1, 2, 3)), "index.html"]
    listed = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "random #1 – greedy" in listed and "random #1 – random #2" in listed
