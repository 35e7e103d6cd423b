"""Zamek (Carcassonne: The Castle) as a reinforcement-learning environment at the speed of compiled code."""

import gymnasium

from zamek_env.core.transcription import load_components
from zamek_env.errors import ComponentError, IllegalActionError, RecordError
from zamek_env.game import Game
from zamek_env.version import __version__

__all__ = ["ComponentError", "Game", "IllegalActionError", "RecordError", "__version__", "load_components"]

for _id, _ruleset in (("Zamek-v0", "zamek"), ("ZamekSokol-v0", "sokol"), ("ZamekSokolGates-v0", "sokol-gates")):
    if _id not in gymnasium.registry:
        gymnasium.register(
            _id,
            entry_point="zamek_env.single:ZamekEnv",
            vector_entry_point="zamek_env.vector:ZamekVectorEnv",
            kwargs={"ruleset": _ruleset},
        )
