"""Play against an agent or another person: on a page in the browser, or in a terminal."""

import json
import re
import shlex
import socket
import sys
import traceback
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Thread, Timer
from typing import Annotated, Any

import numpy as np
import tyro

from zamek_agents.atomic_dir import resolve_links
from zamek_agents.base import Agent, Evaluating, check_plays, find_evaluating
from zamek_agents.registry import check_form, is_built_in, make_agent
from zamek_env import Game, load_components
from zamek_env.base.chance import check_deal, draw_deal
from zamek_env.castle_cards.components.box import MAX_PLAYERS, MIN_PLAYERS
from zamek_env.common.extras import needs_extra
from zamek_env.common.messages import show
from zamek_env.components.box_folder import CASTLE_CARDS, RULESETS
from zamek_env.components.house_rules import list_players
from zamek_env.game_protocol import GameProtocol
from zamek_env.make_game import FAMILIES, make_game
from zamek_scripts import shared_args
from zamek_scripts.atomic_file import check_new_file, write_atomic
from zamek_scripts.playing.kept_game import HUMAN, Keeper, KeptGame, open_keeper, read_kept
from zamek_scripts.playing.opening import Offers, Opening, list_steps
from zamek_scripts.playing.session import Session
from zamek_scripts.playing.typed import play_typed
from zamek_scripts.terminal import FAILED, fail, naming, reporting_refusals

KEPT = Path("runs") / "play"  # folder of games that are kept under no other name
OPPONENTS = ("greedy", "value", "mcts", "expectimax", "ismcts", "random", HUMAN)  # of games begun on the page
MOST_PORT = 65535
NOTICEABLE = 0.5  # seconds after which a browser opens to show what is waited for
MOST_PACE = 3600.0  # seconds; a thread cannot wait for as long as it likes


def default_in_words(words: str) -> Any:
    """Return what lets `--help` describe the default of an option in `words`."""
    return tyro.conf.arg(help_behavior_hint=f"(default: {words})")


@dataclass
class Args:
    against: Annotated[tuple[str, ...], default_in_words("greedy, in a game of your own random")] = ()
    """who sits at the other seats: `human`, or an agent named as for `zamek evaluate`"""
    ruleset: shared_args.OptionalGameName = None
    players: Annotated[int | None, default_in_words("as many as --against names and you, or 2")] = None
    """how many play: of Carcassonne 1 to 5, of castle-cards 2 to 5, else 2"""
    rules: shared_args.HouseRulesText = ""
    components: shared_args.ComponentsFolder = None
    seat: Annotated[int | None, default_in_words("0, with --resume the one you had")] = None
    """your seat; 0 begins"""
    watch: bool = False
    """take no seat: the agents of --against play each other"""
    hints: tuple[str, ...] | None = None
    """show what an agent thinks of each of your choices: the one named here, or else one of --against"""
    seed: Annotated[int | None, default_in_words("a random one")] = None
    """number of the deal"""
    pace: float = 0.5
    """seconds, 0 to 3600, that an agent waits before it decides, so that its moves can be followed"""
    terminal: bool = False
    """play in this terminal, by typed notation"""
    port: int = 0
    """of the page, on this machine only; 0: any that is free"""
    browser: bool = True
    """open the page in the browser"""
    record: Path | None = None
    """write the record of the finished game into this file"""
    keep: Annotated[Path | None, default_in_words("a new one in runs/play")] = None
    """keep the game in this file after each move"""
    resume: Path | None = None
    """go on with the game that is kept in this file, and keep it there"""
    overwrite: bool = False
    """replace the files of --record and --keep where they exist"""


def main(args: Args) -> None:
    """Play. Exits with code 2, having written nothing, for invalid `args`.

    Exits with code 1 where a file cannot be written, or where an agent fails and there is no page to let it retry.
    """
    opening = Opening()
    with ExitStack() as open_till_the_end:
        with reporting_refusals("play"):
            check(args)
            serve = play_typed if args.terminal else open_till_the_end.enter_context(serving_page(args, opening))
            if args.terminal:
                print("Getting ready. The first time this compiles the rules: ten seconds or more.", flush=True)
            session, path = set_up(args, opening)
            offer_more(args, opening)
        try:
            session.start()
            serve(session)
        except (KeyboardInterrupt, EOFError):  # Ctrl-C, and the end of what is typed
            print()
        finally:
            session = opening.session or session  # another game may have been begun on the page
            session.close()
    path = session.keeper.path if session.keeper else path
    if session.failure is not None and not is_built_in(session.deal.seats[session.game.current_player]):
        sys.stdout.flush()  # before the traceback, which the author of the agent needs
        traceback.print_exception(session.failure)
    if "file" in session.trouble:
        fail("play", session.trouble["file"], FAILED)
    print(describe_kept(args, session, path))
    if "record" in session.trouble:
        fail("play", session.trouble["record"], FAILED)
    if args.terminal and session.failure is not None:
        fail("play", session.trouble["agent"], FAILED)


