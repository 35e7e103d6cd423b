"""The entry points through which this package offers its agents, for tests to put in place of those installed."""

import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from zamek_env.agent_names import GROUP

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OURS = PROJECT["entry-points"][GROUP]


def install(monkeypatch, **others):
    """Let the agents of this package be installed, and `others`, each name `module:Class`, and nothing else."""
    found = [EntryPoint(name, value, GROUP) for name, value in (OURS | others).items()]
    monkeypatch.setattr("zamek_env.agent_names._read_entries", lambda folders: found)


@pytest.fixture
def installed(monkeypatch):
    """Let the agents of this package be installed, whatever the environment's metadata say."""
    install(monkeypatch)
