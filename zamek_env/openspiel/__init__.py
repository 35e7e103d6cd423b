"""The games in OpenSpiel: importing this registers `python_zamek`, `python_carcassonne` and `python_castle_cards`."""

try:
    import pyspiel  # noqa: F401
except ModuleNotFoundError as error:
    raise ImportError(
        "zamek_env.openspiel needs open_spiel, which is not installed; install it by `pip install -e '.[openspiel]'` "
        "in the folder of zamek_env that holds pyproject.toml"
    ) from error

from zamek_env.openspiel.games import CarcassonneGame, CastleCardsGame, ZamekGame, begin_at

__all__ = ["CarcassonneGame", "CastleCardsGame", "ZamekGame", "begin_at"]
