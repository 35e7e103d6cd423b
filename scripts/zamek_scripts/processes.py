"""Who does the work of a command: processes of this machine, or a Ray cluster."""

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Annotated

import tyro

from zamek_agents.ray_cluster import AUTO, join_cluster
from zamek_agents.workers import Workers, start_processes

_RAY = tyro.constructors.PrimitiveConstructorSpec(
    nargs=(0, 1),
    metavar="[ADDRESS]",
    instance_from_str=lambda words: words[0] if words else AUTO,
    is_instance=lambda value: value is None or isinstance(value, str),
    str_from_instance=lambda value: [] if value is None else [value],
)
_RAY_HELP = (
    "work on a Ray cluster: HOST:PORT, auto (that of this machine; also without an address) or local (a new one of "
    "this machine alone); docs/distributed.md"
)
RayAddress = Annotated[str | None, _RAY, tyro.conf.arg(help=_RAY_HELP, help_behavior_hint="")]


def count_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_workers(workers: int | None, ray: str | None) -> None:
    """Raise `ValueError` where `--workers` and `--ray` cannot be followed."""
    if workers is not None and workers < 1:
        raise ValueError(f"--workers must be 1 or more, not {workers}")
    if workers is not None and ray is not None:
        raise ValueError("--workers must be left out with --ray, whose cluster says how many work")


def open_workers(processes: int, ray: str | None, make_ready: Callable[[], object]) -> AbstractContextManager[Workers]:
    """Return a context that gives `Workers`: so many processes, or those of the cluster at the address `ray`.

    `make_ready` compiles. It is called once here, or on each node of the cluster. Entering raises as `join_cluster`
    does.
    """
    if ray is not None:
        return join_cluster(ray, make_ready)
    if processes > 1:
        make_ready()
    return start_processes(processes)
