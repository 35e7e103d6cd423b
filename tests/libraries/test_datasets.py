"""Games as datasets: what is written is what the rules say, in every format, and what was changed is noticed."""

import io
import json
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.support.cluster_tasks import Posted
from tests.support.games import finish
from zamek_agents import GreedyAgent, RandomAgent, ValueAgent, make_agent
from zamek_agents.array_file import open_arrays, write_arrays
from zamek_agents.datasets import (
    ExportOptions,
    Judge,
    Match,
    export,
    judge_games,
    play_games,
    play_match,
    read_games,
    read_npz,
    unpack_values,
    verify,
)
from zamek_agents.datasets.folder import ABOUT, FORMAT, read_about, write_about
from zamek_agents.datasets.npz import SHARD_FORMAT
from zamek_agents.datasets.packing import pack_masks, unpack_masks
from zamek_agents.datasets.rows import find_rows
from zamek_agents.datasets.side_by_side import get_ready
from zamek_agents.extras import MissingExtraError
from zamek_env import Game, IllegalActionError, RecordError
from zamek_env.evaluation import POINTS, Evaluation
from zamek_env.fair_play import ask_evaluation
from zamek_env.make_game import make_game
from zamek_env.single import ZamekEnv
from zamek_scripts.export import Args, main

SMALL, CARDS = "zamek", "castle-cards"
KINDS = {"npz": (), "hf-parquet": ("pyarrow",), "minari": ("minari", "h5py")}  # and what each needs
PLAYERS = {SMALL: 2, CARDS: 3}
SHARD = "shard-00000.npz"
CASTLE_RECORDS = Path(__file__).parents[1] / "support" / "data" / "castle_records.jsonl"

kinds = pytest.mark.parametrize("kind", KINDS)


def play(ruleset, count=2):
    return play_games([RandomAgent()] * PLAYERS[ruleset], count, ruleset, seed=3)


def need(kind):
    for package in KINDS[kind]:
        pytest.importorskip(package)


@pytest.fixture
def folder(tmp_path):
    """A dataset of two games, of numpy's files."""
    export(play(SMALL), tmp_path / "games", ExportOptions(reward="delta"))
    return tmp_path / "games"


def rewrite(folder, **changed):
    """Change arrays of the first shard, as one who knows how to seal it."""
    with np.load(folder / SHARD, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files if name != "about"}
    write_arrays(folder / SHARD, {"format": SHARD_FORMAT}, arrays | changed)
    seal(folder)
    return arrays


def seal(folder, **told):
    """Write `dataset.json` anew, with the digests of the files that are there now."""
    about = json.loads((folder / ABOUT).read_text())
    (folder / ABOUT).unlink()
    write_about(folder, {name: value for name, value in about.items() if name not in ("files", "format")} | told)


# --- what is written ---


@kinds
@pytest.mark.parametrize("ruleset", PLAYERS)
def test_what_is_exported_is_what_the_rules_say(kind, ruleset, tmp_path):
    need(kind)
    folder = tmp_path / "games-v0"
    told = export(play(ruleset), folder, ExportOptions(kind))
    checked = verify(folder)
    assert (checked.games, checked.decisions) == (2, told["decisions"]) and not checked.with_values
    assert read_about(folder)["players"] == PLAYERS[ruleset]
    assert [path.name for path in tmp_path.iterdir()] == ["games-v0"]


@pytest.mark.parametrize("reward", ["win", "score", "delta"])
def test_the_rows_of_a_seat_are_what_its_environment_returns(reward):
    """The games are played once more, the other seat by an opponent that repeats what was played there."""
    (played,) = play(SMALL, 1)
    rows, game = find_rows(played.game, 0, reward).columns, played.game
    for seat in (0, 1):
        env = ZamekEnv(SMALL, seat=seat, reward=reward, opponent=lambda at, rng: game.history[len(at.history)])
        seen, info = env.reset(options={"deal": game.seed})
        for row in np.flatnonzero(rows["player"] == seat):
            assert np.array_equal(seen["planes"], rows["planes"][row])
            assert np.array_equal(seen["vector"], rows["vector"][row])
            assert np.array_equal(pack_masks(info["action_mask"][None].astype(bool))[0], rows["mask"][row])
            assert tuple(rows["scores"][row]) == info["scores"]
            assert rows["notation"][row] == env.game.format_action(int(rows["action"][row]))
            assert rows["outcome"][row] == game.returns()[seat]
            assert rows["lead"][row] == game.scores[seat] - game.scores[1 - seat]
            seen, gained, over, _, info = env.step(rows["action"][row])
            assert rows["reward"][row] == np.float32(gained)
        assert over


