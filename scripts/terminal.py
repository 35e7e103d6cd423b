"""What the commands print, on any terminal, file or pipe."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

from zamek_env.printing import ASCII_SIGNS

OUTPUT_LOST = 1  # exit code
FULL = {getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, name)}  # of a disk


@contextmanager
def any_output() -> Iterator[None]:
    """Let the block print what it likes: signs that a stream cannot hold come out in ASCII, closed streams swallow all.

    Exits with code 1 where the output cannot be written to its end, without a word where the reader of a pipe is gone.
    """
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=ASCII_SIGNS)
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
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


def fail(command: str, message: object, code: int) -> NoReturn:
    """Say why `zamek COMMAND` goes no further, in a line on stderr, and exit with `code`."""
    print(f"{command}: {message}", file=sys.stderr)
    sys.exit(code)


def _open_closed_streams():
    """Put a stream to nowhere in place of each that was closed, before a file of ours gets its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open to the end


def _silence(stream):
    """Send the rest of a stream nowhere, so that the interpreter finds nothing to complain of at its end."""
    with suppress(OSError, ValueError):  # a stream of somebody's own may have no number
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
