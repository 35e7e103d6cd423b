"""Games as datasets: what is written is what the rules say, in every format, and nothing is lost or half written."""

import json
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tests.support.cluster_tasks import Posted
from tests.support.datasets import CARDS, KINDS, PLAYERS, SMALL, folder, need, play, rewrite
from tests.support.games import finish
from tests.support.scripted_agent import Valuing
from zamek_agents import GreedyAgent, RandomAgent, ValueAgent, make_agent
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
from zamek_agents.datasets.columns import Layout, pack_masks, unpack_masks
from zamek_agents.datasets.folder import ABOUT, read_about
from zamek_agents.datasets.rows import find_rows
from zamek_agents.datasets.sources import FinishedGame, get_ready
from zamek_env import Game, IllegalActionError, RecordError
from zamek_env.common.extras import MissingExtraError
from zamek_env.evaluation import POINTS, PROBABILITY, Evaluation
from zamek_env.fair_play import ask_evaluation
from zamek_env.make_game import make_game
from zamek_env.single import ZamekEnv
from zamek_scripts.export import Args, main

CASTLE_RECORDS = Path(__file__).parents[1] / "support" / "castle_cards" / "records.jsonl"
__all__ = ["folder"]

kinds = pytest.mark.parametrize("kind", KINDS)

# --- what is written ---


@kinds
@pytest.mark.parametrize("ruleset", PLAYERS)
def test_what_is_exported_is_what_the_rules_say(kind, ruleset, tmp_path):
    need(kind)
    folder = tmp_path / "games-v0"
    about = export(play(ruleset), folder, ExportOptions(kind))
    checked = verify(folder)
    assert (checked.games, checked.decisions) == (2, about["decisions"]) and not checked.with_values
    assert read_about(folder)["players"] == PLAYERS[ruleset]
    assert [path.name for path in tmp_path.iterdir()] == ["games-v0"]


@pytest.mark.parametrize(
    ("kind", "ruleset", "observation"),
    [
        *(("npz", SMALL, parts) for parts in (("vector", "rows"), ("planes", "codes"), ("rows",), ("vector",))),
        *(("npz", CARDS, parts) for parts in (("vector", "rows"), ("rows",), ("vector",))),
        *((kind, SMALL, ("planes", "codes", "rows")) for kind in KINDS),
        *((kind, CARDS, ("vector", "rows")) for kind in KINDS if kind != "npz"),
    ],
    ids=str,
)
def test_a_dataset_holds_the_parts_of_observations_that_are_asked_for(kind, ruleset, observation, tmp_path):
    need(kind)
    folder, games = tmp_path / "games-v0", list(play(ruleset, 1))
    export(games, folder, ExportOptions(kind, observation=observation[::-1]))
    assert verify(folder).games == 1
    assert Layout.read(read_about(folder)).parts == observation
    due, stored = (
        find_rows(games[0].game, 0).columns,
        find_rows(games[0].game, 0, layout=Layout.of(games[0].game, observation)).columns,
    )
    names = {name for part in observation for name in (("rows", "row_actions") if part == "rows" else (part,))}
    assert stored.keys() == (due.keys() - {"planes", "vector"}) | names
    assert all(np.array_equal(stored[name], due[name]) for name in due.keys() & stored.keys())
    if "rows" in observation:
        masks = unpack_masks(due["mask"], games[0].game.num_actions)
        for actions, rows, mask in zip(stored["row_actions"], stored["rows"], masks, strict=True):
            assert actions[actions >= 0].tolist() == np.flatnonzero(mask).tolist()
            assert (actions[mask.sum() :] == -1).all() and not rows[mask.sum() :].any()