def test_a_game_of_cards_rewards_everybody_with_the_result():
    (played,) = play(CARDS, 1)
    rows = find_rows(played.game, 0, "delta").columns
    for player, result in enumerate(played.game.returns()):
        assert rows["reward"][rows["player"] == player].tolist()[-1] == np.float32(result)
        assert not rows["reward"][rows["player"] == player][:-1].any()


def test_games_of_cards_in_which_chance_was_told_what_to_draw_are_followed():
    records = [json.loads(line) for line in CASTLE_RECORDS.read_text().splitlines()[:3]]
    games = [type(make_game(CARDS)).replay(record | {"seed": None}) for record in records]
    assert any(game.draws for game in games)
    for game in games:
        rows = find_rows(game, 0).columns
        assert rows["action"].tolist() == list(game.history)


def test_an_episode_of_minari_is_a_seat_of_a_game(tmp_path, monkeypatch):
    minari = pytest.importorskip("minari")
    (played,) = play(SMALL, 1)
    export([played], tmp_path / "mine-v3", ExportOptions("minari", "delta"))
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    data, rows = minari.load_dataset("mine-v3"), find_rows(played.game, 0, "delta")
    assert data.total_episodes == 2 and data.total_steps == len(played.game.history)
    for seat, episode in enumerate(data):
        chosen = rows.columns["player"] == seat
        assert episode.actions.tolist() == rows.columns["action"][chosen].tolist()
        lead = played.game.scores[seat] - played.game.scores[1 - seat]
        assert episode.rewards.sum() == pytest.approx(lead / 100)
        assert episode.terminations.tolist() == [False] * (len(episode) - 1) + [True]
        assert np.array_equal(episode.observations["vector"][-1], rows.last[seat]["vector"])
        assert data.observation_space.contains({name: seen[0] for name, seen in episode.observations.items()})
        assert episode.infos["action_mask"][np.arange(len(episode)), episode.actions].all()
    env = data.recover_environment()
    assert env.unwrapped.game.ruleset.name == SMALL and env.unwrapped.reward == "delta"


