"""The games in OpenSpiel: importing this registers `python_zamek`, `python_carcassonne` and `python_castle_cards`."""

from zamek_env.messages import show_install

try:
    import pyspiel  # noqa: F401
except ModuleNotFoundError as error:
    raise ImportError(
        f"zamek_env.openspiel needs open_spiel, which is not installed; install it by {show_install('openspiel')}"
    ) from error

from zamek_env.openspiel.games import CarcassonneGame, CastleCardsGame, ZamekGame, begin_at

__all__ = ["CarcassonneGame", "CastleCardsGame", "ZamekGame", "begin_at"]