@pytest.mark.parametrize(
    ("ruleset", "observation", "name"),
    [
        (SMALL, ("vector", "rows"), "Zamek-v1"),
        (SMALL, ("planes", "vector"), "Zamek-v0"),
        (SMALL, ("codes", "rows"), "Zamek-v0"),
        (CARDS, ("vector", "rows"), "CastleCards-v1"),
        (CARDS, ("rows",), "CastleCards-v1"),
    ],
)
def test_minari_recovers_an_environment_with_the_same_observations(ruleset, observation, name, tmp_path, recwarn):
    minari = pytest.importorskip("minari")
    export(play(ruleset, 1), tmp_path / "mine-v3", ExportOptions("minari", observation=observation))
    assert not [warning for warning in recwarn if "out of date" in str(warning.message)]
    data = minari.MinariDataset(str(tmp_path / "mine-v3" / "data"))
    env = data.recover_environment()
    assert env.spec.id == name and env.observation_space == data.observation_space
    seen = data[1].observations
    assert seen.keys() == env.reset(seed=1)[0].keys() == env.observation_space.keys()
    for step in range(len(data[1]) + 1):
        assert env.observation_space.contains({part: array[step] for part, array in seen.items()})


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


@pytest.mark.compiles
@pytest.mark.parametrize(
    ("kind", "players", "rules"),
    [
        ("hf-parquet", 1, {}),
        ("npz", 2, {"hand": "hidden", "back_into_bag": True}),
        ("minari", 3, {"draw_ahead": True, "start_in_bag": True}),
        ("npz", 5, {"hole_plays_again": True}),
    ],
)
def test_games_of_any_number_of_players_by_house_rules_are_rows(kind, players, rules, tmp_path):
    need(kind)
    rules = rules | {"table": (3, 5)}  # which is soon full
    game = finish(Game("carcassonne-demo", 4, players=players, rules=rules), 4)
    folder, rows = tmp_path / "games-v0", find_rows(game, 0, "delta").columns
    export([FinishedGame(game.record(), game)], folder, ExportOptions(kind, "delta"))
    assert (verify(folder).decisions, read_about(folder)["players"]) == (len(game.history), players)
    again, ahead = Game("carcassonne-demo", 4, players=players, rules=rules), [0.0] * players
    for row, action in enumerate(game.history):
        assert rows["notation"][row] == again.format_action(action) and rows["player"][row] == again.current_player
        assert tuple(rows["scores"][row]) == again.scores
        assert rows["vector"][row].tolist() == again.observe()["vector"].tolist()
        ahead[again.current_player] += rows["reward"][row]
        again.step(action)
    for player, points in enumerate(game.scores):
        lead = points - max((other for each, other in enumerate(game.scores) if each != player), default=0)
        assert set(rows["lead"][rows["player"] == player]) == {lead} and round(100 * ahead[player]) == lead
        assert set(rows["outcome"][rows["player"] == player]) == {np.float32(game.returns()[player])}


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


@pytest.mark.compiles
def test_minari_recovers_an_environment_for_as_many_players_by_the_same_house_rules(tmp_path):
    minari = pytest.importorskip("minari")
    rules = {"draw_ahead": True, "table": [3, 5]}
    game = finish(Game("carcassonne-demo", 4, players=3, rules=rules), 4)
    export([FinishedGame(game.record(), game)], tmp_path / "mine-v3", ExportOptions("minari"))
    data = minari.MinariDataset(str(tmp_path / "mine-v3" / "data"))
    env = data.recover_environment()
    assert env.spec.id == "CarcassonneDemo-v0" and env.observation_space == data.observation_space
    assert (env.unwrapped.game.num_players, env.unwrapped.game.ruleset.rules) == (3, rules)


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
        masks = episode.infos["action_mask"]
        assert masks[np.arange(len(episode)), episode.actions].all() and masks[-1].all() and not masks[:-1].all(1).any()
    kept = data.filter_episodes(lambda episode: episode.infos["player"][0] == 1)
    assert [episode.id for episode in kept.iterate_episodes()] == [kept[0].id] == [1]
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


