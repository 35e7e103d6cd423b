"""Leaves to the proof what takes long, and what plays rulesets that are not compiled here; a guard finds the rest."""

import gc
import importlib
from pathlib import Path

import pytest
from numba.core import event

from tests.support.faster_numpy_records import hasten
from tests.support.rulesets import (
    COMPILED,
    CORE,
    ELSEWHERE,
    IS_COMPILED,
    IS_PROOF,
    IS_REST,
    IS_WARM,
    MORE,
    find_left_out,
)
from zamek_agents.pretrained import FOLDER
from zamek_env import RULESETS

if not IS_COMPILED:
    hasten()
RULES = Path(__file__).with_name("rules")
MOST_COMPILED = 60  # functions that a test may compile; to play a ruleset takes more


class Compiled(event.Listener):
    """Counts the functions that numba compiles in this process."""

    def __init__(self):
        self.functions = 0
        event.register("numba:compile", self)

    def on_start(self, event):
        """Count one."""
        self.functions += 1

    def on_end(self, event):
        """Do nothing."""


COUNTED = Compiled()


def pytest_collection_modifyitems(config, items):
    """Skip what plays a ruleset that is not played, by a parameter or its mark `plays`, and what is left elsewhere."""
    if IS_REST:
        kept = [item.nodeid.startswith((*CORE, *MORE)) or is_left_to_plain_python(item) for item in items]
        config.hook.pytest_deselected(items=[item for item, stays in zip(items, kept, strict=True) if not stays])
        items[:] = [item for item, stays in zip(items, kept, strict=True) if stays]
    left = () if IS_PROOF else ("long", "compiles") if IS_COMPILED else ("long",)
    for item in items:
        plays_all = not IS_COMPILED and RULES in item.path.parents
        values = [*getattr(getattr(item, "callspec", None), "params", {}).values()]
        if IS_COMPILED:  # as plain Python, what plays one ruleset in particular is as quick with any
            values += list_played(item)
        if not plays_all and (left_out := find_left_out(values)):
            item.add_marker(pytest.mark.skip(f"{', '.join(sorted(left_out))}: not compiled here; {ELSEWHERE}"))
        elif any(item.get_closest_marker(name) for name in left):
            item.add_marker(pytest.mark.skip(f"takes long; {ELSEWHERE}"))


def is_left_to_plain_python(item):
    """Return whether a test says by a mark that it plays what is not compiled daily."""
    return item.get_closest_marker("compiles") or {*list_played(item)} & {*RULESETS} - {*COMPILED}


def list_played(item):
    """Return the names of rulesets that a test plays by its mark."""
    return [name for mark in item.iter_markers("plays") for name in mark.args]


def pytest_collection_finish():
    """Let garbage collection leave alone what was imported: all of it stays, and to go through it took a tenth."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=IS_WARM)
def little_is_compiled():
    """Let a test fail that takes long because it compiles what has not been compiled before all tests."""
    before = COUNTED.functions
    yield
    count = COUNTED.functions - before
    assert count <= MOST_COMPILED, f"it compiled {count} functions: mark it by `compiles` or by what it `plays`"


@pytest.fixture
def masks_are_known(monkeypatch):
    """Let PettingZoo's `api_test` know our environments as some whose observation is a dict with a mask.

    It has lists of those of its own, and warns of every other dict. So all else that it warns of is an error here.
    """
    module = importlib.import_module("pettingzoo.test.api_test")
    for name in ("env_obs_dicts", "env_obs_space"):
        ours = ["zamek_v0", "zamek_v1", "carcassonne_v0", "castle_cards_v0", "castle_cards_v1"]
        monkeypatch.setattr(module, name, [*getattr(module, name), *ours])


@pytest.fixture
def weights_for_zamek_alone(monkeypatch, tmp_path_factory):
    """Let the package come with weights for `zamek` alone."""
    folder = tmp_path_factory.mktemp("weights")
    for path in FOLDER.glob("*-zamek.npz"):
        (folder / path.name).symlink_to(path)
    monkeypatch.setattr("zamek_agents.pretrained.FOLDER", folder)


@pytest.fixture
def refused(capsys):
    """Return what lets a command exit by that code, and returns what it says to stderr."""

    def end(command, *given, code=2, **options):
        with pytest.raises(SystemExit) as ended:
            command(*given, **options)
        assert ended.value.code == code
        return capsys.readouterr().err

    return end
