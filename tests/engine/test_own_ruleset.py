"""A folder with a ruleset of one's own: found, refused, told apart, and remembered by files."""

import json
import re

import numpy as np
import pytest

from tests.support.box import FILES, packaged_files, write_box
from tests.support.games import ENVIRONMENTS
from zamek_agents.arena.round_robin import RoundRobin
from zamek_agents.arena.store import describe
from zamek_agents.named_ruleset import TrainedFor, check_ruleset, make_ruleset_entries, read_ruleset
from zamek_agents.pretrained import find_shipped, list_weights
from zamek_agents.registry import list_untrained
from zamek_agents.search.evaluation import load_evaluation_weights
from zamek_env import RULESETS, ComponentError, Game, RecordError, load_components
from zamek_env.components.box_folder import DATA
from zamek_env.records.shape import find_ruleset_name
from zamek_env.ruleset import get_ruleset
from zamek_env.vector import ZamekVectorEnv

POND = {
    "name": "pond",
    "extends": "carcassonne.json",
    "tiles": ["pond_tiles.json"],
    "copies": {"D": 2, "U": 3, "B": 1, "P1": 2},
    "table": {"start": "U", "window": 3},
}
POND_TILES = {"tiles": [{"id": "P1", "n": "c1", "e": "f1|f2", "s": "f2", "w": "f2|f1", "apart": ["f2"]}]}
POND_FILES = {"pond.json": POND, "pond_tiles.json": POND_TILES}


@pytest.fixture
def pond(tmp_path):
    return write_box(tmp_path / "pond", POND_FILES)


# --- names ---


def test_the_packaged_rulesets_are_told():
    assert tuple(ENVIRONMENTS.values()) == RULESETS
    for name in RULESETS:
        assert json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))["name"] == name


def test_a_ruleset_of_ones_own_is_loaded_by_its_name_and_found_where_it_is_alone(pond):
    components = load_components(pond, "pond")
    assert components == load_components(pond) and components.name == "pond"
    assert [tile.id for tile in components.tiles] == ["B", "D", "D", "U", "U", "P1", "P1"]
    assert components.features == load_components(ruleset="carcassonne").features


@pytest.mark.parametrize("name", ["a", "River-2_x", "0", "-", "x" * 100])
def test_a_name_consists_of_letters_digits_and_two_signs(name, tmp_path):
    folder = write_box(tmp_path / "box", {f"{name}.json": POND | {"name": name, "tiles": [], "copies": {"U": 3}}})
    assert load_components(folder, name).name == load_components(folder).name == name


NAMES = [
    "",
    "a b",
    "ä",
    "a.b",
    "../pond",
    "pond/",
    "a\n",
    "x" * 101,
    "zamek_wall",
    "carcassonne_tiles",
    3,
    None,
    ["pond"],
]


@pytest.mark.parametrize("name", NAMES)
def test_any_other_name_is_refused(name, pond):
    if name is not None:  # for `load_components` that is the one in the folder
        with pytest.raises(
            ValueError, match=r"^ruleset must be one of zamek, .*, or a name of letters, digits, - and _"
        ):
            load_components(pond, name)
    for make in (Game, get_ruleset):
        with pytest.raises(ValueError, match=r"^ruleset must be one of zamek, ") as refused:
            make(name, components=pond)
        assert "\n" not in str(refused.value)


def test_the_name_of_the_card_game_is_no_name_of_a_folder_s_ruleset(tmp_path):
    folder = write_box(tmp_path / "box", POND_FILES | {"castle-cards.json": POND | {"name": "castle-cards"}})
    (folder / "pond.json").unlink()
    with pytest.raises(ComponentError, match=r"holds no component file, .*; it holds castle-cards\.json"):
        load_components(folder)


