"""Prints for the commands, on any terminal, file or pipe, and ends them where something goes wrong.

A user's own agent may raise anything while it plays. Code that lets agents play notes the game on the error, by
`zamek_env.errors.noted`. Such an error is not reported in one line: its author needs the traceback. An answer that is
no legal action, or no evaluation of them, an `AnswerError`, is: no code has failed.
"""

import errno
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NoReturn

from zamek_agents.base import DivergedError, OtherGameError
from zamek_agents.workers import WorkerLostError
from zamek_env import ComponentError, RecordError
from zamek_env.common.extras import MissingExtraError
from zamek_env.common.messages import escape, show, show_name
from zamek_env.common.printing import ASCII_SIGNS
from zamek_env.errors import AnswerError

if TYPE_CHECKING:
    from rich.console import Console

BAD_INPUT, FAILED, INTERRUPTED, TERMINATED, OUTPUT_LOST = 2, 1, 130, 143, 1  # exit codes
_REFUSED = (ValueError, OtherGameError, MissingExtraError)  # errors that say that arguments are invalid
PLAIN_WIDTH = 1000  # columns, where the output goes to a file or a pipe: no row of a table is broken there
FULL = {getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, name)}  # of a disk


@contextmanager
def any_output() -> Iterator[None]:
    """Let the block print anything: characters that a stream cannot encode become ASCII, closed streams swallow all.

    Exits with code 1 where the output cannot be written to its end, silently where the reader of a pipe is gone, with
    130 where it is interrupted, even before work begins, and with 143 on SIGTERM.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # it is closed; the null device gets its number before another file does
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open to the end
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=ASCII_SIGNS)
    try:
        try:
            with _ended_in_order():
                yield
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
    except KeyboardInterrupt:
        fail("zamek", "interrupted", INTERRUPTED)
    except BrokenPipeError:
        _silence(sys.stdout)
        _silence(sys.stderr)
        raise SystemExit(OUTPUT_LOST) from None
    except OSError as error:
        if error.errno not in FULL:
            raise
        _silence(sys.stdout)
        with suppress(OSError):
            print(f"zamek: {error.filename or 'the output'} cannot be written: {error.strerror}", file=sys.stderr)
        raise SystemExit(OUTPUT_LOST) from None


def make_console() -> "Console":
    """Return the console to print tables on. It prints names and paths literally: nothing in them is markup.

    To a file or a pipe it writes whole rows, and no spaces at the ends of lines.
    """
    from rich.console import Console  # here, because most commands print none

    if sys.stdout.isatty():  # rich takes a pipe for a terminal of 80 columns where colours are forced
        return Console(markup=False, emoji=False)

    class PlainConsole(Console):
        def print(self, *shown: Any, **options: Any) -> None:
            with self.capture() as captured:
                super().print(*shown, **options)
            self.file.write(re.sub(" +$", "", captured.get(), flags=re.MULTILINE))

    return PlainConsole(width=PLAIN_WIDTH, markup=False, emoji=False)


def fail(command: str, message: object, code: int) -> NoReturn:
    """Say why `zamek COMMAND` stops, in a line on stderr, and exit with `code`.

    A message may quote a file, so unprintable characters are escaped.
    """
    print(f"{command}: {escape(' '.join(str(message).split()))}", file=sys.stderr)
    sys.exit(code)


def check_printable(name: str, texts: Iterable[str]) -> None:
    """Raise `ValueError` where one of the `texts`, such as agents, has unprintable characters.

    Such are bytes of a path that are no text. The texts are names in results, and some files cannot hold them. `name`
    is that of the argument.
    """
    for text in texts:
        if not text.isprintable():
            raise ValueError(f"{name} must be names and paths of printable signs, not {show(text)}")


@contextmanager
def naming(argument: str | None = None) -> Iterator[None]:
    """Prefix a `ValueError` of the block with the `argument` whose value it is about.

    None: it begins with the name of one already, which gets its dashes.
    """
    try:
        yield
    except ValueError as error:
        raise ValueError(f"--{error}" if argument is None else f"{argument}: {error}") from error


@contextmanager
def reporting_errors(
    command: str, records: object = None, left: str = "", also: tuple[type[Exception], ...] = ()
) -> Iterator[None]:
    """Say in one line what goes wrong in `zamek COMMAND`; exit as `reporting_refusals` and `reporting_failures` do.

    Of `OSError`s, a missing file is a refusal, since the user named it. `also` are more refusals.
    """
    with reporting_failures(command, left), reporting_refusals(command, records, (*_REFUSED, FileNotFoundError, *also)):
        yield


@contextmanager
def reporting_refusals(
    command: str, records: object = None, errors: tuple[type[Exception], ...] = (*_REFUSED, OSError)
) -> Iterator[None]:
    """Say in one line why the request is refused, where one of `errors` is raised, and exit with code 2.

    `records` is the file of the records that a `RecordError` is about.
    """
    try:
        yield
    except errors as error:
        if _is_of_others(error):
            raise
        message: object = error
        if isinstance(error, ComponentError):
            message = f"--{error}"
        elif isinstance(error, RecordError) and records is not None:
            message = f"{show_name(str(records))}: {error}"
        elif isinstance(error, OSError):
            message = _describe(error)
        fail(command, message, BAD_INPUT)


@contextmanager
def reporting_failures(command: str, left: str | Callable[[], str] = "") -> Iterator[None]:
    """Say in one line why work has ended before it was done, and exit: with code 130 where it was interrupted, else 1.

    `left` ends the line: what is left of the work; a callable is asked by then.
    """

    def end(why: object, code: int) -> NoReturn:
        fail(command, f"{why}{left if isinstance(left, str) else left()}", code)

    try:
        yield
    except KeyboardInterrupt:
        end("interrupted", INTERRUPTED)
    except OSError as error:
        if _is_of_others(error):
            raise
        end(_describe(error), FAILED)
    except (WorkerLostError, DivergedError, AnswerError) as error:
        end(", ".join([str(error), *getattr(error, "__notes__", ())]), FAILED)


def _is_of_others(error):
    """Return whether the output lost its reader, or an agent failed in the middle of a game."""
    if isinstance(error, BrokenPipeError | AnswerError):
        return True
    return hasattr(error, "__notes__") and not isinstance(error, OtherGameError)


def _describe(error):
    """Return the message of an `OSError`, without its number."""
    if error.errno in FULL:
        return f"{error.filename or 'the output'} cannot be written: {error.strerror}"
    return str(error) if error.filename is None else f"{error.filename}: {error.strerror}"


class _ToEnd(BaseException):
    """Raised on SIGTERM. Not `SystemExit`: agents may raise that, and it would be blamed on them."""


@contextmanager
def _ended_in_order():
    """Let SIGTERM end the block by an exception, so that files half written are removed; a second one ends at once."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield  # another program has us, and takes care of that
        return

    def end(*_):
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        raise _ToEnd

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    except _ToEnd:
        raise SystemExit(TERMINATED) from None
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _silence(stream):
    """Discard the rest of a stream, so that the interpreter does not complain at exit."""
    with suppress(OSError, ValueError):  # a stream of somebody's own may have no number
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