@pytest.mark.long
def test_hugging_face_loads_what_was_exported(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    datasets = pytest.importorskip("datasets")
    (played,) = play(SMALL, 1)
    export([played], tmp_path / "games", ExportOptions("hf-parquet"))
    files = str(tmp_path / "games" / "data" / "*.parquet")
    loaded = datasets.load_dataset("parquet", data_files=files, split="train", cache_dir=str(tmp_path / "cache"))
    rows = find_rows(played.game, 0).columns
    assert loaded["notation"][:] == rows["notation"].tolist() and loaded["action"][:] == rows["action"].tolist()
    assert np.array_equal(loaded.with_format("numpy")[5]["planes"], rows["planes"][5].reshape(-1))


def test_a_card_holds_any_command(tmp_path):
    need("hf-parquet")
    command = "zamek export --play 1 -o '\udcff'"  # a path whose bytes are no text
    export(play(SMALL, 1), tmp_path / "games", ExportOptions(kind="hf-parquet", command=command))
    card = (tmp_path / "games" / "README.md").read_text(encoding="utf-8")
    assert r"Made by `zamek export --play 1 -o '\udcff'`" in card


def test_values_are_those_of_the_agent(tmp_path):
    judge = Judge(ValueAgent(), 5)
    games = list(play_games([GreedyAgent()] * 2, 2, "zamek"))
    export(games, tmp_path / "games", ExportOptions(judge=judge))
    arrays = read_npz(tmp_path / "games").load()
    spread = unpack_values(arrays["values"], arrays["mask"], games[0].game.num_actions)
    game, rng = Game.from_deal(*deal_of(games[1].game)), judge.new_chance(1)
    for row in np.flatnonzero(arrays["game"] == 1):
        evaluation = ask_evaluation(ValueAgent().evaluate, game, rng)
        assert np.array_equal(spread[row, evaluation.actions], evaluation.values.astype(np.float32))
        assert np.isnan(spread[row]).sum() == game.num_actions - len(evaluation.actions)
        game.step(int(arrays["action"][row]))
    assert verify(tmp_path / "games", judge=judge).with_values
    rewrite(tmp_path / "games", values=arrays["values"] + np.float32(1))
    assert not verify(tmp_path / "games").with_values
    with pytest.raises(ValueError, match="game 0: values: entry 0 is not what the rules say"):
        verify(tmp_path / "games", judge=judge)


class Skimming:
    """Looks at all legal actions but the first."""

    name = "skimming"

    def evaluate(self, game, rng):
        legal = game.legal_actions()
        return Evaluation(legal, np.array([np.nan, *range(1, len(legal))], np.float64), POINTS)


def test_values_that_nobody_looked_at_are_not_named_as_wrong(tmp_path):
    judge = Judge(Skimming())
    export(play_games([RandomAgent()] * 2, 1, "zamek"), tmp_path / "games", ExportOptions(judge=judge))
    values = read_npz(tmp_path / "games").load()["values"]
    wrong = int(np.flatnonzero(~np.isnan(values))[-1])
    values[wrong] += 1
    rewrite(tmp_path / "games", values=values)
    with pytest.raises(ValueError, match=f"game 0: values: entry {wrong} is not what the rules say"):
        verify(tmp_path / "games", judge=judge)


def deal_of(game):
    state = game.state[0]
    return game.ruleset, state.deck.tolist(), state.token_deal.tolist()


@pytest.mark.parametrize(
    ("specs", "ruleset", "judge"), [(("value", "greedy"), "zamek", "value"), (("random",) * 3, CARDS, None)]
)
def test_workers_play_and_judge_what_one_process_does(specs, ruleset, judge, tmp_path):
    match, options, workers = Match(specs, ruleset, 7), ExportOptions(), Posted()
    get_ready(match, judge)
    games = play_match(match, 4, workers)
    if judge is not None:
        options = ExportOptions(judge=Judge(make_agent(judge), 7))
        games = judge_games(games, judge, 7, workers)
    export(games, tmp_path / "shared", options)
    export(play_games([*map(make_agent, specs)], 4, ruleset, 7), tmp_path / "alone", options)
    names = sorted(path.name for path in (tmp_path / "alone").iterdir())
    assert len(names) == 3
    for name in names:
        assert (tmp_path / "shared" / name).read_bytes() == (tmp_path / "alone" / name).read_bytes()
    assert workers.done == 4 * (2 if judge else 1)


def test_unfinished_games_are_not_judged_and_not_counted():
    played = list(play(SMALL))
    judged = [*judge_games([None, played[0], None, played[1]], f"{__name__}:Counting", 5, Posted())]
    assert [one and one.values[1:3] for one in judged] == [None, (5, 0), None, (5, 1)]
    assert [one.record for one in judged if one] == [one.record for one in played]


class Counting:
    """Thinks that each legal action is worth its number."""

    name = "counting"

    def act(self, game, rng):
        return game.legal_actions()[0]

    def evaluate(self, game, rng):
        return Evaluation(game.legal_actions(), np.array(game.legal_actions(), float), POINTS)


def test_values_of_another_judge_are_refused(tmp_path):
    games = [*judge_games(play(SMALL, 1), f"{__name__}:Counting", 5)]
    for judge in (None, Judge(Counting(), 6)):
        with pytest.raises(
            ValueError, match=r"values must be those of .*, agent, seed and game, not of \('counting', 5, 0"
        ):
            export(games, tmp_path / "games", ExportOptions(judge=judge))
    with pytest.raises(ValueError, match="values must be those of"):
        export([*play(SMALL, 1), *games], tmp_path / "games", ExportOptions(judge=Judge(Counting(), 5)))
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("kind", ["npz", pytest.param("hf-parquet", marks=pytest.mark.long)])
def test_memory_holds_one_shard_and_shards_hold_whole_games(kind, tmp_path):
    need(kind)
    export(play(SMALL, 5), tmp_path / "one", ExportOptions(kind))
    told = export(play(SMALL, 5), tmp_path / "many", ExportOptions(kind, shard_bytes=2_000_000))
    assert verify(tmp_path / "many").games == 5
    shards = read_about(tmp_path / "many")["shards"]
    assert 2 <= len(shards) < 5 and sum(shards) == told["decisions"]
    if kind == "npz":
        one, many = read_npz(tmp_path / "one").load(), read_npz(tmp_path / "many").load()
        assert one.keys() == many.keys() and all(np.array_equal(one[name], many[name]) for name in one)


def test_masks_are_unpacked_as_they_were():
    masks = np.random.default_rng(0).random((5, 13)) < 0.5
    assert np.array_equal(unpack_masks(pack_masks(masks), 13), masks)


# --- what is read ---


def change(name):
    """Return a change of one entry of an array that leaves it plausible."""

    def changed(arrays):
        array = arrays[name].copy()
        if name == "notation":
            array[7] = array[8]
        elif name == "mask":
            array[7] |= array[8]
        elif name == "action":
            legal = np.flatnonzero(unpack_masks(arrays["mask"][7:8], 8 * arrays["mask"].shape[1])[0])
            array[7] = legal[legal != array[7]][0]
        elif name == "player":
            array[7] = 1 - array[7]
        else:
            entry = (7, *[0] * (array.ndim - 1))
            array[entry] = array[entry] == 0
        return array

    return changed


@pytest.mark.parametrize(
    "name",
    ["player", "planes", "vector", "mask", "action", "notation", "scores", "reward", "outcome", "lead"],
)
def test_a_changed_number_is_found_by_replay(folder, name):
    with np.load(folder / SHARD, allow_pickle=False) as file:
        arrays = {kept: file[kept] for kept in file.files}
    rewrite(folder, **{name: change(name)(arrays)})
    with pytest.raises(ValueError, match=rf"game 0: {name}: entry 7 is not what|{SHARD} holds no .*: {name} must"):
        verify(folder)


def test_a_record_that_breaks_a_rule_or_is_missing_is_found(folder):
    first, second = (folder / "games.jsonl").read_text().splitlines()
    (folder / "games.jsonl").write_text(first + "\n")
    seal(folder)
    with pytest.raises(ValueError, match="must have the same finished games: game 1"):
        verify(folder)
    record = json.loads(second)
    record["scores"][0] += 1
    (folder / "games.jsonl").write_text(f"{first}\n{json.dumps(record)}\n")
    seal(folder)
    with pytest.raises(RecordError, match="line 2: record, scores"):
        verify(folder)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"action": np.zeros(3, np.int64)}, r"action must be <i4 of shape"),
        ({"extra": np.zeros(3)}, "its arrays must be action, "),
        ({"game": None}, "game must ascend in steps of one from 0 on"),
        ({"decision": None}, "decision must count from 0"),
        ({"reward": np.nan}, "reward holds numbers that are not finite"),
        ({"mask": 0}, "action must be legal by its mask"),
        ({"player": 7}, "player must lie in 0 to 1, not 0 to 7"),
        ({"notation": np.array([b"x"])}, "notation must be"),
    ],
)
def test_arrays_that_cannot_be_right_are_refused_by_name(folder, changed, reason):
    ((name, value),) = changed.items()
    with np.load(folder / SHARD, allow_pickle=False) as file:
        array = file[name].copy() if name in file.files else None
    if array is not None and not isinstance(value, np.ndarray):
        array[-1:] = array[0] + 9 if value is None else value
        value = array
    rewrite(folder, **{name: value})
    with pytest.raises(ValueError, match=rf"{SHARD} holds no shard of a dataset: {reason}"):
        list(read_npz(folder))


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("notation", lambda rows: ["x" * 100_000] * rows, "notation must be texts of at most"),
        ("notation", lambda rows: ["x"] + [None] * (rows - 1), "notation must be texts of at most"),
        ("notation", lambda rows: [b"x"] * rows, "notation must be string, not "),
        ("action", lambda rows: [0.5] * rows, "action must be int32, not double"),
        ("action", lambda rows: [None] * rows, "action must be int32, not null"),
        ("scores", lambda rows: [[1] * 900] * rows, r"scores must be fixed_size_list<.*, not list<"),
    ],
)
def test_columns_of_parquet_that_cannot_be_right_are_refused_by_name(name, change, reason, tmp_path):
    """The first is a file of some kB, which would fill the memory if each row were given its text."""
    parquet = pytest.importorskip("pyarrow.parquet")
    export(play(SMALL, 1), tmp_path / "games", ExportOptions("hf-parquet"))
    shard = tmp_path / "games" / "data" / "train-00000.parquet"
    table = parquet.read_table(shard)
    parquet.write_table(
        table.set_column(table.column_names.index(name), name, [change(table.num_rows)]), shard, compression="zstd"
    )
    assert shard.stat().st_size < 1_000_000
    seal(tmp_path / "games")
    with pytest.raises(ValueError, match=rf"train-00000.parquet holds no shard of a dataset: {reason}"):
        verify(tmp_path / "games")


