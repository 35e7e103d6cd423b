"""Games by the name of their ruleset, of whatever family."""

from zamek_env.game import Game

FAMILIES = {}  # ruleset -> what makes its games, called as `Game` is; `Game` makes all that do not stand here


def make_game(ruleset="zamek", seed=None, components=None):
    """Return a new game of that `ruleset`, dealt from `seed`: a `GameProtocol`.

    The arguments are those of `Game`, and it raises what `Game` raises.
    """
    make = FAMILIES.get(ruleset, Game) if isinstance(ruleset, str) else Game
    return make(ruleset, seed=seed, components=components)
