"""The provenance that is noted with a result."""

import platform
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from zamek_env import __version__
from zamek_scripts.provenance import format_command, list_arguments, list_versions


@dataclass
class Args:
    out: Path | None = None
    agents: tuple[str, ...] = ("greedy",)


@pytest.mark.parametrize("called", [["zamek", "evaluate"], ["scripts/evaluate.py"]])
def test_a_command_is_noted_alike_however_it_was_called(called, monkeypatch):
    monkeypatch.setattr(sys, "argv", [*called, "--agents", "evaluate", "my agent.py:Mine"])
    assert format_command("evaluate") == "zamek evaluate --agents evaluate 'my agent.py:Mine'"


def test_arguments_are_noted_as_json_holds_them():
    assert list_arguments(Args(Path("out") / "new")) == {"out": str(Path("out") / "new"), "agents": ("greedy",)}
    assert list_arguments(Args())["out"] is None


def test_versions_of_what_is_not_installed_are_left_out():
    found = list_versions(("numpy", "no-such-package"))
    assert list(found) == ["zamek_env", "python", "numpy"]
    assert (found["zamek_env"], found["python"]) == (__version__, platform.python_version())