def test_no_pickle_is_read(folder):
    planted = io.BytesIO()
    np.save(planted, np.array([Exception("run")], object), allow_pickle=True)
    with zipfile.ZipFile(folder / SHARD) as file:
        members = {member: file.read(member) for member in file.namelist()}
    with zipfile.ZipFile(folder / SHARD, "w") as file:
        for member, content in (members | {"notation.npy": planted.getvalue()}).items():
            file.writestr(member, content)
    seal(folder)
    with pytest.raises(ValueError, match="notation is no array of numbers"):
        list(read_npz(folder))


def test_a_file_that_is_not_the_one_written_is_refused(folder):
    content = bytearray((folder / SHARD).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / SHARD).write_bytes(content)
    with pytest.raises(ValueError, match=rf"{SHARD}: it is not the file that was written"):
        list(read_npz(folder))
    (folder / SHARD).write_bytes(content[:-9])
    with pytest.raises(ValueError, match=rf"{SHARD}: it must have \d+ bytes"):
        list(read_npz(folder))
    (folder / SHARD).unlink()
    with pytest.raises(ValueError, match=rf"{SHARD}: there is no such file"):
        list(read_npz(folder))


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ({"kind": "hf-parquet"}, "kind must be npz, not 'hf-parquet'"),
        ({"players": 10**9}, "players must be a whole number in 1 to 16"),
        ({"planes": [10**6, 10**6, 3]}, "planes must be null, or three lengths"),
        ({"vector": "3"}, "vector must be"),
        ({"games": 0}, "games must be"),
        ({"ruleset": "chess"}, "ruleset must be"),
        ({"reward": "money"}, "reward must be one of win, score, delta"),
        ({"shards": [5]}, "shards must be the decisions in each"),
        ({"shards": ["../.."]}, "shards must be"),
        ({"values": "my_agent.py:Mine"}, "values must be null, or tell"),
    ],
)
def test_a_description_that_cannot_be_right_is_refused_by_field(folder, told, reason):
    seal(folder, **told)
    with pytest.raises(ValueError, match=rf"{ABOUT}: {reason}"):
        read_npz(folder)


