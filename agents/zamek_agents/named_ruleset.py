"""What rulesets are called: by tasks for workers, who are given no more, and by words for people."""

from functools import lru_cache
from typing import NamedTuple

from zamek_env.components.house_rules import format_rules, parse_option
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


def name_table(ruleset: Ruleset) -> str:
    """Return what is played, with the number of players where it is not two, and the house rules."""
    players = "" if ruleset.players == 2 else f" for {ruleset.players}" if ruleset.players > 1 else " for one"
    return f"{ruleset.name}{players}{' by ' * bool(ruleset.rules)}{format_rules(ruleset.rules)}"
