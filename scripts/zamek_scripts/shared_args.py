"""The arguments that several commands share, and their checks: the ruleset, numbers, workers."""

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, Any

import tyro

from zamek_agents.named_ruleset import NamedRuleset
from zamek_agents.pretrained import is_shipped
from zamek_agents.ray_cluster import AUTO, join_cluster
from zamek_agents.workers import Workers, start_processes
from zamek_env import RULESETS, ComponentError, Game, load_components
from zamek_env.components.box_folder import CASTLE_CARDS
from zamek_env.components.house_rules import parse_option
from zamek_env.components.model import Components
from zamek_env.make_game import FAMILIES, OWN, find_family, make_game
from zamek_env.ruleset import Ruleset, get_ruleset
from zamek_scripts.terminal import naming

_RULESET = f"the rules to play by: {', '.join(RULESETS)}, or one of your own, whose file is in --components"
_ANY = f"{_RULESET}; or {', '.join(FAMILIES)}"
_FOLDER = "folder with component files of your own (docs/components.md)"
RulesetName = Annotated[str, tyro.conf.arg(help=_RULESET)]
AnyRulesetName = Annotated[str, tyro.conf.arg(help=_ANY)]
_GAME = f"{_ANY}; or {OWN}, a game in Python (docs/contributing.md)"
GameName = Annotated[str, tyro.conf.arg(help=_GAME)]
OptionalGameName = Annotated[str | None, tyro.conf.arg(help=_GAME, help_behavior_hint="(default: zamek)")]
HouseRulesText = Annotated[
    str, tyro.conf.arg(help="house rules of Carcassonne, such as draw_ahead; several with commas (docs/rulesets.md)")
]
ComponentsFolder = Annotated[Path | None, tyro.conf.arg(help=_FOLDER)]
_RAY = tyro.constructors.PrimitiveConstructorSpec(
    nargs=(0, 1),
    metavar="[ADDRESS]",
    instance_from_str=lambda words: words[0] if words else AUTO,
    is_instance=lambda value: value is None or isinstance(value, str),
    str_from_instance=lambda value: [] if value is None else [value],
)
_RAY_HELP = (
    "work on a Ray cluster: HOST:PORT, auto (that of this machine; also without an address) or local (a new one of "
    "this machine alone); docs/distributed.md"
)
RayAddress = Annotated[str | None, _RAY, tyro.conf.arg(help=_RAY_HELP, help_behavior_hint="")]
Range = tuple[float, float]  # least and most

MAX_MINUTES = 10**8  # some two hundred years


def name_folder(folder: Path | None) -> str | None:
    """Return the name of a folder, as agents and other processes get it; None for the packaged components."""
    return str(folder) if folder else None


def name_ruleset(args: Any) -> NamedRuleset:
    """Return the name of a training's ruleset, as other processes get it."""
    return NamedRuleset(args.ruleset, name_folder(args.components), args.players, args.rules)


def find_ruleset(
    name: str,
    folder: Path | None = None,
    others: Iterable[str] = (),
    argument: str = "--ruleset",
    players: int | None = None,
    rules: str = "",
) -> Ruleset:
    """Return the `Ruleset` of that name, of the packaged components or of those in `folder`.

    It is for `players` players, None for the usual number, with the house `rules` that a text names. Raises
    `ValueError`, in one line that names the `argument`, where there is none; `others` are names that the command takes
    besides these.
    """
    if folder is None and name not in RULESETS:
        own = "a ruleset of your own comes with --components, its folder"
        raise ValueError(f"{argument} must be one of {', '.join((*RULESETS, *others))}, not {name!r}; {own}")
    components = folder and read_folder(folder, name)
    with naming():
        return get_ruleset(name, components, players, parse_option(rules))


def find_tiles(
    name: str, folder: Path | None, players: int | None = None, rules: str = "", takes_own: bool = True
) -> Ruleset | None:
    """Return what `find_ruleset` does for a game of tiles, None for castle-cards or, if it `takes_own`, `MODULE:NAME`.

    Raises as it does, and where such a game is missing, or comes with a `folder` or `rules`.
    """
    with naming("--ruleset"):
        family = find_family(name) if takes_own else FAMILIES.get(name)
    if family is None:
        others = (*FAMILIES, OWN) if takes_own else FAMILIES
        return find_ruleset(name, folder, others, players=players, rules=rules)
    check_no_components(folder, name)
    if rules:
        raise ValueError(f"--rules is for games of tiles only, not for {name}")
    return None