@pytest.mark.parametrize("name", ["shards", "values"])
def test_a_description_from_which_something_is_missing_is_refused_by_field(folder, name):
    path = folder / ABOUT
    about = json.loads(path.read_text(encoding="utf-8"))
    del about[name]
    path.write_text(json.dumps(about), encoding="utf-8")
    with pytest.raises(ValueError, match=rf"{ABOUT}: {name} is missing"):
        read_npz(folder)


def test_what_is_no_description_is_refused(folder):
    for text in ("", "[]", "{", json.dumps({"format": FORMAT, "kind": 3}), "[" * 100_000):
        (folder / ABOUT).write_text(text)
        with pytest.raises(ValueError, match=ABOUT):
            read_npz(folder)


# --- folders ---


def test_nothing_is_left_where_a_game_cannot_be_exported(tmp_path, folder):
    def broken():
        yield from play(SMALL, 1)
        raise RecordError("line 2: broken")

    before = (folder / ABOUT).read_bytes()
    for target, overwrite in ((tmp_path / "new", False), (folder, True)):
        with pytest.raises(RecordError):
            export(broken(), target, ExportOptions(overwrite=overwrite))
    assert [path.name for path in tmp_path.iterdir()] == ["games"] and (folder / ABOUT).read_bytes() == before