def describe_kept(args: Args, session: Session, path: Path) -> str:
    """Return where the game is kept and, unless it is over, the command that resumes it."""
    if session.game.is_terminal:
        return f"The game is kept in {path}"
    again = ["zamek", "play", "--resume", str(path)]
    if not all(name == HUMAN or is_built_in(name) for name in session.deal.seats):  # a file may not name these
        seat = find_person(session.deal.seats)
        others = [name for number, name in enumerate(session.deal.seats) if number != seat]
        again += ["--against", *others, *(["--watch"] if seat is None else ["--seat", str(seat)])]
    again += ["--ruleset", session.deal.ruleset] if is_own(session.deal.ruleset) else []
    again += ["--components", str(args.components)] if args.components else []
    again += ["--terminal"] if args.terminal else []
    again += [] if args.hints is None else ["--hints", *args.hints]
    again += [] if args.browser else ["--no-browser"]
    for name in ("port", "pace", "record"):
        if getattr(args, name) != getattr(Args, name):
            again += [f"--{name}", str(getattr(args, name))]
    again += ["--overwrite"] if args.record and args.overwrite else []
    return f"The game is kept; go on with it by: {shlex.join(again)}"


# --- the game ---


def check(args: Args) -> None:
    """Raise an error of one line for `args` that are obviously invalid."""
    if args.terminal and args.port != Args.port:
        raise ValueError("--port cannot be given with --terminal: there is no page")
    if is_own(args.ruleset) and not args.terminal:
        raise ValueError(
            f"--ruleset: {args.ruleset} has no pictures for a page; play it in the terminal, by --terminal"
        )
    if args.resume:
        check_resumed(args)
    else:
        shared_args.find_tiles(args.ruleset or "zamek", args.components, args.players, args.rules)
    for option, names in (("--against", args.against), ("--hints", args.hints or ())):
        with naming(option):
            for name in names:
                if name != HUMAN:
                    check_form(name)
    if not 0 <= args.pace <= MOST_PACE:
        raise ValueError(f"--pace must be 0 to {MOST_PACE:g} seconds, not {args.pace}")
    if args.record:
        check_new_file("--record", args.record, args.overwrite)
    if args.record and resolve_links(args.record) in map(resolve_links, filter(None, (args.keep, args.resume))):
        raise ValueError(f"--record: {args.record} keeps the game; name another file")


def check_resumed(args: Args) -> None:
    """Raise `ValueError` where an argument does not go with `--resume`."""
    own = args.ruleset if is_own(args.ruleset) else None
    for name in ("players", "rules", "seed", "keep", *(() if own else ("ruleset",))):
        if getattr(args, name) not in (None, ""):
            raise ValueError(f"--{name} cannot be given with --resume: the game goes on as it was begun")
    if (args.watch or args.seat is not None) and not args.against:
        raise ValueError("--seat and --watch with --resume need --against: it says who plays from now on")


def set_up(args: Args, opening: Opening | None = None) -> tuple[Session, Path]:
    """Return the game, ready to start, and the file in which it is kept; `opening` is told of each step.

    Raises an error of one line.
    """
    told = opening or Opening()
    named = [name for name in find_opponents(args) if name != HUMAN]
    told.plan(*list_steps(args.ruleset or "zamek", named))
    game, deal, keeper = resume(args) if args.resume else begin(args)
    seats = make_players(deal.seats)
    with naming(f"--resume: {args.resume}"):
        session = Session(game, deal, seats, keeper, args.pace)
    agents = [agent for agent in seats if agent is not None]
    told.plan(*list_steps(deal.ruleset, [agent.name for agent in agents]))
    told.finish_step()
    session.view()
    told.finish_step()
    for agent in agents:  # one trained for another ruleset says so now
        if not session.game.is_terminal:
            check_plays(agent, session.game.copy())
        told.finish_step()
    if args.hints is not None:
        session.adviser = find_adviser(seats, args.hints, game)
    if args.record:
        session.save_record = partial(save_record, args.record, args.overwrite)
    return session, keeper.path


