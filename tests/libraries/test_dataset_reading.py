"""Datasets that are read: what was changed is noticed, what cannot be right is refused, nothing in it is run."""

import io
import json
import zipfile

import numpy as np
import pytest

from tests.records.test_castle_cards_records import play as play_cards
from tests.support.box import load_box
from tests.support.datasets import CARDS, SHARD, SMALL, folder, need, play, rewrite, seal
from zamek_agents import RandomAgent
from zamek_agents.array_file import open_arrays
from zamek_agents.datasets import ExportOptions, export, play_games, read_games, read_npz, verify
from zamek_agents.datasets.columns import unpack_masks
from zamek_agents.datasets.folder import ABOUT, FORMAT
from zamek_agents.datasets.npz import SHARD_FORMAT
from zamek_env import RecordError
from zamek_env.castle_cards import CastleCards
from zamek_scripts.export import Args, main

__all__ = ["folder"]


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
    "name", ["player", "planes", "vector", "mask", "action", "notation", "scores", "reward", "outcome", "lead"]
)
def test_a_changed_number_is_found_by_replay(folder, name):
    with np.load(folder / SHARD, allow_pickle=False) as file:
        arrays = {kept: file[kept] for kept in file.files}
    rewrite(folder, **{name: change(name)(arrays)})
    with pytest.raises(ValueError, match=rf"game 0: {name}: entry 7 is not what|{SHARD} holds no .*: {name} must"):
        verify(folder)


@pytest.mark.parametrize("name", ["rows", "row_actions"])
def test_a_changed_row_is_found_by_replay(name, tmp_path):
    export(play(SMALL, 1), tmp_path / "games", ExportOptions(observation=("rows",)))
    with np.load(tmp_path / "games" / SHARD, allow_pickle=False) as file:
        changed = change(name)(file)
    rewrite(tmp_path / "games", **{name: changed})
    with pytest.raises(ValueError, match=f"game 0: {name}: entry 7 is not what the rules say"):
        verify(tmp_path / "games")


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
    ("changed", "reason"),
    [
        ({"kind": "hf-parquet"}, "kind must be npz, not 'hf-parquet'"),
        ({"players": 10**9}, "players must be a whole number in 1 to 16"),
        ({"planes": [10**6, 10**6, 3]}, "planes must be null, or three lengths"),
        ({"vector": "3"}, "vector must be"),
        ({"vector": None, "planes": None}, "one of planes, codes, vector, rows must be given"),
        ({"rows": [212]}, r"rows must be null, or two lengths of an array, not \[212\]"),
        ({"codes": [10, 10, 5]}, r"codes must be its dtype and shape, not \[10, 10, 5\]"),
        ({"codes": {"dtype": "O", "shape": [10, 10, 5]}}, "dtype of codes must be one of"),
        ({"games": 0}, "games must be"),
        ({"ruleset": "chess"}, "ruleset must be"),
        ({"reward": "money"}, "reward must be one of win, score, delta"),
        ({"shards": [5]}, "shards must be the decisions in each"),
        ({"shards": ["../.."]}, "shards must be"),
        ({"values": "my_agent.py:Mine"}, "values must be null, or name"),
        ({"values": {"unit": "points", "seed": 0}}, "values must be null, or name agent, unit and seed, not"),
        ({"values": {"agent": 5, "unit": "points", "seed": 0}}, "values must be null, or name agent, unit and seed"),
        ({"values": {"agent": "value", "unit": "points"}}, "values: seed must be a whole number in 0 to inf, not None"),
        ({"values": {"agent": "value", "unit": "points", "seed": -1}}, "values: seed must be .*, not -1"),
        ({"command": ["zamek"]}, r"command must be null or a text, not \['zamek'\]"),
    ],
)
def test_a_description_that_cannot_be_right_is_refused_by_field(folder, changed, reason):
    seal(folder, **changed)
    with pytest.raises(ValueError, match=rf"{ABOUT}: {reason}"):
        read_npz(folder)


