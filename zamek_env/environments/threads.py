"""Threads that share the work on a row of games, in any process that uses them, and a lock against other callers."""

import os
import weakref
from collections.abc import Callable, Sequence
from itertools import pairwise
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any


class OneCaller:
    """A lock for one caller at a time; copies and unpickled objects have a new one.

    A caller takes it by `enter` and releases it by `leave`, or uses a `with` statement, which takes longer. Compiled
    code runs without the GIL, so two callers that write to the same games would crash the process.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self.leave = self._lock.release

    def __reduce__(self) -> tuple[type["OneCaller"], tuple[()]]:
        return OneCaller, ()

    def enter(self) -> None:
        """Take the lock. Raises `RuntimeError` while another caller holds it."""
        if not self._lock.acquire(False):
            raise RuntimeError("the environment is in another call already: give each thread one of its own")

    def __enter__(self) -> None:
        self.enter()

    def __exit__(self, *raised: object) -> None:
        self.leave()


class Threads:
    """A number of threads, the caller's own among them, started when they are first needed.

    A forked child process has none of its parent's threads and starts its own; so does a copy or an unpickled object.
    One caller at a time may give them work.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._crew: _Crew | None = None
        self._process: int | None = None  # in which the crew works

    def __reduce__(self) -> tuple[type["Threads"], tuple[int]]:
        return Threads, (self.count,)

    def run(self, function: Callable[..., object], shares: Sequence[Sequence[Any]]) -> bool:
        """Call `function(*share)` for each of the `shares`, at most `count`, all at once; return when all are done.

        The caller's thread, which would wait anyway, takes the first share. Returns whether it was done last. Raises
        what a call raised.
        """
        first, *others = shares
        if not others:
            function(*first)
            return True
        crew = self._start()
        try:
            for share in others:
                crew.tasks.put((function, share))
            error = _call(function, first)
            was_last = crew.done.qsize() == len(others)
            errors = [error, *(crew.done.get() for _ in others)]
        except BaseException:  # interrupted while waiting: late results must not be taken for those of the next call
            self._crew = None
            crew.end()
            crew.join()
            raise
        for error in errors:
            if error is not None:
                raise error
        return was_last

    def close(self) -> None:
        """End the threads."""
        crew, self._crew = self._crew, None
        if crew is not None and self._process == os.getpid():
            crew.end()

    def _start(self) -> "_Crew":
        """Return the threads of this process, started if it has none."""
        if self._crew is None or self._process != os.getpid():
            self._crew, self._process = _Crew(self.count - 1), os.getpid()
            weakref.finalize(self, self._crew.end).atexit = False
        return self._crew


class _Crew:
    """Threads that wait for work. A pool of `concurrent.futures` takes five times as long to pass it on."""

    def __init__(self, count: int) -> None:
        self.tasks: SimpleQueue[tuple[Callable[..., object], Sequence[Any]] | None] = SimpleQueue()
        self.done: SimpleQueue[BaseException | None] = SimpleQueue()
        self.threads = [Thread(target=_work, args=(self.tasks, self.done), daemon=True) for _ in range(count)]
        self._has_ended = False
        for thread in self.threads:
            thread.start()

    def end(self) -> None:
        """Let the threads end once they have done their tasks; further calls do nothing."""
        if not self._has_ended:
            self._has_ended = True
            for _ in self.threads:
                self.tasks.put(None)

    def join(self) -> None:
        """Wait until the threads have ended."""
        for thread in self.threads:
            thread.join()


def _work(tasks, done):
    """Run tasks as they come; report for each what it raised, or None. Keep no reference to a finished task."""
    while (task := tasks.get()) is not None:
        function, share = task
        error = _call(function, share)
        del task, function, share
        done.put(error)
        del error


def _call(function, share):
    """Call `function(*share)`; return what it raised, or None."""
    try:
        function(*share)
    except BaseException as error:
        return error
    return None


class Shares:
    """Divides a row of `count` games among `threads` threads, at least a game each.

    The first thread, the caller's, begins before the others, and wakes up late if it has to wait for them. So its share
    grows while it is not the last to finish, and shrinks when it is.
    """

    def __init__(self, count: int, threads: int) -> None:
        self._count, self._others = count, threads - 1
        self._first = count // threads  # games of the first thread
        self._least, self._most = max(1, self._first // 2), max(1, min(count - self._others, 3 * self._first // 2))
        self._step = max(1, count // 512)

    @property
    def bounds(self) -> list[tuple[int, int]]:
        """The first game of each thread, and the end of its games."""
        if not self._others:
            return [(0, self._count)]
        rest = self._count - self._first
        ends = [self._first + rest * number // self._others for number in range(self._others + 1)]
        return [(0, self._first), *pairwise(ends)]

    def adjust(self, first_was_last: bool) -> None:
        """Make the share of the first thread smaller if it was the last to be done, else larger."""
        if not self._others:
            return
        change = -self._step if first_was_last else self._step
        self._first = min(self._most, max(self._least, self._first + change))