def offer_more(args: Args, opening: Opening) -> None:
    """Offer other games on the page: of packaged rulesets, against agents that need only their name."""
    rulesets = [*RULESETS, CASTLE_CARDS] if args.components is None else [args.ruleset or "zamek"]

    def make(ruleset: str, against: str, players: int, seat: int) -> Session:
        fresh = replace(args, seed=None, keep=None, resume=None, record=None, watch=False, hints=None)
        rules = args.rules if ruleset == (args.ruleset or "zamek") else ""
        wished = replace(fresh, ruleset=ruleset, against=(against,), seat=seat, players=players, rules=rules)
        return set_up(wished, opening)[0]

    def list_tables(ruleset: str) -> range:
        if ruleset in FAMILIES:
            return range(MIN_PLAYERS, MAX_PLAYERS + 1)
        folder = args.components
        own = load_components(None, ruleset) if folder is None else shared_args.read_folder(folder, ruleset)
        return list_players(own)

    opening.offers = Offers(rulesets, OPPONENTS, list_tables, make)


def find_adviser(seats: Sequence[Agent | None], named: Sequence[str], game: GameProtocol) -> Evaluating:
    """Return the agent `named`, or else the first one of `seats` that evaluates choices, here of a new `game`.

    Raises `ValueError` where there is none, or nobody to see it.
    """
    if None not in seats:
        raise ValueError("--hints must come with a seat for a person, whose choices they are about, not with none")
    if len(named) > 1:
        raise ValueError(f"--hints must name one agent, or none, not {len(named)}")
    wrong = "it needs an agent to give them: name one, as in --hints value"
    for agent in make_players(named) or seats:
        try:
            if agent is not None:
                check_plays(agent, game.copy())
                return find_evaluating(agent)
        except ValueError as error:
            wrong = str(error)
    raise ValueError(f"--hints: {wrong}")


def begin(args: Args) -> tuple[GameProtocol, KeptGame, Keeper]:
    """Return a new game, its deal, and its keeper."""
    ruleset = args.ruleset or "zamek"
    seed = draw_deal(np.random.default_rng()) if args.seed is None else check_deal("--seed", args.seed)
    players = args.players  # None: as many as are named, of a game for any number, or else the usual number
    if players is None and len(args.against) > 1:
        tiles = shared_args.find_tiles(ruleset, args.components)
        has_starts = tiles is not None and bool(tiles.components.board.starts)  # as rulesets for two have
        players = None if has_starts else len(args.against) + (not args.watch)
    game, digest = deal_game(ruleset, seed, args.components, players, args.rules)
    names = name_seats(game.num_players, find_opponents(args), find_seat(args))
    return game, KeptGame(ruleset, digest, seed, names, rules=args.rules), make_keeper(args, ruleset)


def resume(args: Args) -> tuple[GameProtocol, KeptGame, Keeper]:
    """Return the game of --resume as it was dealt, with its actions to come, and its keeper."""
    assert args.resume is not None
    try:
        with naming("--resume"):
            kept, keeper = read_kept(args.resume)
    except OSError as error:
        why = f"{args.resume}: {error.strerror}" if error.strerror else error
        raise OSError(f"--resume: {why}") from error
    with naming(f"--resume: {args.resume}"):
        game = deal_kept(kept, args.components, args.ruleset if is_own(args.ruleset) else None)
        seat = find_seat(args, find_person(kept.seats) or 0)
        if args.against:
            seats = name_seats(len(kept.seats), args.against, seat)
        else:
            seats = kept.seats
            for name in seats:  # code in files makes others: only the user may name these, never a file from elsewhere
                if name != HUMAN and not is_built_in(name):
                    how = "to use it, name the players by --against"
                    raise ValueError(f"the agent {show(name)} is not of this package; {how}")
    return game, replace(kept, seats=seats), keeper


def find_opponents(args: Args) -> tuple[str, ...]:
    """Return the players of the other seats of a new game."""
    return args.against or (("random",) if is_own(args.ruleset) else ("greedy",))


