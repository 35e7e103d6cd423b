"""The ruleset of a task for workers, which are given its name and folder."""

from functools import lru_cache

from zamek_env.ruleset import Ruleset, get_ruleset


@lru_cache(maxsize=1)
def get_named(name: str, folder: str | None) -> Ruleset:
    """Return a ruleset by name, of custom components in that `folder` if there is one, read once a process."""
    return get_ruleset(name, folder)
