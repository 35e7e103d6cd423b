"""The identity of components: known by a digest, kept when a game is copied or pickled, never mixed up."""

import copy
import json
import multiprocessing
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from tests.support.box import FILES, RULES, load_box, packaged_files, write_box
from zamek_env import ComponentError, Game, load_components
from zamek_env import ruleset as ruleset_module
from zamek_env.components.box_folder import RULESETS
from zamek_env.ruleset import get_ruleset


def test_each_ruleset_has_a_digest_of_its_own_that_loading_again_does_not_change():
    digests = {load_components(ruleset=name).digest for name in RULESETS}
    assert len(digests) == len(RULESETS)
    assert digests == {load_components(ruleset=name).digest for name in RULESETS}
    assert all(len(digest) == 64 and int(digest, 16) for digest in digests)


def test_whatever_differs_changes_the_digest(tmp_path):
    components = load_box(tmp_path)
    feature = replace(components.features[0], role="peasant")
    others = [
        replace(components, followers=3),
        replace(components, nests=1),
        replace(components, features=(feature, *components.features[1:])),
        replace(components, tiles=components.tiles[::-1]),
        replace(components, board=replace(components.board, towerless=frozenset())),
        replace(components, tokens=(replace(components.tokens[0], kind=2), *components.tokens[1:])),
    ]
    assert len({other.digest for other in (components, *others)}) == 1 + len(others)
    assert components not in others and components != components.digest
    assert replace(components, followers=2) == components
    assert hash(replace(components, followers=2)) == hash(components)


@pytest.mark.parametrize("name", RULESETS)
def test_equal_components_give_the_same_ruleset(name, tmp_path):
    assert get_ruleset(name, load_components(ruleset=name)) is get_ruleset(name)
    assert get_ruleset(name, load_components(write_box(tmp_path / "box", packaged_files()), name)) is get_ruleset(name)
    assert get_ruleset(name).is_packaged


def test_components_of_ones_own_give_one_ruleset_as_long_as_it_is_used(tmp_path):
    components = load_box(tmp_path)
    own = get_ruleset("zamek", components)
    assert own is not get_ruleset() and not own.is_packaged
    for followers in range(3, 23):  # more than are kept for those who do not use them
        get_ruleset("zamek", replace(components, followers=followers))
    assert get_ruleset("zamek", replace(components)) is own


def test_threads_share_one_ruleset(tmp_path):
    components = replace(load_box(tmp_path), followers=5)
    with ThreadPoolExecutor(8) as pool:
        made = set(map(id, kept := list(pool.map(lambda _: get_ruleset("zamek", replace(components)), range(16)))))
    assert len(kept) == 16 and len(made) == 1


def test_components_of_another_ruleset_are_refused():
    for ruleset, given in (("carcassonne", "zamek"), ("zamek", "sokol"), ("sokol", "sokol-gates")):
        with pytest.raises(ValueError, match=rf"^components must be of the ruleset '{ruleset}', not of '{given}'$"):
            Game(ruleset, components=load_components(ruleset=given))


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_a_ruleset_copied_or_pickled_is_the_same(make, tmp_path):
    for ruleset in (get_ruleset("carcassonne"), get_ruleset("zamek", load_box(tmp_path))):
        assert make(ruleset) is ruleset
        assert make([ruleset, ruleset])[1] is ruleset


def test_a_pickled_ruleset_of_packaged_components_is_small():
    assert len(pickle.dumps(get_ruleset("carcassonne"))) < 300


def test_a_pickle_is_refused_where_the_packaged_components_are_others_by_now(monkeypatch):
    kept = pickle.dumps(get_ruleset())
    changed = ruleset_module.Ruleset(replace(load_components(), followers=5))
    monkeypatch.setattr(ruleset_module, "get_ruleset", lambda *_: changed)
    digest = load_components().digest
    with pytest.raises(ValueError, match=rf"^pickled with other components of zamek: their digest is {digest}, here"):
        pickle.loads(kept)


