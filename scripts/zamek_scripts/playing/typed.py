"""A `Session` played in a terminal, by typed notation."""

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import zip_longest
from types import ModuleType
from typing import Any

from zamek_env.common.printing import print_text
from zamek_scripts.playing.presenter import Picture
from zamek_scripts.playing.session import RefusedError, Session

readline: ModuleType | None
try:
    import readline
except ModuleNotFoundError:  # on Windows
    readline = None

TICK = 0.05  # seconds
LISTED = 40  # choices at once
FEW = 9  # choices that are listed without being asked for
_INTERNAL = re.compile(r"action \d+ \(([^)]*)\)")  # a number that nobody types, before what it stands for
HELP = """\
Type the number of an action, as `list` shows it, or the action itself. Tab completes it; case does not matter.
  list          the actions that are legal now; `list 2,` those in which `2,` stands
  undo          take back your last action, as long as it has shown nothing new
  hint          what the agent thinks of the actions, best first; needs --hints
  board         show the whole board again
  help or ?     this
  quit          end; the game is kept"""
WINDOW = (80, 45)  # columns and rows, where nobody knows those of the terminal
GAP = 3  # columns between the board and what is shown next to it
_TOKEN = re.compile(r"[A-Z]+\d*[↑→↓←]\*?|[hmpcfk]|(?<=[^\d,])[01](?=[^\d,])|[═║╔╗╚╝╠╣╦╩╬╞╡╥╨◎]+|█+|·")
_COLOURS = {  # ANSI: foreground of the ground that a letter stands for
    "h": "31", "p": "35", "m": "32", "f": "32", "c": "33", "k": "36", "0": "1;94", "1": "1;93", "═": "37", "█": "90",
    "·": "90",
}  # fmt: skip


def play_typed(session: Session) -> None:
    """Play `session` until it is over or the person leaves."""
    shown = None
    while not session.game.is_terminal:
        if session.is_persons_turn:
            if shown != session.state:
                show_board(session)
                shown = session.state
            try:
                if not take_line(session):
                    return
            except EOFError:
                print()
                return
        elif not wait_for_agent(session):
            return
    show_board(session)
    view = session.view()
    winners = " and ".join(session.presenter.names[player] for player in view["winners"])
    measure = "" if view["measure"] == "points" else f" {view['measure']}"
    points = f", {':'.join(map(str, view['scores']))}{measure}" if any(view["scores"]) else ""
    print(f"Game over{points}: {winners} {'drew' if len(view['winners']) == len(view['names']) > 1 else 'won'}.")
    for line in view["trouble"].values():
        print(line)


def show_board(session: Session, is_whole: bool = False) -> None:
    """Print what the person at the keyboard sees, the last moves, and the choices if they are few.

    `is_whole`: even what does not fit.
    """
    if session.is_covered:
        if session.view()["moves"]:
            clear_screen()
        input(f"{session.presenter.names[session.game.current_player]}: press Enter when nobody else is looking. ")
        session.uncover(session.state)
    picture, view = session.presenter.picture(session.game, session.viewer, session.played.actions), session.view()
    last, few = [], len(view["choices"]) if len(view["choices"]) <= FEW else 0
    if view["moves"]:
        move = view["moves"][-1]
        last = [
            f"Last: {session.presenter.names[move['player']]}: {move['words']}",
            *(f"  {line}" for line in move["news"]),
        ]
    print_text("\n".join([draw_screen(picture, len(last) + few + 1, is_whole), *last]))
    for line in view["trouble"].values():
        print(line)
    if few:
        list_choices(view["choices"], "")


def clear_screen() -> None:
    """Clear a terminal, so that the next person does not see the hand of the last one; no other output.

    The history of typed lines is cleared too: the arrow keys would bring it back.
    """
    if readline is not None:
        with suppress(AttributeError):  # as in `_offer`
            readline.clear_history()
    if sys.stdout.isatty():
        print("\x1b[H\x1b[2J\x1b[3J", end="", flush=True)


def take_line(session: Session) -> bool:
    """Read one line and do what it says. Returns False if it says to end."""
    view = session.view()
    texts = [choice["action"] for choice in view["choices"]]
    _offer([*texts, "list", "undo", "hint", "board", "help", "quit"])
    who = session.presenter.names[view["player"]]
    line = input(f"{who}: {view['task']} ({len(texts)} choices, ? for help)> ").strip()
    command, _, rest = line.partition(" ")
    command = command.lower()
    handlers: dict[str, Callable[[], None]] = {
        "help": lambda: show_help(session),
        "?": lambda: show_help(session),
        "list": lambda: list_choices(view["choices"], rest),
        "hint": lambda: show_advice(session),
        "board": lambda: show_board(session, is_whole=True),
    }
    if command == "quit" and not rest:
        return False
    try:
        if command in handlers and (command == "list" or not rest):
            handlers[command]()
        elif command == "undo" and not rest:
            session.undo(view["state"])
        elif line:
            session.move(view["state"], find_action(texts, line))
    except (RefusedError, ValueError) as error:
        print(_INTERNAL.sub(r"\1", str(error)))
    return True


