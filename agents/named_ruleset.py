"""The ruleset of a task for workers, which are given what it is called by."""

from functools import lru_cache
from typing import NamedTuple

from zamek_env.components.house_rules import parse_option
from zamek_env.ruleset import Ruleset, get_ruleset


class NamedRuleset(NamedTuple):
    """What a ruleset is called by."""

    name: str
    folder: str | None = None  # of custom components
    players: int | None = None  # None: as many as the components have
    rules: str = ""  # house rules, as `parse_rules` takes them


@lru_cache(maxsize=1)
def get_named(name: str, folder: str | None = None, players: int | None = None, rules: str = "") -> Ruleset:
    """Return the ruleset that a `NamedRuleset` names, read once a process."""
    return get_ruleset(name, folder, players, parse_option(rules))
