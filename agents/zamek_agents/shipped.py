"""Weights that come with the package: `weights/AGENT-RULESET.npz`.

Those of the agent `value` are for any house rules. For three players and more there are others,
`weights/AGENT-RULESET-3p.npz`, where a ruleset has some.
"""

from pathlib import Path

from zamek_agents.named_ruleset import make_base_entries
from zamek_env.components.box_folder import RULESETS
from zamek_env.ruleset import Ruleset

FOLDER = Path(__file__).parent / "weights"
TRAINERS = {"value": "zamek train-value", "ppo": "zamek train"}  # by agent
FOR_MORE = "-3p"  # the end of the stem of files for more than two players


def list_shipped(agent: str) -> list[str]:
    """Return the names of the rulesets for which weights of that `agent`, by name, are shipped."""
    stems = (found.stem.removeprefix(f"{agent}-") for found in FOLDER.glob(f"{agent}-*.npz"))
    return sorted(stem for stem in stems if not stem.endswith(FOR_MORE))


def is_shipped(agent: str, ruleset: Ruleset) -> bool:
    """Return whether weights of that `agent`, by name, are shipped for a `Ruleset`: only packaged ones have any.

    Those of `value` are shipped for a ruleset of any number of players and any house rules, if its base has some.
    """
    return _find(agent, ruleset) is not None


def list_weights(ruleset: Ruleset) -> dict[str, Path]:
    """Return {agent: path} of all weights that are shipped for a `Ruleset`."""
    return {agent: path for agent in TRAINERS if (path := _find(agent, ruleset)) is not None}


def find_path(agent: str, ruleset_name: str) -> Path:
    """Return where weights of that agent for that ruleset, both by name, would lie."""
    return FOLDER / f"{agent}-{ruleset_name}.npz"


def _find(agent, ruleset):
    """Return the path of the weights that are shipped for a `Ruleset`, None where there are none."""
    if agent != "value":
        return find_path(agent, ruleset.name) if ruleset.is_packaged and ruleset.name in list_shipped(agent) else None
    base = make_base_entries(ruleset)
    if "components" in base or base["ruleset"] not in list_shipped(agent):
        return None
    for_more = find_path(agent, base["ruleset"] + FOR_MORE)
    return for_more if ruleset.players > 2 and for_more.is_file() else find_path(agent, base["ruleset"])


def find_shipped(agent: str, ruleset: Ruleset) -> Path:
    """Return the path of the weights of that `agent`, by name, for a `Ruleset`.

    Raises `ValueError` where there are none.
    """
    path = _find(agent, ruleset)
    if path is None:
        known = ", ".join(name for name in list_shipped(agent) if name in RULESETS)
        own, options = ("", "") if ruleset.is_packaged else (" on components of your own", "--components COMPONENTS ")
        raise ValueError(
            f"no weights of the agent {agent!r} are shipped for the ruleset {ruleset.name!r}{own}, only for {known}; "
            f"learn some by `{TRAINERS[agent]} {options}--ruleset {ruleset.name} --out FOLDER` and name them by "
            f"{agent}:FOLDER/weights.npz"
        )
    return path
