"""Measures what workers take for a task that does nothing: processes of this machine, and a local Ray cluster.

Usage: python benchmarks/workers.py [--tasks N] [--workers N] [--repeats N]

Tasks on Ray travel in batches (`zamek_agents.ray_cluster`). A batch is as long as hides what is measured here.
"""

import shlex
import sys
import time
from dataclasses import dataclass
from typing import Any

import tyro
from tqdm import tqdm

from zamek_agents import ray_cluster
from zamek_agents.ray_cluster import join_cluster
from zamek_agents.workers import Workers, run_in_order, start_processes

BATCHES = (1, 10, 100)
SIZES = (1, 10_000)  # bytes of a result; a played game of Zamek takes 8,500


@dataclass
class Args:
    tasks: int = 5_000
    """tasks of each measurement"""
    workers: int = 2
    """processes that run them"""
    repeats: int = 3
    """how often each is measured; the least is printed"""


def measure(workers: Workers, args: Args, title: str) -> list[float]:
    """Return the milliseconds that a task takes, all workers together, by the size of its result."""
    for _ in run_in_order(workers, bytes, [(1,)] * 200):
        pass  # until all processes have begun
    return [min(measure_once(workers, args.tasks, size, title) for _ in range(args.repeats)) for size in SIZES]


def measure_once(workers: Workers, tasks: int, size: int, title: str) -> float:
    """Return the milliseconds that a task takes whose result has so many bytes."""
    started = time.perf_counter()
    for _ in tqdm(run_in_order(workers, bytes, [(size,)] * tasks), f"{title}, {size} bytes", tasks, leave=False):
        pass
    return 1e3 * (time.perf_counter() - started) / tasks


def main(args: Args) -> None:
    """Measure, and print a table in Markdown."""
    rows = []
    with start_processes(args.workers) as workers:
        rows.append(("processes", "", measure(workers, args, "processes")))
    import ray

    started = time.perf_counter()
    quiet: dict[str, Any] = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}
    ray.init(address="local", num_cpus=args.workers, **quiet)
    with join_cluster(ray_cluster.LOCAL):
        began = time.perf_counter() - started
    for size in BATCHES:
        ray_cluster.MOST_IN_BATCH = size
        with join_cluster(ray_cluster.LOCAL) as workers:
            rows.append(("Ray", str(size), measure(workers, args, f"Ray, batches of {size}")))
    ray.shutdown()
    print(f"{shlex.join(sys.argv)}\n\nms a task, by the bytes of its result:\n")
    print(f"| workers | tasks a batch | {' | '.join(map(str, SIZES))} |\n| --- | --- |{' --- |' * len(SIZES)}")
    for name, size, found in rows:
        print(f"| {name} | {size} | {' | '.join(f'{milliseconds:.3f}' for milliseconds in found)} |")
    print(f"\nA local cluster is ready after {began:.1f} s.")


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