def test_a_card_holds_any_command_and_says_what_codes_are(tmp_path):
    need("hf-parquet")
    command = "zamek export --play 1 -o '\udcff'"  # a path whose bytes are no text
    for parts, words in ((("codes",), "what that player sees on the board"), (("planes", "codes"), "the same")):
        options = ExportOptions(kind="hf-parquet", observation=parts, command=command, overwrite=True)
        export(play(SMALL, 1), tmp_path / "games", options)
        card = (tmp_path / "games" / "README.md").read_text(encoding="utf-8")
        assert r"Made by `zamek export --play 1 -o '\udcff'`" in card
        assert f"| `codes` | {words} in a few numbers a cell" in card


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
    with pytest.raises(ValueError, match="game 0: values: entry 0 is not what the agent says"):
        verify(tmp_path / "games", judge=judge)


def test_values_that_nobody_looked_at_are_not_named_as_wrong(tmp_path):
    judge = Judge(Valuing(lambda count: [np.nan, *range(1, count)]))
    export(play_games([RandomAgent()] * 2, 1, "zamek"), tmp_path / "games", ExportOptions(judge=judge))
    values = read_npz(tmp_path / "games").load()["values"]
    wrong = int(np.flatnonzero(~np.isnan(values))[-1])
    values[wrong] += 1
    rewrite(tmp_path / "games", values=values)
    with pytest.raises(ValueError, match=f"game 0: values: entry {wrong} is not what the agent says"):
        verify(tmp_path / "games", judge=judge)


@pytest.mark.parametrize("kind", ["hf-parquet", "minari"])
def test_values_stand_beside_the_actions_that_they_are_of(kind, tmp_path):
    """Of an agent to which each action is worth its number."""
    need(kind)
    folder, judge = tmp_path / "games-v0", Judge(Counting())
    export(play(SMALL, 2), folder, ExportOptions(kind, judge=judge))
    assert verify(folder, judge=judge).with_values
    for masks, values in list_judged(kind, folder):
        for mask, row in zip(masks, values, strict=True):
            assert row[~np.isnan(row)].tolist() == np.flatnonzero(mask).tolist()


def list_judged(kind, folder):
    """Yield the masks and the values in each file or episode of a dataset."""
    if kind == "hf-parquet":
        table = pytest.importorskip("pyarrow.parquet").read_table(folder / "data")
        yield table["mask"].to_pylist(), map(np.array, table["values"].to_pylist())
        return
    with pytest.importorskip("h5py").File(folder / "data" / "main_data.hdf5") as file:
        assert len(file) == 4
        for episode in file.values():
            masks, values = (episode[f"infos/{name}"][()] for name in ("action_mask", "values"))
            assert masks[-1].all() and np.isnan(values[-1]).all()  # of the end, where nothing is decided
            yield masks[:-1], values[:-1]


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


def test_values_of_two_units_are_refused(tmp_path):
    class Changing(Counting):
        """Says what is worth how much in the first game, and how probable it is in the second."""

        games = 0  # that have begun

        def evaluate(self, game, rng):
            self.games += not game.history
            legal = game.legal_actions()
            return Evaluation(legal, np.zeros(len(legal)), (POINTS, PROBABILITY)[self.games - 1])

    with pytest.raises(ValueError, match="values must be of one unit, not points and probability"):
        export(play(SMALL, 2), tmp_path / "games", ExportOptions(judge=Judge(Changing())))
    assert not [*tmp_path.iterdir()]


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
    about = export(play(SMALL, 5), tmp_path / "many", ExportOptions(kind, shard_bytes=2_000_000))
    assert verify(tmp_path / "many").games == 5
    shards = read_about(tmp_path / "many")["shards"]
    assert 2 <= len(shards) < 5 and sum(shards) == about["decisions"]
    if kind == "npz":
        one, many = read_npz(tmp_path / "one").load(), read_npz(tmp_path / "many").load()
        assert one.keys() == many.keys() and all(np.array_equal(one[name], many[name]) for name in one)


def test_agents_change_seats_from_game_to_game():
    drawn = []

    class Named:
        """Notes what it draws."""

        def __init__(self, name):
            self.name = name

        def act(self, game, rng):
            drawn.append(rng.random())
            return int(rng.choice(game.legal_actions()))

    games = list(play_games([Named(name) for name in "abc"], 4, CARDS))
    seats = ["".join(played.record["agents"]) for played in games]
    assert seats == ["abc", "cab", "bca", "abc"]
    assert len({played.game.seed for played in games}) == 4
    assert len(set(drawn)) == len(drawn)  # each seat has chance of its own