def test_options_that_cannot_be_are_refused_by_name(tmp_path):
    for wrong, error, message in (
        ({"overwrite": "no"}, ValueError, "overwrite must be one of True, False, not 'no'"),
        ({"judge": "value"}, TypeError, "judge must be a Judge, such as .* not 'value'"),
        ({"shard_bytes": 0}, ValueError, "shard_bytes must be"),
    ):
        with pytest.raises(error, match=message):
            ExportOptions(**wrong)
    with pytest.raises(TypeError, match="games must be those of play_games or read_games, not 5"):
        export([5], tmp_path / "games")
    with pytest.raises(TypeError, match="agents must be a sequence of agents, not None"):
        play_games(None, 1)
    with pytest.raises(TypeError, match="packed must be an array, not None"):
        unpack_masks(None, 330)
    with pytest.raises(ValueError, match="num_actions must be at least 1, not -1"):
        unpack_masks(np.zeros((1, 42), np.uint8), -1)
    assert not list(tmp_path.iterdir())


def test_only_a_dataset_is_replaced_and_only_if_asked(tmp_path, folder):
    with pytest.raises(ValueError, match=r"or replace it \(overwrite=True, on the command line --overwrite\)$"):
        export(play(SMALL, 1), folder)
    assert export(play(SMALL, 1), folder, ExportOptions(overwrite=True))["games"] == 1
    assert read_npz(folder).games == 1
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "letter").write_text("dear")
    with pytest.raises(ValueError, match="exists and is no dataset"):
        export(play(SMALL, 1), tmp_path / "home", ExportOptions(overwrite=True))
    assert (tmp_path / "home" / "letter").read_text() == "dear"


def test_the_folder_that_one_is_in_is_not_replaced(tmp_path, monkeypatch):
    here = tmp_path / "empty" / "below"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    for folder in ("", ".", "..", here, tmp_path):
        with pytest.raises(ValueError, match="is or holds the folder you are in; name another"):
            export(play(SMALL, 1), folder, ExportOptions(overwrite=True))
    assert here.is_dir() and not any(here.iterdir())


def test_games_of_the_wrong_kind_or_number_are_refused(tmp_path):
    agents = [make_agent("random")] * 2
    with pytest.raises(ValueError, match="count must be at least 0, not -1"):
        play_games(agents, -1)
    with pytest.raises(TypeError, match=r"count must be a whole number, not 1\.5"):
        play_games(agents, 1.5)
    with pytest.raises(TypeError, match="seed must be a whole number, not 'a'"):
        play_games(agents, 1, seed="a")
    for games in ("games.jsonl", Path("games.jsonl"), 3):
        with pytest.raises(TypeError, match="games must come from play_games or read_games, not"):
            export(games, tmp_path / "new")
    with pytest.raises(TypeError, match="options must be ExportOptions, not"):
        export(play(SMALL, 1), tmp_path / "new", {"kind": "npz"})
    assert not (tmp_path / "new").exists()


def test_masks_of_another_number_of_actions_are_refused():
    packed = pack_masks(np.ones((2, 24), np.bool_))
    assert unpack_masks(packed, 24).all() and unpack_masks(packed, 17).shape == (2, 17)
    for wrong in (16, 25, 1000):
        with pytest.raises(ValueError, match=rf"packed must be uint8 \(n, {(wrong + 7) // 8}\) for {wrong} actions"):
            unpack_masks(packed, wrong)


def test_a_match_of_no_agents_or_no_games_is_refused():
    for specs in ("random", 3, [None]):
        with pytest.raises(TypeError, match="specs must be a row of texts"):
            Match(specs)
    with pytest.raises(ValueError, match="count must be at least 1, not 0"):
        play_match(Match(["random", "random"]), 0)


