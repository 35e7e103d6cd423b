"""Makes agents by name, as on a command line; lists their files, and tells whether these changed."""

import os
import sys
from collections.abc import Callable, Iterable
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from zamek_agents.base import Agent
from zamek_agents.frozen import FROZEN, MCTS200_V1
from zamek_agents.heuristic import GreedyAgent, RandomAgent
from zamek_agents.plain_file import find_version
from zamek_agents.pretrained import ABOUT, WEIGHTS, find_path, is_shipped
from zamek_agents.search.expectimax import ExpectimaxAgent
from zamek_agents.search.mcts import MCTSAgent
from zamek_agents.search.star25 import Star25Agent
from zamek_agents.search.uct import FollowerAgent, UCTAgent
from zamek_agents.value.agent import ValueAgent
from zamek_env.agent_names import FORMS, check_unique, find_maker, list_installed, make_named_agent
from zamek_env.common.extras import needs_extra, needs_train_extra
from zamek_env.common.messages import show
from zamek_env.components.box_folder import CASTLE_CARDS
from zamek_env.load import AnyComponents
from zamek_env.ruleset import get_ruleset

_VALUE, _PPO, _ISMCTS, _OPENSPIEL = "value", "ppo", "ismcts", "openspiel-mcts"
Versions: TypeAlias = tuple[tuple[str, ...], ...]  # of each file of some agents: its path, and its version


def make_ppo(path: PathLike[str] | str | None = None) -> Agent:
    """Return the agent `ppo`, of the weights in `path`, a file or a folder with a model, or of those shipped.

    Raises `FileNotFoundError` where there is no such file, `ValueError` where it holds none, `MissingExtraError` where
    the packages that it needs are not installed.
    """
    spec = _PPO if path is None else f"{_PPO}:{path}"
    if path is not None and not Path(path).exists():
        raise FileNotFoundError(f"there is no model {str(path)!r} for the agent {spec!r}")
    with needs_train_extra(f"the agent {spec!r}"):
        from zamek_agents.ppo.agent import PPOAgent  # here, because it imports torch
    return PPOAgent(path)


def make_ismcts(options: str = "", **keywords: Any) -> Agent:
    """Return the agent `ismcts` for castle-cards. Raises as `ISMCTSAgent` does."""
    from zamek_agents.castle_cards.ismcts import ISMCTSAgent  # here, because not everybody plays cards

    return ISMCTSAgent(options, **keywords)


def make_openspiel_mcts(options: str = "", **keywords: Any) -> Agent:
    """Return the agent `openspiel-mcts`.

    Raises `MissingExtraError` where OpenSpiel is not installed, and as `OpenSpielMCTS` does.
    """
    with needs_extra("openspiel", f"the agent {_OPENSPIEL!r}"):
        from zamek_agents.openspiel_mcts import OpenSpielMCTS  # here, because it imports open_spiel
    return OpenSpielMCTS(options, **keywords)


class _BuiltIn(NamedTuple):
    """An agent of this package."""

    make: Callable[..., Agent]
    takes: str = ""  # what may follow the colon after its name: PATH, OPTIONS or nothing
    searches: bool = False  # so it takes long to decide


# The same names are entry points of the package, so that `zamek_env` finds them without importing this.
_BUILT_IN = {
    "random": _BuiltIn(RandomAgent),
    "greedy": _BuiltIn(GreedyAgent),
    _VALUE: _BuiltIn(ValueAgent, "PATH"),
    "expectimax": _BuiltIn(ExpectimaxAgent, "OPTIONS", searches=True),
    "mcts": _BuiltIn(MCTSAgent, "OPTIONS", searches=True),
    _ISMCTS: _BuiltIn(make_ismcts, "OPTIONS", searches=True),
    _PPO: _BuiltIn(make_ppo, "PATH"),
    _OPENSPIEL: _BuiltIn(make_openspiel_mcts, "OPTIONS", searches=True),
    "uct": _BuiltIn(UCTAgent, "OPTIONS", searches=True),
    "mcts-follower30": _BuiltIn(FollowerAgent, "OPTIONS", searches=True),
    "star25": _BuiltIn(Star25Agent, "OPTIONS", searches=True),
    **{name: _BuiltIn(make, searches=name == MCTS200_V1) for name, make in FROZEN.items()},
}


AGENT_NAMES = (*(f"{name}[:{agent.takes}]" if agent.takes else name for name, agent in _BUILT_IN.items()), *FORMS)


def check_specs(specs: Iterable[str]) -> tuple[str, ...]:
    """Return agents as `make_agent` takes them, as a tuple. Raises `TypeError` unless they are a sequence of texts."""
    row = None if isinstance(specs, str) or not isinstance(specs, Iterable) else tuple(specs)
    if row is None or not all(isinstance(spec, str) for spec in row):
        raise TypeError(
            f"specs must be a row of texts that name agents, such as ('value', 'greedy'), not {show(specs)}"
        )
    return row


