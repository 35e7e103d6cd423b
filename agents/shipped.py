"""Weights that come with the package: `weights/AGENT-RULESET.npz`."""

from pathlib import Path

from zamek_env.components.box_folder import RULESETS
from zamek_env.ruleset import Ruleset

FOLDER = Path(__file__).parent / "weights"
TRAINERS = {"value": "zamek train-value", "ppo": "zamek train"}  # by agent


def list_shipped(agent: str) -> list[str]:
    """Return the names of the rulesets for which weights of that `agent`, by name, are shipped."""
    return sorted(found.stem.removeprefix(f"{agent}-") for found in FOLDER.glob(f"{agent}-*.npz"))


def is_shipped(agent: str, ruleset: Ruleset) -> bool:
    """Return whether weights of that `agent`, by name, are shipped for a `Ruleset`: only packaged ones have any."""
    return ruleset.is_packaged and ruleset.name in list_shipped(agent)


def list_weights(ruleset: Ruleset) -> dict[str, Path]:
    """Return {agent: path} of all weights that are shipped for a `Ruleset`."""
    return {agent: find_path(agent, ruleset.name) for agent in TRAINERS if is_shipped(agent, ruleset)}


def find_path(agent: str, ruleset_name: str) -> Path:
    """Return where weights of that agent for that ruleset, both by name, would lie."""
    return FOLDER / f"{agent}-{ruleset_name}.npz"


def find_shipped(agent: str, ruleset: Ruleset) -> Path:
    """Return the path of the weights of that `agent`, by name, for a `Ruleset`.

    Raises `ValueError` where there are none.
    """
    if not is_shipped(agent, ruleset):
        known = ", ".join(name for name in list_shipped(agent) if name in RULESETS)
        own, options = ("", "") if ruleset.is_packaged else (" on components of your own", "--components COMPONENTS ")
        raise ValueError(
            f"no weights of the agent {agent!r} are shipped for the ruleset {ruleset.name!r}{own}, only for {known}; "
            f"learn some by `{TRAINERS[agent]} {options}--ruleset {ruleset.name} --out FOLDER` and name them by "
            f"{agent}:FOLDER/weights.npz"
        )
    return find_path(agent, ruleset.name)