@pytest.mark.parametrize("given", ["-5", "1 / 0"])
def test_an_agent_of_ones_own_that_fails_is_told_with_its_game(tmp_path, monkeypatch, given):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "late.py").write_text(
        "class Late:\n"
        "    name = 'late'\n"
        "    def act(self, game, rng):\n"
        f"        return {given} if len(game.history) > 8 else game.legal_actions()[0]\n"
    )
    with pytest.raises((IllegalActionError, ZeroDivisionError)) as failed:
        main(Args(play=1, agents=("random", "late.py:Late"), out=tmp_path / "out", workers=1, seed=3))
    assert failed.value.__notes__ == ["in game 0 of random and late.py:Late, seed 3"]
    assert not (tmp_path / "out").exists()


def test_games_of_one_ruleset_only(tmp_path):
    with pytest.raises(ValueError, match=r"all games must be of one ruleset .*: game 1 is of castle-cards with 3"):
        export([*play(SMALL, 1), *play(CARDS, 1)], tmp_path / "games")
    with pytest.raises(ValueError, match="there is no finished game"):
        export([None], tmp_path / "games")


def test_games_of_cards_are_not_said_to_be_rewarded_otherwise_than_they_are(tmp_path):
    with pytest.raises(ValueError, match="reward must be win for castle-cards, whose rewards are results, not delta"):
        export(play(CARDS, 1), tmp_path / "games", ExportOptions(reward="delta"))


@pytest.mark.parametrize(("kind", "package"), [("minari", "h5py"), ("hf-parquet", "pyarrow")])
def test_a_missing_package_is_named(kind, package, tmp_path, monkeypatch):
    for module in ("zamek_agents.datasets.minari_data", "zamek_agents.datasets.parquet"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"the format {kind} needs {package}, which is not installed; install"):
        export(play(SMALL, 1), tmp_path / "games-v0", ExportOptions(kind))
    assert not list(tmp_path.iterdir())


# --- the command ---


def test_records_are_exported_and_checked(tmp_path, capsys):
    records = [finish(Game(SMALL, seed), seed).record() for seed in (1, 2)]
    unfinished = Game(SMALL, 3).record()
    lines = [json.dumps(record) for record in (records[0], unfinished, records[1])]
    (tmp_path / "games.jsonl").write_text("\n".join(lines))
    main(Args(tmp_path / "games.jsonl", out=tmp_path / "out"))
    assert "2 games of zamek (1 unfinished one left out), " in capsys.readouterr().out
    assert [game.record for game in read_games(tmp_path / "out" / "games.jsonl")] == records
    main(Args(check=tmp_path / "out"))
    assert "all arrays are what the rules say" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({}, "name either a file of records or --play"),
        ({"play": 1}, "--out must name the folder"),
        ({"play": 0, "out": Path("x")}, "--play must be 1 or more, not 0"),
        ({"records": Path("none.jsonl"), "out": Path("x")}, "there is no file 'none.jsonl' of records"),
        ({"play": 1, "out": Path("x"), "agents": ("random",)}, "--agents must name 2 for zamek, not 1"),
        ({"records": Path(__file__), "out": Path("x"), "agents": ("random",) * 2}, "--agents must come with --play"),
        ({"check": Path("x"), "agents": ("random",) * 2}, "--agents must come with --play"),
        ({"records": Path(__file__), "out": Path("x"), "ruleset": "castle-cards"}, "--ruleset must come with --play"),
        ({"check": Path("x"), "ruleset": "castle-cards"}, "--ruleset must come with --play"),
        ({"records": Path(__file__), "out": Path("x"), "seed": 1}, "--seed must come with --play or --values"),
        ({"check": Path("x"), "to": "minari"}, "--to must be left out with --check"),
        ({"check": Path("x"), "reward": "score"}, "--reward must be left out with --check"),
        ({"check": Path("x"), "overwrite": True}, "--overwrite must be left out with --check"),
        ({"play": 1, "out": Path("x"), "values": "greedy"}, "the agent 'greedy' does not evaluate choices"),
        ({"play": 1, "out": Path("x"), "to": "minari", "agents": ("random",) * 2}, "must be called NAME-vNUMBER"),
        ({"check": Path("x")}, "there is no dataset.json"),
        ({"check": Path("x"), "play": 1}, "--check comes without records, --play, --out, --workers and --ray"),
        ({"records": Path(__file__), "out": Path("x"), "workers": 2}, "must come with --play or --values"),
        (
            {"play": 1, "out": Path("x"), "ruleset": "castle-cards", "agents": ("random",)},
            "--agents must name 2 to 5 for castle-cards, not 1",
        ),
        (
            {"play": 1, "out": Path("x"), "ruleset": "castle-cards", "reward": "delta"},
            "--reward: reward must be win for castle-cards, whose rewards are results, not delta",
        ),
        ({"play": 1, "out": Path(__file__)}, "--out: "),
        ({"play": 1, "out": Path(__file__) / "x"}, "cannot be written: what should be its folder is a file"),
        ({"play": 1, "out": Path("x"), "workers": 0}, "--workers must be 1 or more, not 0"),
        ({"play": 1, "out": Path("x"), "workers": 1, "ray": "auto"}, "--workers must be left out with --ray"),
    ],
)
def test_what_cannot_be_followed_is_refused_in_one_line(given, reason, tmp_path, monkeypatch, capsys):
    if given.get("to") == "minari":
        need("minari")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(Args(**given))
    said = capsys.readouterr().err.rstrip("\n").rpartition("\r")[2]
    assert ended.value.code == 2 and reason in said and said.startswith("export: ")
    assert not list(tmp_path.iterdir())


