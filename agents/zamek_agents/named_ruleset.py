"""Names of rulesets: in tasks for workers, which get nothing else, in words for people, and in trained files.

A trained file names its ruleset, and the digest of its components unless they are the packaged ones. A learned
evaluation is for all games with the same tiles: for any number of players, by any house rules. Its files name the base
of a ruleset, the one for two players without house rules.
"""

from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import lru_cache
from os import PathLike
from typing import Any, NamedTuple

from zamek_agents.plain_file import check_sha256
from zamek_env.common.checks import check_choice
from zamek_env.common.messages import show
from zamek_env.components.box_folder import CASTLE_CARDS, RULESETS, is_own_name
from zamek_env.components.house_rules import format_rules, parse_option, vary
from zamek_env.components.model import Components, HouseRules
from zamek_env.load import load_components
from zamek_env.ruleset import Ruleset, get_ruleset


class NamedRuleset(NamedTuple):
    """The name of a ruleset, with all that is needed to load it."""

    name: str
    folder: str | None = None  # of custom components
    players: int | None = None  # None: as many as the components have
    rules: str = ""  # house rules, as `parse_rules` takes them


@lru_cache(maxsize=1)
def get_named(name: str, folder: str | None = None, players: int | None = None, rules: str = "") -> Ruleset:
    """Return the ruleset that a `NamedRuleset` names, read once a process."""
    return get_ruleset(name, folder, players, parse_option(rules))


def name_table(ruleset: Ruleset) -> str:
    """Return the ruleset's name, with the number of players where it is not two, and the house rules."""
    players = "" if ruleset.players == 2 else f" for {ruleset.players}" if ruleset.players > 1 else " for one"
    return f"{ruleset.name}{players}{' by ' * bool(ruleset.rules)}{format_rules(ruleset.rules)}"


# --- in trained files ---


class TrainedFor(NamedTuple):
    """The ruleset that a file names."""

    ruleset: str
    components: str | None  # their digest, None for the packaged ones


def make_ruleset_entries(ruleset: Ruleset) -> dict[str, str]:
    """Return the entries by which a file names a `Ruleset`."""
    return {"ruleset": ruleset.name} | ({} if ruleset.is_packaged else {"components": ruleset.components.digest})


def make_base_entries(ruleset: Ruleset) -> dict[str, str]:
    """Return the entries by which a file names the base of a `Ruleset`."""
    return _make_base_entries(ruleset.components)


@lru_cache(maxsize=16)
def _make_base_entries(components: Components) -> dict[str, str]:
    bare = vary(components, 2, asdict(HouseRules()))
    for name in (bare.name, *RULESETS) if bare.name in RULESETS else ():
        if replace(bare, name=name) == load_components(ruleset=name):
            return {"ruleset": name}
    return {"ruleset": bare.name, "components": bare.digest}


def read_ruleset(about: Mapping[str, Any]) -> TrainedFor:
    """Return the `TrainedFor` in the metadata `about` of a file. Raises `ValueError` where it cannot be right."""
    name, digest = about.get("ruleset"), about.get("components")
    if "components" not in about:
        return TrainedFor(check_choice("ruleset", name, (*RULESETS, CASTLE_CARDS)), None)
    check_sha256("components", digest)
    if name not in RULESETS and not is_own_name(name):
        raise ValueError(f"ruleset must be the name of a ruleset, not {show(name)}")
    return TrainedFor(name, digest)


def check_ruleset(path: PathLike[str] | str, trained_for: TrainedFor, ruleset: Ruleset) -> None:
    """Raise `ValueError` unless the file `path` was `trained_for` this `Ruleset`."""
    _check(path, trained_for, read_ruleset(make_ruleset_entries(ruleset)))


def check_base(path: PathLike[str] | str, trained_for: TrainedFor, ruleset: Ruleset) -> None:
    """Raise `ValueError` unless the file `path` was `trained_for` the base of this `Ruleset`."""
    _check(path, trained_for, read_ruleset(make_base_entries(ruleset)))


def _check(path, trained_for, due):
    if trained_for.ruleset != due.ruleset:
        raise ValueError(f"{path} was trained for the ruleset {trained_for.ruleset!r}, not for {due.ruleset!r}")
    if trained_for != due:
        given, wanted = (found.components or "the packaged ones" for found in (trained_for, due))
        raise ValueError(f"{path} was trained on other components of {due.ruleset!r}: on {given}, not on {wanted}")
