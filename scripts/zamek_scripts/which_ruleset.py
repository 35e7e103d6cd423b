"""Which ruleset the arguments `--ruleset` and `--components` of a command ask for."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import tyro

from zamek_agents.shipped import is_shipped
from zamek_env import RULESETS, ComponentError, Game, load_components
from zamek_env.components.house_rules import parse_option
from zamek_env.components.model import Components
from zamek_env.make_game import FAMILIES
from zamek_env.ruleset import Ruleset, get_ruleset

_RULESET = f"the rules to play by: {', '.join(RULESETS)}, or one of your own, whose file is in --components"
_ANY = f"{_RULESET}; or {', '.join(FAMILIES)}"
_FOLDER = "folder with component files of your own (docs/components.md)"
RulesetName = Annotated[str, tyro.conf.arg(help=_RULESET)]
OptionalAnyRulesetName = Annotated[str | None, tyro.conf.arg(help=_ANY, help_behavior_hint="(default: zamek)")]
AnyRulesetName = Annotated[str, tyro.conf.arg(help=_ANY)]
HouseRulesText = Annotated[
    str, tyro.conf.arg(help="house rules of Carcassonne, such as draw_ahead; several with commas (docs/rulesets.md)")
]
ComponentsFolder = Annotated[Path | None, tyro.conf.arg(help=_FOLDER)]


def name_folder(folder: Path | None) -> str | None:
    """Return the name of a folder, as agents and other processes are given it; None for the packaged components."""
    return str(folder) if folder else None


def find_ruleset(
    name: str,
    folder: Path | None = None,
    others: Iterable[str] = (),
    argument: str = "--ruleset",
    players: int | None = None,
    rules: str = "",
) -> Ruleset:
    """Return the `Ruleset` of that name, of the packaged components or of those in `folder`.

    It is for so many `players`, None for as many as is usual, with the house `rules` that a text names. Raises
    `ValueError`, in one line that names the `argument`, where there is none; `others` are names that the command takes
    beside these.
    """
    if folder is None and name not in RULESETS:
        own = "a ruleset of your own comes with --components, its folder"
        raise ValueError(f"{argument} must be one of {', '.join((*RULESETS, *others))}, not {name!r}; {own}")
    components = folder and read_folder(folder, name)
    try:
        return get_ruleset(name, components, players, parse_option(rules))
    except ValueError as error:
        raise ValueError(f"--{error}") from error


def read_folder(folder: Path, name: str | None = None) -> Components:
    """Return the `Components` in `folder`, of the ruleset of that name or of the only one there.

    Raises `ValueError`, in one line that names the argument, where they cannot be read.
    """
    try:
        return load_components(folder, name)
    except ComponentError as error:
        raise ValueError(f"--components: {error}") from error
    except ValueError as error:  # no name of a ruleset
        raise ValueError(f"--{error}") from error


def check_no_components(components: object, asked: str) -> None:
    """Raise `ValueError` where custom components come with what is `asked` for, which is no game of tiles."""
    if components is not None:
        raise ValueError(f"--components is for games of tiles only, not for {asked}")


def check_begins(ruleset: Ruleset) -> None:
    """Raise `ValueError` where games on custom components are over as they begin: no tile fits, whatever the deal."""
    if not ruleset.is_packaged and Game(ruleset.name, 0, ruleset.components).is_terminal:
        raise ValueError("--components: a game is over as it begins, as no tile fits: there is nothing to decide")


def play_without_weights(agents: Iterable[str], ruleset: Ruleset) -> tuple[str, ...]:
    """Return `agents`, whom nobody has named, with `greedy` for `value` where the package has no weights of it."""
    return tuple("greedy" if each == "value" and not is_shipped(each, ruleset) else each for each in agents)