def test_of_cards_the_actions_must_lead_to_the_record(tmp_path):
    """A record of cards leaves open in which order the cards of one effect were chosen, and nothing else."""
    games = list(play(CARDS, 2))
    export(games, tmp_path / "games")
    with np.load(tmp_path / "games" / SHARD, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    masks = unpack_masks(arrays["mask"], games[0].game.num_actions)
    row = int(np.flatnonzero(masks.sum(axis=1) > 1)[-1])
    others = np.flatnonzero(masks[row])
    arrays["action"][row] = others[others != arrays["action"][row]][0]
    rewrite(tmp_path / "games", action=arrays["action"])
    with pytest.raises(ValueError, match="game 1: action: "):
        verify(tmp_path / "games")


def test_a_small_file_of_episodes_cannot_fill_the_memory(tmp_path):
    h5py = pytest.importorskip("h5py")
    need("minari")
    folder = tmp_path / "mine-v3"
    export(play(SMALL, 1), folder, ExportOptions("minari"))
    with h5py.File(folder / "data" / "main_data.hdf5", "a") as file:
        del file["episode_0/rewards"]  # in its place one that lies nowhere in the file: all zeros
        file["episode_0"].create_dataset("rewards", (2**42,), "f8", chunks=(2**20,))
    seal(folder)
    with pytest.raises(ValueError, match=r"holds no episodes of games: an episode of \d{14} bytes is larger than"):
        verify(folder)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("total_steps", 3, "total_steps must be [0-9]+, not 3"),
        ("total_episodes", None, "total_episodes must be 4, not None"),
    ],
)
def test_what_minari_is_told_of_episodes_must_be_so(name, value, reason, tmp_path):
    need("minari")
    folder = tmp_path / "mine-v3"
    export(play(SMALL, 2), folder, ExportOptions("minari"))
    assert verify(folder).games == 2
    path = folder / "data" / "metadata.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {name: value}))
    seal(folder)
    with pytest.raises(ValueError, match=f"metadata.json: {reason}"):
        verify(folder)


def test_what_is_told_of_a_shard_can_be_read_by_numpy_alone(folder):
    with np.load(folder / SHARD, allow_pickle=False) as file, open_arrays(folder / SHARD, "shard", SHARD_FORMAT) as own:
        assert set(file.files) == own.names | {"about"}
        assert file["notation"].dtype.kind == "U" and file["planes"].dtype == np.uint8


def test_whose_answer_is_refused_is_told(monkeypatch):
    monkeypatch.setattr(GreedyAgent, "act", lambda self, game, rng: -1)
    with pytest.raises(IllegalActionError, match=r"^the answer of greedy: action must lie in "):
        next(play_games([RandomAgent(), GreedyAgent()], 1, "zamek"))
