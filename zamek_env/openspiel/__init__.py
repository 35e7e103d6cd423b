"""The games in OpenSpiel: importing this registers `python_zamek`, `python_carcassonne` and `python_castle_cards`."""

from zamek_env.common.extras import needs_extra

with needs_extra("openspiel", "zamek_env.openspiel"):
    import pyspiel  # noqa: F401

from zamek_env.openspiel.games import CarcassonneGame, CastleCardsGame, ZamekGame, begin_at, register_game

__all__ = ["CarcassonneGame", "CastleCardsGame", "ZamekGame", "begin_at", "register_game"]