@pytest.mark.parametrize("make", [Game, get_ruleset, lambda ruleset: ZamekVectorEnv(ruleset=ruleset)])
def test_without_components_the_error_says_what_they_are(make):
    said = "not 'pond'; a ruleset of your own needs components, the folder that holds pond.json$"
    with pytest.raises(ValueError, match=f"^ruleset must be one of {', '.join(RULESETS)}, {said}"):
        make("pond")


# --- folders ---


def test_components_may_be_the_folder(pond):
    ruleset = get_ruleset("pond", pond)
    assert ruleset is get_ruleset("pond", str(pond)) is get_ruleset("pond", load_components(pond))
    assert not ruleset.is_packaged
    assert get_ruleset("sokol", write_box(pond.parent / "all", packaged_files())).is_packaged


@pytest.mark.parametrize("path", [5, b"pond", ["pond"]])
def test_a_path_that_is_none_is_named(path):
    with pytest.raises(TypeError, match=r"^path must be a folder or None, not "):
        load_components(path)


def test_a_folder_without_the_ruleset_tells_what_it_holds(pond):
    for name, lacking in (
        ("river", "no river.json, the file of the ruleset 'river'; it holds pond.json, pond_tiles.json$"),
        ("zamek", "none of zamek.json, .*; it holds pond.json, pond_tiles.json; that is the ruleset 'pond'$"),
    ):
        with pytest.raises(ComponentError, match=f"holds {lacking}"):
            load_components(pond, name)


def test_several_rulesets_want_one_named(pond):
    (pond / "pond2.json").write_text(json.dumps({"name": "pond2", "extends": "pond.json", "followers": 3}))
    (pond / "sokol.json").write_text(json.dumps(packaged_files()["sokol.json"]))
    with pytest.raises(ComponentError, match=r'name one, ruleset="sokol" or "pond" or "pond2"$'):
        load_components(pond)
    assert load_components(pond, "pond2").followers == 3
    assert load_components(pond, "pond").followers == 7


def test_a_ruleset_file_of_another_name_than_it_says_is_refused(tmp_path):
    folder = write_box(tmp_path / "box", POND_FILES | {"pound.json": POND})
    with pytest.raises(ComponentError, match=r"pound\.json: name: must be one of pound, not 'pond'$"):
        load_components(folder, "pound")
    with pytest.raises(ComponentError, match=r"pound\.json: no ruleset uses a file of this name"):
        load_components(folder)


def test_a_ruleset_must_say_its_own_name(tmp_path):
    folder = write_box(tmp_path / "box", POND_FILES | {"pond.json": {k: v for k, v in POND.items() if k != "name"}})
    with pytest.raises(ComponentError, match=r"pond\.json: name: must be one of pond, not 'carcassonne'$"):
        load_components(folder, "pond")


def test_a_folder_whose_only_ruleset_is_no_json_says_so(tmp_path):
    folder = write_box(tmp_path / "box", {})
    (folder / "pond.json").write_text('{"name": "pond",}')
    with pytest.raises(ComponentError, match=r"pond\.json: is not JSON: "):
        load_components(folder)


def test_a_ruleset_of_ones_own_may_have_a_wall(tmp_path):
    files = FILES | {"small.json": {"name": "small", "extends": "zamek.json", "followers": 1}}
    components = load_components(write_box(tmp_path / "box", files), "small")
    assert (components.name, components.followers, len(components.board.cells)) == ("small", 1, 9)


# --- what remembers its components ---


def test_a_record_of_a_ruleset_of_ones_own_is_replayed_on_it_only(pond):
    head = {"ruleset": "pond", "components": "…"}
    components = load_components(pond)
    assert find_ruleset_name(head, pond) == find_ruleset_name(head, components) == "pond"
    for record, given, problem in (
        (head, None, "must be one of zamek, .*, not 'pond'; a game on components of your own needs these"),
        (head, load_components(), "must be zamek, of which the components are, not pond"),
        (head | {"ruleset": "carcassonne"}, components, "must be pond, of which the components are, not carcassonne"),
        (head | {"ruleset": "../pond"}, pond, r"must be one of zamek, .*, not '\.\./pond'"),
        ({"ruleset": "pond"}, pond, "must be one of zamek, .*, not 'pond'"),
    ):
        with pytest.raises(RecordError, match=f"^record, ruleset: {problem}"):
            find_ruleset_name(record, given)