def read_folder(folder: Path, name: str | None = None) -> Components:
    """Return the `Components` in `folder`, of the ruleset of that name or of the only one there.

    Raises `ValueError`, in one line that names the argument, where they cannot be read.
    """
    with naming():
        try:
            return load_components(folder, name)
        except ComponentError as error:
            raise ValueError(f"components: {error}") from error


def check_no_components(components: object, asked: str) -> None:
    """Raise `ValueError` where custom components come with the game `asked` for, which is not one of tiles."""
    if components is not None:
        raise ValueError(f"--components is for games of tiles only, not for {asked}")


def check_begins(ruleset: Ruleset) -> None:
    """Raise `ValueError` where games on custom components are over as they begin, since no tile fits in any deal."""
    if not ruleset.is_packaged and Game(ruleset.name, 0, ruleset.components).is_terminal:
        raise ValueError("--components: a game is over as it begins, as no tile fits: there is nothing to decide")


def name_usual(
    name: str, tiles: Ruleset | None, with_tiles: Iterable[str], with_cards: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the default agents of the game of that name; `tiles` is what `find_tiles` returns for it.

    `greedy` replaces `value` where the package has no weights of it, and `random` plays a user's own game.
    """
    if tiles:
        return tuple("greedy" if each == "value" and not is_shipped(each, tiles) else each for each in with_tiles)
    return with_cards if name == CASTLE_CARDS else ("random",) * make_game(name, 0).num_players


# --- processes of this machine, or a Ray cluster ---


def count_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_workers(workers: int | None, ray: str | None) -> None:
    """Raise `ValueError` for invalid `--workers` and `--ray`."""
    if workers is not None and workers < 1:
        raise ValueError(f"--workers must be 1 or more, not {workers}")
    if workers is not None and ray is not None:
        raise ValueError("--workers must be left out with --ray, whose cluster says how many work")


def open_workers(args: Any, tasks: int, make_ready: Callable[[], object]) -> AbstractContextManager[Workers]:
    """Return a context that gives `Workers` as `--workers` and `--ray` say, by default a process a core.

    There are no more processes than `tasks`. `make_ready` compiles. It is called once here, unless this process does
    all the work, or on each node of the cluster. Entering raises as `join_cluster` does.
    """
    if args.ray is not None:
        return join_cluster(args.ray, make_ready)
    processes = max(1, min(args.workers or count_cores(), tasks))
    if processes > 1:
        make_ready()
    return start_processes(processes)


# --- numbers ---


def refuse_given(args: Any, names: Iterable[str], why: str) -> None:
    """Raise `ValueError`, which says `why`, where one of the arguments `names` differs from its default."""
    for name in names:
        if getattr(args, name) != getattr(type(args), name):
            raise ValueError(f"--{name} {why}")


def check_range(option: str, value: float, least: float, most: float) -> None:
    """Raise `ValueError` unless the `value` of an `option` lies in its range; NaN never does."""
    if not least <= value <= most:
        raise ValueError(f"{option} must lie in {least} to {most}, not {value}")


def check_ranges(args: Any, ranges: Mapping[str, Range]) -> None:
    """Raise `ValueError` unless each argument named in `ranges` lies in its range, or is None."""
    for name, (least, most) in ranges.items():
        if getattr(args, name) is not None:
            check_range(f"--{name.replace('_', '-')}", getattr(args, name), least, most)


def check_seed(seed: int) -> None:
    """Raise `ValueError` where `--seed` is negative."""
    if seed < 0:
        raise ValueError(f"--seed must be 0 or more, not {seed}")


def check_minutes(minutes: float | None) -> None:
    """Raise `ValueError` where `--minutes` is given and no time."""
    if minutes is not None and not 0 < minutes <= MAX_MINUTES:
        raise ValueError(f"--minutes must be a positive number up to {MAX_MINUTES}, not {minutes}")
