"""Imports games of other programs, and exports ours for them (`docs/interchange.md`)."""

from zamek_env.interchange.jcz import to_jcz
from zamek_env.interchange.reading import import_games
from zamek_env.interchange.told import Compared, Import, ImportedGameError

__all__ = ["Compared", "Import", "ImportedGameError", "import_games", "to_jcz"]