def find_action(texts: Sequence[str], typed: str) -> str:
    """Return the one of `texts` that was typed, in any case, or by its number from 1; else the typed text.

    Raises `ValueError` for an unknown number.
    """
    if typed in texts:
        return typed
    alike = [text for text in texts if text.casefold() == typed.casefold()]
    if len(alike) == 1:
        return alike[0]
    if not (typed.isascii() and typed.isdecimal() and len(typed) < 10):
        return typed
    if not 1 <= int(typed) <= len(texts):
        raise ValueError(f"a number must be 1 to {len(texts)}, not {typed}")
    return texts[int(typed) - 1]


def show_help(session: Session) -> None:
    """Print what can be typed, and what the signs on the board mean."""
    print(HELP)
    for line in session.presenter.picture(session.game, session.viewer).legend:
        print_text(line)


def list_choices(choices: Iterable[dict[str, Any]], part: str) -> None:
    """Print the choices whose notation contains `part`, in any case, with their numbers."""
    found = [(number, each) for number, each in enumerate(choices, 1) if part.casefold() in each["action"].casefold()]
    width = max((len(choice["action"]) for _, choice in found), default=0)
    for number, choice in found[:LISTED]:
        words = choice["words"] if choice["words"] != choice["action"] else ""
        print_text(f"{number:>4}  {choice['action']:<{width}}  {words}".rstrip())
    if len(found) > LISTED:
        print(f"  … and {len(found) - LISTED} more: `list TEXT` shows those in which TEXT stands")
    if not found:
        print(f"no legal action has {part!r} in it")


def show_advice(session: Session) -> None:
    """Print the values of the adviser, best first; wait for them where they are not there yet."""
    if session.adviser is None:
        print("there are no hints: --hints asks for them")
        return
    state = session.state
    while (advice := (view := session.view())["advice"]) is None and "agent" not in view["trouble"]:
        if state != session.state:
            break
        session.closed.wait(TICK)
    ranked = sorted(advice["values"].items(), key=lambda item: -item[1]) if advice else []
    width = max((len(action) for action, _ in ranked), default=0)
    for action, _ in ranked[:LISTED]:
        print(f"  {action:<{width}}  {advice['marks'][action]}")
    for line in session.view()["trouble"].values():
        print(line)


def wait_for_agent(session: Session) -> bool:
    """Wait until the agent whose turn it is has decided, and print what it did. Returns False if it failed."""
    before = session.view()  # of one moment: the agent may decide at any time
    if not before["thinking"] and "agent" not in before["trouble"]:
        return True
    print(f"{session.presenter.names[before['player']]} is thinking …", flush=True)
    while session.state == before["state"] and "agent" not in session.view()["trouble"]:
        session.closed.wait(TICK)
    view = session.view()
    if "agent" in view["trouble"]:
        print(view["trouble"]["agent"])
        return False
    for move in view["moves"][before["played"] - view["played"] :]:
        print_text("\n  ".join([f"{session.presenter.names[move['player']]}: {move['words']}", *move["news"]]))
    return True


def _offer(texts: list[str]) -> None:
    """Let the tab key complete a line to one of `texts`, where the terminal can."""
    if readline is None:
        return

    def complete(start: str, number: int) -> str | None:
        found = [text for text in texts if text.startswith(start)]
        return found[number] if number < len(found) else None

    with suppress(AttributeError):  # a stand-in for readline may lack some of it
        readline.set_completer(complete)
        readline.set_completer_delims("\n")
        is_libedit = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")


# --- the picture: no higher than the window, and in colours ---


def draw_screen(picture: Picture, reserved: int = 0, is_whole: bool = False) -> str:
    """Return a picture as text for the terminal, which leaves `reserved` rows of it free.

    Unless `is_whole`, it leaves out what does not fit.
    """
    columns, rows = shutil.get_terminal_size(WINDOW)
    board, width = list(picture.board), max(map(len, picture.board), default=0)
    is_aside = bool(picture.aside) and width + GAP + max(map(len, picture.aside)) <= columns
    beside = list(picture.aside if is_aside else picture.beside)
    room = rows - reserved - (0 if is_aside else len(beside))
    if not is_whole and len(board) > room:
        board = _cut(board, max(room, 1), picture.middle)
    has_colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    painted = [line[:4] + _TOKEN.sub(_colour, line[4:]) for line in board] if has_colours else board
    if not is_aside:
        return "\n".join([*painted, *beside])
    pads = [" " * (width + GAP - len(line)) for line in board]
    left = [line + pad for line, pad in zip(painted, pads, strict=True)]
    return "\n".join((one + other).rstrip() for one, other in zip_longest(left, beside, fillvalue=""))


def _cut(board, room, middle):
    """Return `room` lines: the board's column numbers, its rows around `middle`, and a note of what is cut."""
    if not board:
        return []
    kept = max(room - 2, 1)  # besides the first line and the one that says so
    first = min(max(middle - kept // 2, 1), len(board) - kept)
    return [board[0], *board[first : first + kept], "      … the rest of the board: `board`"]


def _colour(match):
    """Return the sign of a ground or a piece in its colour."""
    text = match[0]
    kind = "═" if text[0] in "═║╔╗╚╝╠╣╦╩╬╞╡╥╨◎" else text[0]
    return f"\x1b[{_COLOURS[kind]}m{text}\x1b[0m" if kind in _COLOURS else text
