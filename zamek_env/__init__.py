"""Zamek (Carcassonne: The Castle), Carcassonne and Castle, a card game, as environments for reinforcement learning."""

from itertools import product

import gymnasium

from zamek_env.components.box_folder import RULESETS
from zamek_env.errors import ComponentError, IllegalActionError, RecordError
from zamek_env.game import Game
from zamek_env.layout.observation import PLANE_PARTS, ROW_PARTS
from zamek_env.load import load_components
from zamek_env.version import __version__

__all__ = ["RULESETS", "ComponentError", "Game", "IllegalActionError", "RecordError", "__version__", "load_components"]

_NAMES = {  # of environments, by ruleset
    "zamek": "Zamek",
    "sokol": "ZamekSokol",
    "sokol-gates": "ZamekSokolGates",
    "carcassonne-demo": "CarcassonneDemo",
    "carcassonne": "Carcassonne",
    "carcassonne-no-farmers": "CarcassonneNoFarmers",
    "carcassonne-bga": "CarcassonneBGA",
    "carcassonne-hand": "CarcassonneHand",
}
_OBSERVATIONS = {"v0": PLANE_PARTS, "v1": ROW_PARTS}

for _ruleset, _version in product(RULESETS, _OBSERVATIONS):
    _name = _NAMES[_ruleset]
    if f"{_name}-{_version}" not in gymnasium.registry:
        gymnasium.register(
            f"{_name}-{_version}",
            entry_point="zamek_env.single:ZamekEnv",
            vector_entry_point="zamek_env.vector:ZamekVectorEnv",
            kwargs={"ruleset": _ruleset, "observation": [*_OBSERVATIONS[_version]]},  # as JSON has it
        )

_CARDS: dict[str, dict[str, object]] = {"v0": {}, "v1": {"observation": [*ROW_PARTS]}}

for _version, _arguments in _CARDS.items():
    if f"CastleCards-{_version}" not in gymnasium.registry:
        gymnasium.register(
            f"CastleCards-{_version}",
            entry_point="zamek_env.castle_cards.single:CastleCardsEnv",
            vector_entry_point="zamek_env.castle_cards.vector:CastleCardsVectorEnv",
            kwargs=_arguments,
        )