def test_rules_asked_for_before_are_found_by_what_they_say():
    rules = {"table": [5, 7], "draw_ahead": True}
    first = get_ruleset("carcassonne", None, 1, rules)
    assert get_ruleset("carcassonne", None, 1, dict(rules)) is first
    rules["table"][0] = 7
    assert get_ruleset("carcassonne", None, 1, rules).components.house.table == (7, 7)
    for players, like in ((1, {"draw_ahead": 1}), (True, None), (1.0, None)):
        with pytest.raises((TypeError, ValueError), match="must be"):
            get_ruleset("carcassonne", None, players, like)


def find_digest(ruleset):
    return ruleset.components.digest, ruleset.is_packaged, get_ruleset(ruleset.name, ruleset.components) is ruleset


@pytest.mark.long
def test_another_process_gets_the_same_components(tmp_path):
    own = get_ruleset("zamek", load_box(tmp_path))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found = pool.map(find_digest, [get_ruleset("sokol"), own])
    assert found == [(get_ruleset("sokol").components.digest, True, True), (own.components.digest, False, True)]


# --- which ruleset a folder holds ---


@pytest.mark.parametrize("name", ["zamek", "sokol", "carcassonne", "carcassonne-demo"])
def test_the_only_ruleset_file_tells_the_ruleset(name, tmp_path):
    folder = write_box(tmp_path / "box", {f"{name}.json": packaged_files()[f"{name}.json"]})
    assert load_components(folder) == load_components(ruleset=name)


@pytest.mark.parametrize(
    "files, rulesets",
    [
        (
            ["carcassonne_tiles.json"],
            '"carcassonne-demo" or "carcassonne" or "carcassonne-no-farmers" or "carcassonne-bga" or .*',
        ),
        (["zamek_tiles.json", "zamek_wall.json"], '"zamek" or "sokol" or "sokol-gates"'),
        (["zamek_tiles.json", "sokol_tiles.json"], '"sokol" or "sokol-gates"'),
        (["zamek_tiles.json", "carcassonne_tiles.json"], '"zamek" or "sokol" or .*'),
    ],
)
def test_files_that_several_rulesets_use_want_the_ruleset_named(files, rulesets, tmp_path):
    folder = write_box(tmp_path / "box", {name: packaged_files()[name] for name in files})
    with pytest.raises(ComponentError, match=rf"{files[0]}.* so name one, ruleset={rulesets}$"):
        load_components(folder)


def test_a_folder_with_other_files_only_names_what_is_there(tmp_path):
    folder = write_box(tmp_path / "box", {"game.json": {}, "zamek_tile.json": {}})
    with pytest.raises(ComponentError, match=r"holds no component file, .*; it holds game\.json, zamek_tile\.json$"):
        load_components(folder)


def test_a_mistyped_file_name_is_refused_by_name_and_notes_are_not(tmp_path):
    folder = write_box(tmp_path / "box", FILES)
    (folder / "notes.txt").write_text("as printed in 2008", encoding="utf-8")
    assert load_components(folder).name == "zamek"
    (folder / "zamek_tile.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ComponentError, match=r"zamek_tile\.json: no ruleset uses a file of this name; used are .*road"):
        load_components(folder)


def test_cards_of_ones_own_are_refused_and_a_copy_of_the_packaged_ones_is_not(tmp_path):
    cards = packaged_files()["castle_cards.json"]
    folder = write_box(tmp_path / "box", FILES | {"castle_cards.json": cards})
    assert load_components(folder).name == "zamek"
    (folder / "castle_cards.json").write_text(json.dumps(cards | {"deals": {}}), encoding="utf-8")
    with pytest.raises(ComponentError, match=r"castle_cards\.json: castle-cards takes no cards of your own; remove"):
        load_components(folder)


def test_files_of_other_rulesets_in_the_folder_are_in_order(tmp_path):
    sokol = {"name": "sokol", "extends": "base.json", "tiles": ["falcons.json"]}
    files = FILES | {"sokol.json": sokol, "base.json": RULES | {"name": "base"}, "falcons.json": {"tiles": []}}
    folder = write_box(tmp_path / "box", files)
    assert load_components(folder, "zamek") == load_components(write_box(tmp_path / "small", FILES))