def test_masks_are_unpacked_as_they_were():
    masks = np.random.default_rng(0).random((5, 13)) < 0.5
    assert np.array_equal(unpack_masks(pack_masks(masks), 13), masks)


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
        ({"observation": ("row",)}, ValueError, "observation must name some of .*, not 'row'"),
        ({"command": ["zamek", "export"]}, TypeError, r"command must be a text or None, not \['zamek', 'export'\]"),
    ):
        with pytest.raises(error, match=message):
            ExportOptions(**wrong)
    with pytest.raises(TypeError, match="games must be those of play_games or read_games, not 5"):
        export([5], tmp_path / "games")
    with pytest.raises(TypeError, match="agents must be a sequence of agents, not None"):
        play_games(None, 1)
    for no_agent in ("value", None):
        with pytest.raises(
            TypeError, match=f"agent must have a method act.*, not {no_agent!r}; make_agent.name. returns one"
        ):
            Judge(no_agent)
    with pytest.raises(ValueError, match="seed must be at least 0, not -1"):
        Judge(ValueAgent(), -1)
    with pytest.raises(ValueError, match="seed must be at least 0, not -1"):
        judge_games([], "value", seed=-1)
    masks = pack_masks(np.ones((2, 3), np.bool_))
    with pytest.raises(ValueError, match=r"values must be of shape \(6,\), one for each legal action, not \(2, 3\)"):
        unpack_values(np.zeros((2, 3), np.float32), masks, 3)
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
    for place in ("", ".", "..", here, tmp_path):
        with pytest.raises(ValueError, match="is or holds the folder you are in; name another"):
            export(play(SMALL, 1), place, ExportOptions(overwrite=True))
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
    for take in (partial(export, play(SMALL, 1)), verify, read_npz):
        with pytest.raises(TypeError, match="folder must be a path, not None"):
            take(None)
    assert not (tmp_path / "new").exists()


def test_masks_of_another_number_of_actions_are_refused():
    packed = pack_masks(np.ones((2, 24), np.bool_))
    assert unpack_masks(packed, 24).all() and unpack_masks(pack_masks(np.ones((2, 17), np.bool_)), 17).shape == (2, 17)
    for wrong in (16, 25, 1000):
        with pytest.raises(ValueError, match=rf"packed must be uint8 \(n, {(wrong + 7) // 8}\) for {wrong} actions"):
            unpack_masks(packed, wrong)


def test_a_match_of_no_agents_or_no_games_is_refused():
    for specs in ("random", 3, [None]):
        with pytest.raises(TypeError, match="specs must be a row of texts"):
            Match(specs)
    with pytest.raises(ValueError, match="count must be at least 1, not 0"):
        play_match(Match(["random", "random"]), 0)


@pytest.mark.parametrize(("given", "error"), [("-5", SystemExit), ("1 / 0", ZeroDivisionError)])
def test_an_agent_of_ones_own_that_fails_is_told_with_its_game(tmp_path, monkeypatch, capsys, given, error):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "late.py").write_text(
        "class Late:\n"
        "    name = 'late'\n"
        "    def act(self, game, rng):\n"
        f"        return {given} if len(game.history) > 8 else game.legal_actions()[0]\n"
    )
    where = "in game 0 of random and late.py:Late, seed 3"
    with pytest.raises(error) as failed:
        main(Args(play=1, agents=("random", "late.py:Late"), out=tmp_path / "out", workers=1, seed=3))
    if error is SystemExit:
        assert f"the answer of late: action must lie in 0 to 329, not -5, {where}" in capsys.readouterr().err
    else:
        assert failed.value.__notes__ == [where]
    assert not (tmp_path / "out").exists()