@pytest.mark.parametrize("name", ["command", "shards", "values"])
def test_a_description_from_which_something_is_missing_is_refused_by_field(folder, name):
    path = folder / ABOUT
    about = json.loads(path.read_text(encoding="utf-8"))
    del about[name]
    path.write_text(json.dumps(about), encoding="utf-8")
    with pytest.raises(ValueError, match=rf"{ABOUT}: {name} is missing"):
        read_npz(folder)


def test_a_description_of_which_no_card_can_be_made_is_refused_in_one_line(tmp_path, refused):
    need("hf-parquet")
    folder = tmp_path / "games"
    export(play(SMALL, 1), folder, ExportOptions("hf-parquet"))
    about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    del about["command"]
    (folder / ABOUT).write_text(json.dumps(about), encoding="utf-8")
    assert f"export: {folder / ABOUT}: command is missing" in refused(main, Args(check=folder))


def test_what_is_no_description_is_refused(folder):
    for text in ("", "[]", "{", json.dumps({"format": FORMAT, "kind": 3}), "[" * 100_000):
        (folder / ABOUT).write_text(text)
        with pytest.raises(ValueError, match=ABOUT):
            read_npz(folder)


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


@pytest.fixture
def episodes(tmp_path):
    """The module h5py, and a folder with a dataset of Minari."""
    h5py = pytest.importorskip("h5py")
    need("minari")
    export(play(SMALL, 1), tmp_path / "mine-v3", ExportOptions("minari"))
    return h5py, tmp_path / "mine-v3"


def test_a_small_file_of_episodes_cannot_fill_the_memory(episodes):
    h5py, folder = episodes
    with h5py.File(folder / "data" / "main_data.hdf5", "a") as file:
        del file["episode_0/rewards"]  # in its place one that lies nowhere in the file: all zeros
        file["episode_0"].create_dataset("rewards", (2**42,), "f8", chunks=(2**20,))
    seal(folder)
    with pytest.raises(ValueError, match=r"holds no episodes of games: an episode of \d{14} bytes is larger than"):
        verify(folder)


def spoil_array(h5py):
    """Yield (kind, arguments of `create_dataset`) of what is no array of whole numbers."""
    yield "elsewhere", {"shape": (3,), "dtype": "i8", "external": [("/dev/zero", 0, h5py.h5f.UNLIMITED)]}
    yield "inf", {"data": [float("inf")] * 3}
    yield "empty", {"data": h5py.Empty("i8")}
    yield "pairs", {"data": np.zeros(3, [("a", "i4"), ("b", "i4")])}
    yield "one", {"data": 3}


@pytest.mark.parametrize("name", ["actions", "infos/decision", "infos/game", "infos/player"])
def test_what_an_episode_must_have_is_there_and_of_its_kind(name, episodes):
    h5py, folder = episodes
    for kind, spoilt in [("missing", None), *spoil_array(h5py)]:
        with h5py.File(folder / "data" / "main_data.hdf5", "a") as file:
            file["episode_0"].pop(name, None)
            if spoilt is not None:
                file["episode_0"].create_dataset(name, **spoilt)
        seal(folder)
        with pytest.raises(ValueError, match=rf"main_data.hdf5 holds no episodes of games: .*{name}") as refused:
            verify(folder)
        reason = {"missing": "must hold", "elsewhere": "must lie in the file itself"}.get(kind, "must be an array of")
        assert reason in str(refused.value)


def test_an_episode_in_another_file_is_not_looked_for(episodes, tmp_path):
    """The other file might be a pipe, which keeps its reader waiting."""
    h5py, folder = episodes
    (tmp_path / "copy").mkdir()
    other = tmp_path / "copy" / "main_data.hdf5"
    other.write_bytes((folder / "data" / "main_data.hdf5").read_bytes())
    with h5py.File(folder / "data" / "main_data.hdf5", "a") as file:
        del file["episode_1"]
        file["episode_1"] = h5py.ExternalLink(str(other), "/episode_1")
    seal(folder)
    with pytest.raises(ValueError, match="holds no episodes of games: there is no episode_1 in the file itself"):
        verify(folder)


