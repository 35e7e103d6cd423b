"""Zamek (Carcassonne: The Castle), Carcassonne and Castle, a card game, as environments for reinforcement learning."""

import gymnasium

from zamek_env.components.box_folder import RULESETS
from zamek_env.errors import ComponentError, IllegalActionError, RecordError
from zamek_env.game import Game
from zamek_env.load import load_components
from zamek_env.version import __version__

__all__ = ["RULESETS", "ComponentError", "Game", "IllegalActionError", "RecordError", "__version__", "load_components"]

for _id, _ruleset in zip(
    (
        "Zamek-v0",
        "ZamekSokol-v0",
        "ZamekSokolGates-v0",
        "CarcassonneDemo-v0",
        "Carcassonne-v0",
        "CarcassonneNoFarmers-v0",
    ),
    RULESETS,
    strict=True,
):
    if _id not in gymnasium.registry:
        gymnasium.register(
            _id,
            entry_point="zamek_env.single:ZamekEnv",
            vector_entry_point="zamek_env.vector:ZamekVectorEnv",
            kwargs={"ruleset": _ruleset},
        )

if "CastleCards-v0" not in gymnasium.registry:
    gymnasium.register(
        "CastleCards-v0",
        entry_point="zamek_env.castle_cards_env.single:CastleCardsEnv",
        vector_entry_point="zamek_env.castle_cards_env.vector:CastleCardsVectorEnv",
    )