def make_agent(spec: str) -> Agent:
    """Return the agent that `spec` names.

    It is one of this package: its name, and after a colon OPTIONS, which are `KEY=VALUE,KEY=VALUE`, or PATH, a file or
    folder that training wrote, by default the weights that are shipped. Or it is any other, as `zamek_env.agent_names`
    says: a class of a module or a file, or what another package offers.

    Raises `ValueError` for any other name or option, `TypeError` for what is no text, `FileNotFoundError` where there
    is no such file, `MissingExtraError` where the packages that a model needs are not installed.
    """
    if not isinstance(spec, str):
        raise TypeError(f"spec must be a str, not {show(spec)}")
    name, colon, text = spec.partition(":")
    if is_built_in(spec):
        check_unique(name)
        if not colon:
            return _BUILT_IN[name].make()
        if not _BUILT_IN[name].takes:
            raise ValueError(f"the agent {name!r} takes no options, not {show(text)}")
        if not text:
            missing = "a path" if _BUILT_IN[name].takes == "PATH" else "options"
            raise ValueError(f"the agent {show(spec)} must have {missing} after its colon")
        if not text.startswith("("):
            try:
                return _BUILT_IN[name].make(text)
            except ValueError as error:
                raise ValueError(f"the agent {show(spec)}: {error}") from error
    check_form(spec)
    return make_named_agent(spec)


def check_form(spec: str) -> None:
    """Raise `ValueError`, naming all agents, unless `spec` has the form of an agent's name."""
    if not (":" in spec or is_built_in(spec) or spec in list_installed() or spec.endswith(".py")):
        raise ValueError(f"an agent must be one of {', '.join(AGENT_NAMES)}, not {show(spec)}")


def is_built_in(spec: str) -> bool:
    """Return whether `spec` names an agent of this package."""
    return spec.partition(":")[0] in _BUILT_IN


def does_search(spec: str) -> bool:
    """Return whether `spec` names an agent of this package that searches, and so takes long to decide."""
    return is_built_in(spec) and _BUILT_IN[spec.partition(":")[0]].searches


def list_untrained(ruleset: str, components: AnyComponents = None, players: int | None = None) -> tuple[str, ...]:
    """Return the names of the agents that play a ruleset, named as for `make_game`, with nothing trained first."""
    from zamek_env.make_game import find_family  # here, because it imports games of all families

    if ruleset == CASTLE_CARDS:
        learned = [_PPO] if players in (None, 2) and find_path(_PPO, ruleset).is_file() else []
        return ("random", "greedy", *learned, _ISMCTS)
    if find_family(ruleset):
        return ("random",)
    rules = get_ruleset(ruleset, components, players)
    learned = [agent for agent in (_VALUE, _PPO) if is_shipped(agent, rules)]
    return ("random", "greedy", *learned, "expectimax", "mcts")


def list_named_files(spec: str) -> list[Path]:
    """Return the files that the arguments of an agent name, of weights for example, in order.

    Raises as `make_agent` does.
    """
    check_form(spec)
    text = spec.partition(":")[2]
    if is_built_in(spec) and not text.startswith("("):
        given = [text]
    else:
        found = find_maker(spec)
        given = [value for value in (*found.arguments, *found.keywords.values()) if isinstance(value, str)]
    if is_built_in(spec):  # a text may be of options
        given += [option.removeprefix("weights=") for text in given for option in text.split(",")]
    return sorted({file for path in given for file in _list_files(path)})


def list_modules(spec: str) -> list[str]:
    """Return the names of the modules that an agent of another package comes from; none for an agent of this one.

    Raises as `make_agent` does.
    """
    if is_built_in(spec):
        return []
    found = find_maker(spec)
    return sorted({found.module, getattr(found.make, "__module__", found.module)})


def find_versions(*specs: str) -> Versions:
    """Return a value that changes whenever a file of one of these agents changes.

    Raises as `make_agent` does.
    """
    named = [str(path) for spec in specs for path in list_named_files(spec)]
    sources = [getattr(sys.modules.get(name), "__file__", None) for spec in specs for name in list_modules(spec)]
    files = sorted({*named, *(path for path in sources if path is not None and os.path.isfile(path))})
    return tuple((path, *map(str, find_version(path))) for path in files)


@lru_cache(maxsize=2)
def keep_agent(spec: str, versions: Versions) -> Agent:
    """Return the agent of that name, made once a process as long as its files have these `versions`.

    It is ready and compiled for what it played last. Raises as `make_agent` does.
    """
    return make_agent(spec)


def _list_files(path):
    """Return the files that a path names: itself, or those in a folder with a model; none where there is no path."""
    if not path:
        return []  # not what lies in the current folder
    if os.path.isfile(path):
        return [Path(path)]
    return [file for file in (Path(path, name) for name in (WEIGHTS, ABOUT)) if os.path.isfile(file)]
