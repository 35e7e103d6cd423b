"""Measures what workers take for a task that does nothing: processes of this machine, and a local Ray cluster.

Usage: python benchmarks/workers.py [--tasks N] [--workers N]

Tasks on Ray travel in batches. A batch is as long as hides what is measured here (`agents/ray_cluster.py`).
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


@dataclass
class Args:
    tasks: int = 5_000
    """tasks of each measurement"""
    workers: int = 2
    """processes that run them"""


def measure(workers: Workers, tasks: int, title: str) -> float:
    """Return the milliseconds that a task takes, all workers together."""
    for _ in run_in_order(workers, abs, [(number,) for number in range(200)]):
        pass  # until all processes have begun
    started = time.perf_counter()
    for _ in tqdm(run_in_order(workers, abs, ((number,) for number in range(tasks))), title, tasks, leave=False):
        pass
    return 1e3 * (time.perf_counter() - started) / tasks


def main(args: Args) -> None:
    """Measure, and print a table in Markdown."""
    rows = []
    with start_processes(args.workers) as workers:
        rows.append(("processes", "", measure(workers, args.tasks, "processes")))
    import ray

    started = time.perf_counter()
    quiet: dict[str, Any] = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}
    ray.init(address="local", num_cpus=args.workers, **quiet)
    with join_cluster(ray_cluster.LOCAL):
        began = time.perf_counter() - started
    for size in BATCHES:
        ray_cluster.MOST_IN_BATCH = size
        with join_cluster(ray_cluster.LOCAL) as workers:
            rows.append(("Ray", str(size), measure(workers, args.tasks, f"Ray, batches of {size}")))
    ray.shutdown()
    print(f"{shlex.join(sys.argv)}\n\n| workers | tasks a batch | ms a task |\n| --- | --- | --- |")
    for name, size, milliseconds in rows:
        print(f"| {name} | {size} | {milliseconds:.3f} |")
    print(f"\nA local cluster is ready after {began:.1f} s.")


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