def test_a_file_that_is_no_parquet_is_refused_in_one_line(tmp_path):
    need("hf-parquet")
    folder = tmp_path / "games"
    export(play(SMALL, 1), folder, ExportOptions("hf-parquet"))
    shard = folder / "data" / "train-00000.parquet"
    content = shard.read_bytes()
    shard.write_bytes(content[:-40] + bytes([255] * 32) + content[-8:])
    seal(folder)
    with pytest.raises(ValueError, match=r"train-00000.parquet holds no shard of a dataset: .*thrift") as refused:
        verify(folder)
    assert "\n" not in str(refused.value)


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


@pytest.mark.parametrize("ruleset", [SMALL, CARDS])
@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("env_spec", lambda value: value.replace("zamek_env.", "somebody_elses_code.")),
        ("env_spec", lambda value: json.dumps(json.loads(value) | {"additional_wrappers": [{"entry_point": "os:x"}]})),
        ("env_spec", lambda value: json.dumps({"id": "CartPole-v1"})),
        ("observation_space", lambda value: value.replace("float32", "float64")),
        ("action_space", lambda value: json.dumps(json.loads(value) | {"n": 5})),
        ("data_format", lambda value: "arrow"),
        ("jpeg_encoding", lambda value: True),
    ],
)
def test_what_minari_is_told_of_the_environment_must_be_so(ruleset, name, change, tmp_path):
    need("minari")
    folder = tmp_path / "mine-v3"
    export(play(ruleset, 1), folder, ExportOptions("minari"))
    path = folder / "data" / "metadata.json"
    metadata = json.loads(path.read_text())
    path.write_text(json.dumps(metadata | {name: change(metadata[name])}))
    seal(folder)
    with pytest.raises(ValueError, match=f"metadata.json: {name} must be "):
        verify(folder)


@pytest.mark.compiles
def test_minari_is_told_of_no_environment_where_components_are_ones_own(tmp_path):
    need("minari")
    folder, components = tmp_path / "mine-v3", load_box(tmp_path)
    players = [RandomAgent(), RandomAgent()]
    export(play_games(players, 1, SMALL, 3, components), folder, ExportOptions("minari"))
    assert verify(folder, components).games == 1
    path = folder / "data" / "metadata.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"env_spec": json.dumps({"id": "CartPole-v1"})}))
    seal(folder)
    with pytest.raises(ValueError, match=r"metadata.json: env_spec must be None, not '\{"):
        verify(folder, components)


def test_records_of_cards_without_actions_are_compared_by_their_turns(tmp_path):
    """They do not say in which order the cards of one effect were chosen, as the arrays do."""
    record, file, folder = play_cards(5, 0).record(), tmp_path / "played.jsonl", tmp_path / "games"
    file.write_text(json.dumps(record))
    export(read_games(file), folder)
    assert verify(folder).games == 1
    del record["actions"]
    assert CastleCards.replay(record).history != play_cards(5, 0).history
    (folder / "games.jsonl").write_text(json.dumps(record) + "\n")
    seal(folder)
    assert verify(folder).games == 1


def test_what_would_be_loaded_from_parquet_must_be_what_was_compared(tmp_path):
    need("hf-parquet")
    folder = tmp_path / "games"
    export(play(SMALL, 1), folder, ExportOptions("hf-parquet"))
    shard, card = folder / "data" / "train-00000.parquet", folder / "README.md"
    planted = folder / "data" / "validation.parquet"
    planted.write_bytes(shard.read_bytes())
    with pytest.raises(ValueError, match=r"validation\.parquet is no file of the dataset, and would be loaded"):
        verify(folder)
    planted.unlink()
    text = card.read_text()
    card.write_text(text + "\nMore for people.\n")
    seal(folder)
    assert verify(folder).games == 1
    card.write_text(text.replace("data_files: data/*.parquet", "data_files: https://example.org/*.parquet"))
    seal(folder)
    with pytest.raises(ValueError, match=r"README\.md: its head, which says what is loaded, must be 'configs:"):
        verify(folder)


def test_what_is_told_of_a_shard_can_be_read_by_numpy_alone(folder):
    with np.load(folder / SHARD, allow_pickle=False) as file, open_arrays(folder / SHARD, "shard", SHARD_FORMAT) as own:
        assert set(file.files) == own.names | {"about"}
        assert file["notation"].dtype.kind == "U" and file["planes"].dtype == np.uint8
