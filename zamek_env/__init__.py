"""Zamek (Carcassonne: The Castle) and Carcassonne as fast environments for reinforcement learning."""

import gymnasium

from zamek_env.errors import ComponentError, IllegalActionError, RecordError
from zamek_env.game import Game
from zamek_env.load import load_components
from zamek_env.version import __version__

__all__ = ["ComponentError", "Game", "IllegalActionError", "RecordError", "__version__", "load_components"]

for _id, _ruleset in (
    ("Zamek-v0", "zamek"),
    ("ZamekSokol-v0", "sokol"),
    ("ZamekSokolGates-v0", "sokol-gates"),
    ("CarcassonneDemo-v0", "carcassonne-demo"),
    ("Carcassonne-v0", "carcassonne"),
    ("CarcassonneNoFarmers-v0", "carcassonne-no-farmers"),
):
    if _id not in gymnasium.registry:
        gymnasium.register(
            _id,
            entry_point="zamek_env.single:ZamekEnv",
            vector_entry_point="zamek_env.vector:ZamekVectorEnv",
            kwargs={"ruleset": _ruleset},
        )
