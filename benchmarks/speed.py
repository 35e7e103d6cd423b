"""Measures how fast the engine and the environments are, and prints a table.

Usage: python benchmarks/speed.py [--json NEW.json] [--before OLD.json] [--repeats N] [--no-starts]

All measurements take turns, so that a change of the machine's speed meets all of them alike; the median of the repeats
is printed, beside it the share of what the unavoidable work alone allows (`ceilings.py`) and, where other libraries are
installed, how they do at the same time (`peers.py`). Actions are drawn outside the time that is measured, except in
bare playouts, which draw their own.
"""

import json
import platform
import shlex
import sys
from collections import defaultdict
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median

import tyro
from measurements import make_measurements, measure_starts
from memory import measure_memory
from peers import find_peers
from rich.table import Table
from tqdm import tqdm

from zamek_scripts.terminal import make_console

PACKAGES = ("zamek-env", "numpy", "numba", "gymnasium", "pettingzoo", "open_spiel", "pgx", "jax")


@dataclass
class Args:
    json: Path | None = None
    """write the figures to this file"""
    before: Path | None = None
    """compare with the figures of this file"""
    repeats: int = 7
    """rounds of all measurements"""
    starts: bool = True
    """measure how long new processes take to their first step"""


def measure(runs, repeats):
    """Return {name: how many a second}, each the median of `repeats` interleaved measurements after one to warm up."""
    rates = defaultdict(list)
    with tqdm(total=(repeats + 1) * len(runs), unit="measurement") as progress:
        for repeat in range(repeats + 1):
            for name, run in runs.items():
                count, seconds = run()
                if repeat > 0:
                    rates[name].append(count / seconds)
                progress.update()
    return {name: median(values) for name, values in rates.items()}


def describe_machine():
    """Return what the figures depend on."""
    machine = {"command": shlex.join(sys.argv), "processor": find_processor(), "python": platform.python_version()}
    return machine | {name: found for name in PACKAGES if (found := find_version(name))}


def find_version(package):
    """Return the version of an installed package, or None."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def find_processor():
    """Return the processor's name, as far as the system says."""
    known = Path("/proc/cpuinfo")
    lines = known.read_text().splitlines() if known.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def print_rates(rates, ceilings, peers, before):
    """Print a row a measurement: its share of the ceiling, ours ÷ a peer's, how it compares with before."""
    table = Table("", "a second", "each", "of the ceiling", "ours ÷ it", *(["÷ before"] if before else []))
    for name, rate in rates.items():
        share = f"{rate / rates[ceilings[name]]:.0%}" if ceilings.get(name) else ""
        ratio = f"{rates[peers[name]] / rate:.2f}" if name in peers else ""
        change = [f"{rate / before[name]:.2f}" if name in before else ""] if before else []
        table.add_row(name, f"{rate:,.0f}", f"{1e9 / rate:,.0f} ns", share, ratio, *change)
    make_console().print(table)


def main(args):
    """Measure, print, and write what is asked for."""
    before = json.loads(args.before.read_text())["rates"] if args.before else {}
    measurements, peers = make_measurements(), find_peers()
    runs = {name: measurement.run for name, measurement in measurements.items()}
    rates = measure(runs | {name: run for name, (run, _) in peers.items()}, args.repeats)
    found = {
        "machine": describe_machine(),
        "rates": rates,
        "seconds": measure_starts(3) if args.starts else {},
        "bytes": measure_memory(),
    }
    for name, value in found["machine"].items():
        print(f"{name}: {value}")
    for name, value in found["bytes"].items():
        print(f"{name}: {value:,} bytes")
    for name, value in found["seconds"].items():
        print(f"{name}: {value:.1f} s")
    ceilings = {name: measurement.ceiling for name, measurement in measurements.items()}
    print_rates(rates, ceilings, {name: ours for name, (_, ours) in peers.items()}, before)
    if args.json:
        args.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