def test_a_trained_file_tells_its_components_unless_they_are_the_packaged_ones(pond):
    own, packaged = get_ruleset("pond", pond), get_ruleset("sokol")
    assert make_ruleset_entries(packaged) == {"ruleset": "sokol"}
    assert make_ruleset_entries(own) == {"ruleset": "pond", "components": own.components.digest}
    assert read_ruleset(make_ruleset_entries(own)) == TrainedFor("pond", own.components.digest)


def test_a_trained_file_is_refused_on_other_components(pond):
    own, digest = get_ruleset("pond", pond), "0" * 64
    check_ruleset("file", TrainedFor("pond", own.components.digest), own)
    check_ruleset("file", TrainedFor("sokol", None), get_ruleset("sokol"))
    for described, ruleset, problem in (
        (TrainedFor("zamek", None), own, "for the ruleset 'zamek', not for 'pond'"),
        (
            TrainedFor("pond", digest),
            own,
            f"on other components of 'pond': on {digest}, not on {own.components.digest}",
        ),
        (TrainedFor("sokol", digest), get_ruleset("sokol"), f"on other .*: on {digest}, not on the packaged ones"),
    ):
        with pytest.raises(ValueError, match=f"^file was trained {problem}$"):
            check_ruleset("file", described, ruleset)


@pytest.mark.parametrize(
    ("about", "problem"),
    [
        ({}, "ruleset must be one of 'zamek', "),
        ({"ruleset": "pond"}, "ruleset must be one of 'zamek', .*, not 'pond'"),
        ({"ruleset": "pond", "components": None}, "components must be a digest of 64 hexadecimal digits, not None"),
        ({"ruleset": "pond", "components": "0" * 63 + "g"}, "components must be a digest"),
        ({"ruleset": "pond\n", "components": "0" * 64}, r"ruleset must be the name of a ruleset, not 'pond\\n'"),
        ({"ruleset": ["pond"], "components": "0" * 64}, "ruleset must be the name of a ruleset, not"),
    ],
)
def test_a_file_that_tells_no_ruleset_is_refused(about, problem):
    with pytest.raises(ValueError, match=f"^{problem}"):
        read_ruleset(about)


def test_nothing_is_shipped_for_components_of_ones_own(pond):
    for own in (get_ruleset("pond", pond), get_ruleset("zamek", write_box(pond.parent / "small", FILES))):
        assert list_weights(own) == {}
        assert list_untrained(own.name, own.components) == ("random", "greedy", "expectimax", "mcts")
        assert np.array_equal(load_evaluation_weights("auto", "", own), np.zeros(0))
        for agent, command in (("value", "zamek train-value"), ("ppo", "zamek train")):
            said = (
                f"ruleset '{own.name}' on components of your own, only for .*; learn some by `{command} --components C"
            )
            with pytest.raises(ValueError, match=f"^no weights of the agent '{agent}' are shipped for the {said}"):
                find_shipped(agent, own)


def test_kept_results_tell_the_components(pond):
    round_robin = RoundRobin(("random", "greedy"), "pond", components=str(pond))
    described = describe(round_robin)
    assert (described["ruleset"], described["components"]) == ("pond", load_components(pond).digest)
    (pond / "pond.json").write_text(json.dumps(POND | {"followers": 1}))
    changed = describe(round_robin)
    assert {name for name in described if described[name] != changed[name]} == {"components"}
    assert re.fullmatch("[0-9a-f]{64}", describe(RoundRobin(("random",) * 2))["components"])
