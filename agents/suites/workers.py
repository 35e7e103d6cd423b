"""Shares work among processes; results come in order."""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def work(function: Callable[..., Result], tasks: Sequence[tuple[Any, ...]], workers: int) -> Iterator[Result]:
    """Yield `function(*task)` of every task, in order. With one of the `workers`, no process is started.

    The first task is done here, so that the processes find all compiled code on disk.
    """
    if not tasks:
        return
    yield function(*tasks[0])
    if workers <= 1:
        for task in tasks[1:]:
            yield function(*task)
        return
    context = multiprocessing.get_context("spawn")  # a fork would copy locks of threads that are not there
    pool = ProcessPoolExecutor(workers, context)
    try:
        for future in [pool.submit(function, *task) for task in tasks[1:]]:
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)
