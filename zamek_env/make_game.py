"""Makes any game by the name of its ruleset."""

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

from zamek_env.agent_names import import_named
from zamek_env.castle_cards import CastleCards
from zamek_env.common.checks import check_absent, check_whole
from zamek_env.common.messages import show
from zamek_env.components.box_folder import CASTLE_CARDS, RULESETS
from zamek_env.game import Game
from zamek_env.game_protocol import GameProtocol
from zamek_env.load import AnyComponents

# ruleset -> maker of its games, called with `players` and `seed`; `Game` makes all others
FAMILIES: dict[str, Callable[..., GameProtocol]] = {CASTLE_CARDS: CastleCards}
OWN = "MODULE:NAME"  # the form of the name of a user's own game whose module is not imported yet


def find_family(ruleset: str) -> Callable[..., GameProtocol] | None:
    """Return what `register_game` was given to make the games of a `ruleset`, or None where `Game` makes them.

    For `MODULE:NAME` the module is imported, installed or from the current folder, which registers NAME. Raises
    `ValueError`, naming it, where it cannot be imported or does not.
    """
    if ruleset in FAMILIES or ":" not in ruleset:
        return FAMILIES.get(ruleset)
    module, _, name = ruleset.partition(":")
    asked = f"the game {show(ruleset)}"
    if not all(map(str.isidentifier, module.split("."))):
        raise ValueError(f"{asked} must be called {OWN}, by a module that can be imported, not {show(module)}")
    import_named(module, asked)
    if name not in FAMILIES:
        registered = ", ".join(known for known in FAMILIES if known != CASTLE_CARDS) or "nothing"
        raise ValueError(f"{asked}: {module} must register {show(name)} by register_game, not {registered}")
    return FAMILIES[name]


def ask_for_players(ruleset: str, count: int) -> int | None:
    """Return `count` as `players` for `make_game` where the ruleset leaves that number open, None elsewhere."""
    return count if isinstance(ruleset, str) and (find_family(ruleset) or count != 2) else None


def register_game(name: str, make: Callable[..., GameProtocol]) -> None:
    """Let `make_game`, and with it the arena and datasets, make a game of your own by `name`, in this process.

    `make`, such as its class, is called with `seed`, and with `players` where it takes them; datasets need its class.
    In another process, such as a command, `MODULE:NAME` names the game if importing the module calls this. Raises
    `ValueError` for the name of a game of this package, `TypeError` where `name` is no text, or `make` no function.
    """
    if not isinstance(name, str):
        raise TypeError(f"name must be a str, not {show(name)}")
    if not callable(make):
        raise TypeError(f"make must be a class of games, or a function of a seed, not {show(make)}")
    if name in (packaged := (*RULESETS, CASTLE_CARDS)):
        raise ValueError(f"name must be none of {', '.join(packaged)}, not {show(name)}")
    FAMILIES[name] = make


def make_game(
    ruleset: str = "zamek",
    seed: int | None = None,
    components: AnyComponents = None,
    players: int | None = None,
    rules: Mapping[str, Any] | None = None,
) -> GameProtocol:
    """Return a new game of that `ruleset`, dealt from `seed`: a `GameProtocol`.

    A game of your own has the name given to `register_game`, or `MODULE:NAME` where importing the module calls that.
    `players` is how many play; None: as many as is usual, which is 2 for games of tiles and for castle-cards. `rules`
    are house rules of a game of tiles. Raises what the class of the game raises, `TypeError` for `players` that are no
    whole number, and `ValueError` for a number with which it is not played, or for `components` or `rules` of a game
    that has none.
    """
    make = find_family(ruleset) if isinstance(ruleset, str) else None
    if make is None:
        return Game(ruleset, seed, components, players, rules)
    check_absent(ruleset, components=components, rules=rules)
    if players is not None and "players" in signature(make).parameters:
        return make(players=players, seed=seed)
    game = make(seed=seed)
    if players is not None and check_whole("players", players) != game.num_players:
        raise ValueError(f"players must be {game.num_players} for {ruleset!r}, not {show(players)}")
    return game