def find_seat(args: Args, usual: int = 0) -> int | None:
    """Return the seat of the person, by default the `usual` one; None where they watch."""
    if args.watch and args.seat is not None:
        raise ValueError("--seat cannot be given with --watch: who watches sits nowhere")
    if args.watch and HUMAN in args.against:
        raise ValueError(f"--against must name agents with --watch, not {HUMAN}")
    if args.watch:
        return None
    return usual if args.seat is None else args.seat


def make_keeper(args: Args, ruleset: str) -> Keeper:
    """Return the keeper of a new game, in a new file or one that may be replaced."""
    if args.keep is None:
        stem = f"{re.sub('[^-.0-9A-Za-z_]', '-', ruleset)}-{datetime.now():%Y%m%d-%H%M%S}"
        names = [f"{stem}.json", *(f"{stem}-{number}.json" for number in range(2, 1000))]
        return Keeper(next(KEPT / name for name in names if not (KEPT / name).exists()))
    if args.keep.is_file() and not args.overwrite:
        how = f"go on with it by --resume {args.keep}, replace it by --overwrite, or name another file"
        raise ValueError(f"--keep: {args.keep} exists; {how}")
    check_new_file("--keep", args.keep, args.overwrite)
    return open_keeper(args.keep)


def save_record(path: Path, overwrite: bool, record: dict[str, Any]) -> None:
    """Write the record of the finished game into the file of --record."""
    with write_atomic(path, overwrite=overwrite) as file:
        file.write(json.dumps(record) + "\n")


# --- who sits where: people and agents, and the game that they begin or go on with ---


def name_seats(count: int, against: Sequence[str], seat: int | None) -> tuple[str, ...]:
    """Return the names of the players of `count` seats: a person at `seat`, those of `against` at the others.

    One name of `against` stands for all others. `seat` None: they play among themselves. Raises `ValueError`.
    """
    if seat is not None:
        shared_args.check_range("--seat", seat, 0, count - 1)
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

    `players` is how many play; None: as many as is usual. `rules` are house rules as a text. The module of a user's own
    game is imported if it `takes_own`. Raises `ValueError`, in one line that names the argument, where there is no such
    ruleset, or not for that number of players.
    """
    if tiles := shared_args.find_tiles(ruleset, folder, players, rules, takes_own):
        return Game(tiles.name, seed, tiles.components), tiles.components.digest
    with naming():
        return make_game(ruleset, seed, None, players), None


def is_own(ruleset: str | None) -> bool:
    """Return whether that is `MODULE:NAME`, a user's own game."""
    return ruleset is not None and ":" in ruleset


def deal_kept(kept: KeptGame, folder: Path | None, own: str | None) -> GameProtocol:
    """Return the new game from whose deal `kept` was played; `own` is `MODULE:NAME`, None for a game of this package.

    Raises `ValueError` for other components, or where the game is not that of `own`. To deal it, code is imported: only
    the user may name that, never a file that came from elsewhere.
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


# --- the page ---


@contextmanager
def serving_page(args: Args, opening: Opening) -> Iterator[Callable[[Session], None]]:
    """Serve the page to the end of the block; the value plays a session there until Ctrl-C.

    Raises an error of one line where that fails.
    """
    with needs_extra("play", "a page in the browser (zamek play --terminal does without)"):
        from zamek_scripts.playing.server import ADDRESS, make_server  # here, because it imports the web packages
    shared_args.check_range("--port", args.port, 0, MOST_PORT)
    try:
        sock = socket.create_server((ADDRESS, args.port))
    except OSError as error:
        raise OSError(f"--port: {args.port} cannot be used: {error.strerror}") from error

    server, address = make_server(opening), f"http://{ADDRESS}:{sock.getsockname()[1]}/"
    serving = Thread(target=server.run, kwargs={"sockets": [sock]})
    browser = Timer(NOTICEABLE, webbrowser.open, (address,))  # before, what cannot be followed has been refused
    browser.daemon = True  # one in the terminal ends late

    def serve(session: Session) -> None:
        opening.session = session
        serving.join()

    serving.start()
    print(f"The game is at {address} – Ctrl-C ends it.", flush=True)
    if args.browser:
        browser.start()
    try:
        yield serve
    finally:
        browser.cancel()
        server.should_exit = True
        serving.join()
