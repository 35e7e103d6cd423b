"""Which ruleset a trained file is for: its name, and the digest of its components unless they are the packaged ones."""

from collections.abc import Mapping
from os import PathLike
from typing import Any, NamedTuple

from zamek_agents.source_digests import check_sha256
from zamek_env.checks import check_choice
from zamek_env.components.box_folder import CASTLE_CARDS, RULESETS, is_own_name
from zamek_env.messages import show
from zamek_env.ruleset import Ruleset


class TrainedFor(NamedTuple):
    """What a file says of its ruleset."""

    ruleset: str
    components: str | None  # their digest, None for the packaged ones


def make_ruleset_entries(ruleset: Ruleset) -> dict[str, str]:
    """Return the entries by which a file names a `Ruleset`."""
    return {"ruleset": ruleset.name} | ({} if ruleset.is_packaged else {"components": ruleset.components.digest})


def read_ruleset(about: Mapping[str, Any]) -> TrainedFor:
    """Return the `TrainedFor` of what a file notes `about` itself. Raises `ValueError` where it cannot be right."""
    name, digest = about.get("ruleset"), about.get("components")
    if "components" not in about:
        return TrainedFor(check_choice("ruleset", name, (*RULESETS, CASTLE_CARDS)), None)
    check_sha256("components", digest)
    if name not in RULESETS and not is_own_name(name):
        raise ValueError(f"ruleset must be the name of a ruleset, not {show(name)}")
    return TrainedFor(name, digest)


def check_ruleset(path: PathLike[str] | str, trained_for: TrainedFor, ruleset: Ruleset) -> None:
    """Raise `ValueError` unless the file `path` was `trained_for` this `Ruleset`."""
    due = read_ruleset(make_ruleset_entries(ruleset))
    if trained_for.ruleset != due.ruleset:
        raise ValueError(f"{path} was trained for the ruleset {trained_for.ruleset!r}, not for {due.ruleset!r}")
    if trained_for != due:
        given, wanted = (found.components or "the packaged ones" for found in (trained_for, due))
        raise ValueError(f"{path} was trained on other components of {due.ruleset!r}: on {given}, not on {wanted}")
