"""Games by the name of their ruleset, of whatever family."""

from collections.abc import Callable
from os import PathLike

from zamek_env.components.model import Components
from zamek_env.game import Game
from zamek_env.game_protocol import GameProtocol

# ruleset -> what makes its games, called as `Game` is; `Game` makes all that do not stand here
FAMILIES: dict[str, Callable[..., GameProtocol]] = {}


def make_game(
    ruleset: str = "zamek", seed: int | None = None, components: Components | PathLike[str] | str | None = None
) -> GameProtocol:
    """Return a new game of that `ruleset`, dealt from `seed`: a `GameProtocol`.

    The arguments are those of `Game`, and it raises what `Game` raises.
    """
    make = FAMILIES.get(ruleset, Game) if isinstance(ruleset, str) else Game
    return make(ruleset, seed=seed, components=components)
