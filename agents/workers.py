"""Who runs tasks: this process, several on this machine, or those of a Ray cluster (`ray_cluster.py`).

A task is a call of a function of a module, with arguments that can be pickled. Who hands over tasks knows nothing of
where they run, and takes their results in the order it likes.
"""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol, TypeVar, runtime_checkable

from tqdm import tqdm

from zamek_env.checks import check_count

AHEAD = 4  # tasks a worker that are handed over before their results are needed

Item = TypeVar("Item")
Arguments = TypeVar("Arguments", bound=tuple[Any, ...])


class WorkerLostError(RuntimeError):
    """A worker has ended without a result; the message says what may help."""


class CanWait(Protocol):
    """What tasks are handed over to ahead of time."""

    @property
    def ahead(self) -> int:
        """How many tasks to hand over before the first result is taken; it may change as results come."""
        ...


@runtime_checkable
class Workers(CanWait, Protocol):
    """What runs tasks."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
        """Hand over a task, and return what waits for its result and returns it.

        That raises what the function raised. Both raise `WorkerLostError` where the task, or one before, was lost.
        """
        ...


class ThisProcess:
    """Runs each task in this process, when its result is taken."""

    ahead: int = 0

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
        return partial(function, *arguments)


class Processes:
    """Runs tasks in the processes of a pool."""

    def __init__(self, pool: ProcessPoolExecutor, count: int) -> None:
        self._pool, self.ahead = pool, AHEAD * count

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
        with _told_lost():  # perhaps with a task handed over before
            return partial(_wait, self._pool.submit(function, *arguments))


@contextmanager
def start_processes(count: int) -> Iterator[Workers]:
    """Give `Workers` that are so many processes, ended with the block; for one, none is started.

    Raises `TypeError` or `ValueError` where `count` is none.
    """
    if check_count("workers", count) == 1:
        yield ThisProcess()
        return
    context = multiprocessing.get_context("spawn")  # a fork would copy locks of threads that are not there
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(count, context, _begin_as_worker)
    try:
        yield Processes(pool, count)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()  # what it still runs was interrupted, or ahead of a decision to stop


def run_in_order(
    workers: Workers, function: Callable[..., Any], tasks: Iterable[Arguments]
) -> Iterator[tuple[Arguments, Any]]:
    """Yield (arguments, result) of the function for each of the `tasks`, arguments, in their order."""
    handed_over = ((arguments, workers.submit(function, *arguments)) for arguments in tasks)
    for arguments, get_result in look_ahead(handed_over, workers):
        yield arguments, get_result()


def look_ahead(iterator: Iterable[Item], workers: CanWait) -> Iterator[Item]:
    """Yield what `iterator` yields, asking it for as many more before they are needed as the `workers` can use."""
    waiting: deque[Item] = deque()
    for item in iterator:
        waiting.append(item)
        while len(waiting) > workers.ahead:
            yield waiting.popleft()
    yield from waiting


def _wait(future: Future[Any]) -> Any:
    with _told_lost():
        return future.result()


@contextmanager
def _told_lost():
    """Raise `WorkerLostError` where a process of the pool has ended."""
    try:
        yield
    except BrokenProcessPool as error:
        raise WorkerLostError("a process has ended, perhaps for lack of memory; try fewer --workers") from error


def _begin_as_worker():
    """Make this process ready to be ended by the parent at any time."""
    tqdm.set_lock(threading.RLock())  # by default one among processes, of which the end would be reported as a leak
    _leave_the_end_to_the_parent()


def _leave_the_end_to_the_parent():
    """Let this process ignore an interruption, of which the parent takes care, but end where the parent was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def end_with_parent():
        parent = multiprocessing.parent_process()
        assert parent is not None  # this is a child
        parent.join()
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
