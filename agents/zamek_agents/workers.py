"""Runs tasks in this process, in several on this machine, or in those of a Ray cluster (`ray_cluster.py`).

A task is a call of a function of a module, with arguments that can be pickled. The caller that submits tasks does not
know where they run, and takes their results in any order.
"""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Protocol, TypeVar, runtime_checkable

from zamek_env.common.checks import check_count

AHEAD = 4  # tasks per worker that are submitted before their results are needed

Item = TypeVar("Item")
Arguments = TypeVar("Arguments", bound=tuple[Any, ...])


class WorkerLostError(RuntimeError):
    """A worker has ended without a result; the message says what may help."""


@runtime_checkable
class Workers(Protocol):
    """Runs tasks."""

    @property
    def ahead(self) -> int:
        """Number of tasks to submit before the first result is taken; it may change as results come."""
        ...

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
        """Submit a task; return a function that waits for its result and returns it.

        That function raises what the task raised. Both raise `WorkerLostError` where the task, or an earlier one, was
        lost.
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
        with _reporting_lost():  # perhaps while running an earlier task
            return partial(_wait, self._pool.submit(function, *arguments))


@contextmanager
def start_processes(count: int) -> Iterator[Workers]:
    """Yield `Workers` of `count` processes, which end with the block; for 1, tasks run in this process.

    Raises `TypeError` or `ValueError` where `count` is no positive whole number.
    """
    if check_count("workers", count) == 1:
        yield ThisProcess()
        return
    context = multiprocessing.get_context("spawn")  # a fork would copy locks held by threads that it lacks
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(count, context, _begin_as_worker)
    try:
        yield Processes(pool, count)
    finally:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()  # nobody needs the result of what it still runs
        pool.shutdown(cancel_futures=True)  # waits: Python ends with an error while a thread closes the pool


def run_in_order(
    workers: Workers, function: Callable[..., Any], tasks: Iterable[Arguments]
) -> Iterator[tuple[Arguments, Any]]:
    """Yield (arguments, result) of calling `function` with each of the `tasks`, tuples of arguments, in their order."""
    handed_over = ((arguments, workers.submit(function, *arguments)) for arguments in tasks)
    for arguments, get_result in look_ahead(handed_over, workers):
        yield arguments, get_result()


def look_ahead(iterator: Iterable[Item], workers: Workers) -> Iterator[Item]:
    """Yield the items of `iterator`, fetching up to `workers.ahead` of them before they are needed."""
    waiting: deque[Item] = deque()
    for item in iterator:
        waiting.append(item)
        while len(waiting) > workers.ahead:
            yield waiting.popleft()
    yield from waiting


def _wait(future: Future[Any]) -> Any:
    with _reporting_lost():
        return future.result()


@contextmanager
def _reporting_lost():
    """Raise `WorkerLostError` where a process of the pool has ended."""
    try:
        yield
    except BrokenProcessPool as error:
        raise WorkerLostError("a process has ended, perhaps for lack of memory; try fewer --workers") from error


def _begin_as_worker():
    """Prepare this process to be ended by the parent at any time."""
    with suppress(ModuleNotFoundError):  # where it is not installed, nobody draws bars
        from tqdm import tqdm

        tqdm.set_lock(threading.RLock())  # the default lock spans processes, and would be reported as leaked
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles interrupts, and this process ends when it does

    def end_with_parent():
        parent = multiprocessing.parent_process()
        assert parent is not None  # this is a child
        parent.join()
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
