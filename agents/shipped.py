"""Weights that come with the package: `weights/AGENT-RULESET.npz`."""

from pathlib import Path

FOLDER = Path(__file__).parent / "weights"
TRAINERS = {"value": "zamek train-value", "ppo": "zamek train"}  # by agent


def list_shipped(agent):
    """Return the names of the rulesets for which weights of that `agent`, by name, are shipped."""
    return sorted(found.stem.removeprefix(f"{agent}-") for found in FOLDER.glob(f"{agent}-*.npz"))


def list_weights(ruleset_name):
    """Return {agent: path} of all weights that are shipped for the ruleset of that name."""
    return {agent: find_path(agent, ruleset_name) for agent in TRAINERS if ruleset_name in list_shipped(agent)}


def find_path(agent, ruleset_name):
    """Return where weights of that agent for that ruleset, both by name, would lie."""
    return FOLDER / f"{agent}-{ruleset_name}.npz"


def find_shipped(agent, ruleset):
    """Return the path of the weights of that `agent`, by name, for a `Ruleset`.

    Raises `ValueError` where there are none.
    """
    path = find_path(agent, ruleset.name)
    if not path.is_file():
        known = ", ".join(list_shipped(agent))
        raise ValueError(
            f"no weights of the agent {agent!r} are shipped for the ruleset {ruleset.name!r}, only for {known}; learn "
            f"some by `{TRAINERS[agent]} --ruleset {ruleset.name} --out FOLDER` and name them by "
            f"{agent}:FOLDER/weights.npz"
        )
    return path
