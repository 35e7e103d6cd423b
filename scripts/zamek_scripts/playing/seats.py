"""Who sits where: people and agents, and the game that they begin or go on with."""

from collections.abc import Sequence
from pathlib import Path

from zamek_agents.base import Agent
from zamek_agents.registry import is_built_in, make_agent
from zamek_env import Game, load_components
from zamek_env.castle_cards.components.box import MAX_PLAYERS, MIN_PLAYERS
from zamek_env.common.messages import show
from zamek_env.components.house_rules import list_players
from zamek_env.game_protocol import GameProtocol
from zamek_env.make_game import FAMILIES, make_game
from zamek_scripts.playing.kept_game import HUMAN, KeptGame
from zamek_scripts.shared_args import check_range, find_tiles, read_folder
from zamek_scripts.terminal import naming


def name_seats(count: int, against: Sequence[str], seat: int | None) -> tuple[str, ...]:
    """Return who plays, one name for each of `count` seats: a person at `seat`, those of `against` at the others.

    One name of `against` stands for all others. `seat` None: they play among themselves. Raises `ValueError`.
    """
    if seat is not None:
        check_range("--seat", seat, 0, count - 1)
    free = count if seat is None else count - 1
    others = list(against) * free if len(against) == 1 else list(against)
    if len(others) != free:
        raise ValueError(f"--against must name one player for all other seats, or {free}, not {len(others)}")
    return tuple(others if seat is None else [*others[:seat], HUMAN, *others[seat:]])


def find_person(names: Sequence[str]) -> int | None:
    """Return the first seat at which a person sits, None where nobody does."""
    return next((seat for seat, name in enumerate(names) if name == HUMAN), None)


def make_players(names: Sequence[str]) -> list[Agent | None]:
    """Return the agents of those names, None for a person. Raises as `make_agent` does."""
    return [None if name == HUMAN else make_agent(name) for name in names]


def deal_game(
    ruleset: str, seed: int, folder: Path | None, players: int | None = None, rules: str = "", takes_own: bool = True
) -> tuple[GameProtocol, str | None]:
    """Return a new game and the digest of its components, None where it has none.

    `players` is how many play; None: as many as is usual. `rules` are house rules as a text. The module of a game of
    one's own is imported if it `takes_own`. Raises `ValueError`, in one line that names the argument, where there is no
    such ruleset, or it is not for so many.
    """
    if tiles := find_tiles(ruleset, folder, players, rules, takes_own):
        return Game(tiles.name, seed, tiles.components), tiles.components.digest
    with naming():
        return make_game(ruleset, seed, None, players), None


def list_tables(ruleset: str, folder: Path | None) -> range:
    """Return how many may play a new game of `ruleset`. Raises `ValueError` where its components cannot be read."""
    if ruleset in FAMILIES:
        return range(MIN_PLAYERS, MAX_PLAYERS + 1)
    return list_players(load_components(None, ruleset) if folder is None else read_folder(folder, ruleset))


def count_seats(
    ruleset: str, folder: Path | None, players: int | None, against: Sequence[str], is_watching: bool
) -> int | None:
    """Return how many play a new game: `players`, or as many as are named; None: as many as is usual."""
    if players is not None or len(against) < 2:
        return players
    tiles = find_tiles(ruleset, folder)
    return None if tiles and tiles.components.board.starts else len(against) + (not is_watching)


def is_own(ruleset: str | None) -> bool:
    """Return whether that is `MODULE:NAME`, a game of one's own."""
    return ruleset is not None and ":" in ruleset


def deal_kept(kept: KeptGame, folder: Path | None, own: str | None) -> GameProtocol:
    """Return the new game from whose deal `kept` was played; `own` is `MODULE:NAME`, None for a game of this package.

    Raises `ValueError` where the components are others, or the game is not that of `own`. To deal it, code is imported:
    only who runs the command may name it, never a file that came from elsewhere.
    """
    least, players = MIN_PLAYERS if kept.ruleset in FAMILIES else 1, len(kept.seats)
    with naming(f"ruleset {show(kept.ruleset)}"):
        if own is None and is_own(kept.ruleset):
            raise ValueError("a game of your own is not started by a file; to go on with it, name it by --ruleset too")
        if own is not None and own != kept.ruleset:
            raise ValueError(f"it must be that of --ruleset, {own}")
        if own is None and not least <= players <= MAX_PLAYERS:
            raise ValueError(f"seats must be {least} to {MAX_PLAYERS} names, not {players}")
        game, digest = deal_game(kept.ruleset, kept.seed, folder, players, kept.rules, takes_own=own is not None)
    if digest != kept.components:
        where = "of --components" if folder else "of the package; name the folder of others by --components"
        raise ValueError(f"the game was played on components {show(kept.components)}, not on {digest}, those {where}")
    return game


def check_kept_seats(kept: KeptGame) -> tuple[str, ...]:
    """Return who played `kept`. Raises `ValueError` where an agent is not of this package.

    Others are made by code in files. Only who runs the command may name these, never a file that came from elsewhere.
    """
    for name in kept.seats:
        if name != HUMAN and not is_built_in(name):
            raise ValueError(f"the agent {show(name)} is not of this package; to use it, name the players by --against")
    return kept.seats
