"""Threads that share the work on a row of games, in whichever process asks for it."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any


class Threads:
    """So many threads, the caller's own among them, started when they are first needed.

    A child process that was forked has none of its parent's threads and starts its own. So does a copy, and whatever
    was unpickled.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool: ThreadPoolExecutor | None = None
        self._process: int | None = None  # in which the threads of the pool run

    def __reduce__(self) -> tuple[type["Threads"], tuple[int]]:
        return Threads, (self.count,)

    def run(self, function: Callable[..., object], shares: Sequence[Sequence[Any]]) -> None:
        """Call `function(*share)` for each of the `shares`, at most `count`, all at once; return when all are done."""
        first, *others = shares  # the thread that waits anyway takes a share
        pool = self._start() if others else None
        waiting = [pool.submit(function, *share) for share in others] if pool else []
        function(*first)
        for share in waiting:
            share.result()

    def close(self) -> None:
        """End the threads."""
        pool, self._pool = self._pool, None
        if pool is not None and self._process == os.getpid():
            pool.shutdown()

    def _start(self) -> ThreadPoolExecutor:
        """Return the pool of this process, made if it has none."""
        if self._pool is None or self._process != os.getpid():
            self._pool, self._process = ThreadPoolExecutor(self.count - 1), os.getpid()
        return self._pool
