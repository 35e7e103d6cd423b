"""Prepares a game before it can be shown, step by step, and counts what is compiled for it."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from numba.core.event import Event, Listener, register

from zamek_env.common.messages import show
from zamek_env.common.player_names import ORDINALS
from zamek_scripts.playing.session import NotNowError, Session

_HALFWAY = 40  # functions compiled at which a step counts as half done


class _Compiling(Listener):
    """Counts functions of this project that are compiled in this process, and names the present one."""

    def __init__(self) -> None:
        self.count, self._open = 0, list[str]()

    @property
    def name(self) -> str:
        """Module and function that are compiled now; "" where none is."""
        return next(reversed(self._open), "")

    def on_start(self, event: Event) -> None:
        name = _name(event)
        if name:
            self._open.append(name)

    def on_end(self, event: Event) -> None:
        if _name(event) and self._open:
            self._open.pop()
            self.count += 1


def _name(event):
    """Return a readable name of the function that an event is about; "" for one of another project."""
    function = event.data["dispatcher"].py_func
    package, _, module = function.__module__.rpartition(".")
    return f"{module}: {function.__name__.lstrip('_')}" if package.startswith("zamek_") else ""


COMPILING = _Compiling()
register("numba:compile", COMPILING)


@dataclass(frozen=True)
class Offers:
    """Other games that may be begun."""

    rulesets: Sequence[str]
    opponents: Sequence[str]
    list_tables: Callable[[str], Sequence[int]]  # how many may play a ruleset
    make: Callable[[str, str, int, int], Session]  # by ruleset, opponent, number of players and seat

    def view(self) -> dict[str, Any]:
        """Return them for `json.dumps`: `rulesets` are {name: how many may play it}, `seats` the names of seats."""
        tables = {ruleset: list(self.list_tables(ruleset)) for ruleset in self.rulesets}
        return {"rulesets": tables, "opponents": list(self.opponents), "seats": list(ORDINALS)}

    def check(self, ruleset: str, against: str, players: str, seat: str) -> None:
        """Raise `ValueError` for what is not offered."""
        _check_offered("ruleset", ruleset, self.rulesets)
        _check_offered("opponent", against, self.opponents)
        _check_offered("players", players, [str(count) for count in self.list_tables(ruleset)])
        _check_offered("seat", seat, [str(number) for number in range(int(players))])


def _check_offered(name, wish, offered):
    if wish not in offered:
        raise ValueError(f"{name} must be one of {', '.join(offered)}, not {show(wish)}")


class Opening:
    """A game that one thread prepares while others may watch the progress; then its `session`."""

    def __init__(self, session: Session | None = None) -> None:
        self.session = session
        self.offers: Offers | None = None
        self._beginning = threading.Lock()
        self.closed = threading.Event()
        self._steps: tuple[str, ...] = ()
        self._done = 0
        self._before = self._compiled = COMPILING.count  # until it began, and until this step did
        self._began = time.monotonic()

    def begin_anew(self, state: str, ruleset: str, against: str, players: str, seat: str) -> None:
        """Replace the present game by another, or go on with it if that cannot be made.

        Raises `StaleError` and `NotNowError` as `Session.move` does, `ValueError` for what is not offered.
        """
        if self.offers is not None:
            self.offers.check(ruleset, against, players, seat)
        with self._beginning:
            old = self.session
            if old is None or self.offers is None:
                raise NotNowError("no other game can be begun here")
            old.check_state(state)
            self.session, self._steps, self._done = None, (), 0
            self._before, self._began = COMPILING.count, time.monotonic()
            try:
                new = self.offers.make(ruleset, against, int(players), int(seat))
            except (OSError, ImportError) as error:
                raise ValueError(str(error)) from error
            finally:
                self.session = old
            new.start()
            self.session = new
            old.close()

    def plan(self, *steps: str) -> None:
        """Set the list of all steps, in words; those done already come first."""
        self._steps = steps

    def finish_step(self) -> None:
        """Count the next step as done."""
        self._done += 1
        self._compiled = COMPILING.count

    def view(self) -> dict[str, Any]:
        """Return the progress, for `json.dumps`."""
        compiled = COMPILING.count - self._compiled
        part = compiled / (compiled + _HALFWAY)
        return {
            "steps": self._steps,
            "done": self._done,
            "share": min(1.0, (self._done + part) / max(1, len(self._steps))),
            "compiled": COMPILING.count - self._before,
            "compiling": COMPILING.name,
            "seconds": round(time.monotonic() - self._began),
        }

    def close(self) -> None:
        """Let nothing more happen."""
        self.closed.set()
        if self.session is not None:
            self.session.close()


def list_steps(ruleset: str, agents: Sequence[str]) -> tuple[str, ...]:
    """Return the steps before a game of `ruleset` against the `agents`, in words."""
    return (f"the rules of {ruleset}", "the board and the choices", *agents)