def test_games_of_one_ruleset_only(tmp_path):
    with pytest.raises(ValueError, match=r"all games must be of one ruleset .*: game 1 is of castle-cards with 3"):
        export([*play(SMALL, 1), *play(CARDS, 1)], tmp_path / "games")
    with pytest.raises(ValueError, match="there is no finished game"):
        export([None], tmp_path / "games")


def test_a_record_of_another_ruleset_is_named_by_its_line(tmp_path):
    records = [next(iter(play(ruleset, 1))).record for ruleset in (SMALL, CARDS)]
    (tmp_path / "games.jsonl").write_text("\n\n".join(map(json.dumps, records)))
    with pytest.raises(ValueError, match=": line 3 is of castle-cards with 3"):
        export(read_games(tmp_path / "games.jsonl"), tmp_path / "games")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"reward": "delta"}, "reward must be win for castle-cards, whose rewards are results, not delta"),
        ({"observation": ("planes",)}, "observation must name some of 'vector', 'rows', not 'planes'"),
    ],
)
def test_what_games_of_cards_do_not_have_is_refused(changed, said, tmp_path):
    with pytest.raises(ValueError, match=said):
        export(play(CARDS, 1), tmp_path / "games", ExportOptions(**changed))


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
        (
            {"play": 1, "out": Path("x"), "agents": ("random",)},
            "--agents: players must be 2 in the ruleset zamek, not 1",
        ),
        ({"records": Path(__file__), "out": Path("x"), "agents": ("random",) * 2}, "--agents must come with --play"),
        ({"check": Path("x"), "agents": ("random",) * 2}, "--agents must come with --play"),
        ({"records": Path(__file__), "out": Path("x"), "ruleset": "castle-cards"}, "--ruleset must come with --play"),
        ({"check": Path("x"), "ruleset": "castle-cards"}, "--ruleset must come with --play"),
        ({"records": Path(__file__), "out": Path("x"), "seed": 1}, "--seed must come with --play or --values"),
        ({"check": Path("x"), "to": "minari"}, "--to must be left out with --check"),
        ({"check": Path("x"), "reward": "score"}, "--reward must be left out with --check"),
        ({"check": Path("x"), "observation": ("rows",)}, "--observation must be left out with --check"),
        (
            {"play": 1, "out": Path("x"), "ruleset": "castle-cards", "observation": ("planes", "rows")},
            "--observation: observation must name some of 'vector', 'rows', not 'planes'",
        ),
        ({"play": 1, "out": Path("x"), "observation": ()}, "--observation must name some of 'planes', 'codes',"),
        ({"check": Path("x"), "overwrite": True}, "--overwrite must be left out with --check"),
        ({"play": 1, "out": Path("x"), "values": "greedy"}, "the agent 'greedy' does not evaluate choices"),
        ({"play": 1, "out": Path("x"), "to": "minari", "agents": ("random",) * 2}, "must be called NAME-vNUMBER"),
        ({"check": Path("x")}, "there is no dataset.json"),
        ({"check": Path("x"), "play": 1}, "--check comes without records, --play, --out, --workers and --ray"),
        ({"records": Path(__file__), "out": Path("x"), "workers": 2}, "must come with --play or --values"),
        (
            {"play": 1, "out": Path("x"), "ruleset": "castle-cards", "agents": ("random",)},
            "--agents: players must be one of 2, 3, 4, 5, not 1",
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
def test_what_cannot_be_followed_is_refused_in_one_line(given, reason, tmp_path, monkeypatch, refused):
    if given.get("to") == "minari":
        need("minari")
    monkeypatch.chdir(tmp_path)
    refusal = refused(main, Args(**given))
    said = refusal.rstrip("\n").rpartition("\r")[2]
    assert reason in said and said.startswith("export: ")
    assert not list(tmp_path.iterdir())


def test_whose_answer_is_refused_is_told(monkeypatch):
    monkeypatch.setattr(GreedyAgent, "act", lambda self, game, rng: -1)
    with pytest.raises(IllegalActionError, match=r"^the answer of greedy: action must lie in "):
        next(play_games([RandomAgent(), GreedyAgent()], 1, "zamek"))
