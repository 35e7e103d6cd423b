"""Compares the speed of these sources with that of the last release, and fails where anything is slower.

Usage: python benchmarks/check.py [--base COMMIT] [--rounds N] [--tolerance SHARE]

Both versions are measured in turns, each by a process of its own, in CPU time. The ratio of a measurement is the median
of its rounds. What looks slower is measured again, twice as often, up to `--repeats` times, and all its rounds count.

Exits with code 1 where a measurement is slower by more than `--tolerance`, or where these sources fail at it, and 2
where nothing can be compared.
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import tyro
from check_worker import MEASUREMENTS
from rich.table import Table
from tqdm import tqdm
from verdict import Pair, find_slower, order_of
from versions import ROOT, LostError, Measuring, NoSuchVersionError, find_commit, find_last_release, unpack

from zamek_scripts.terminal import make_console

WORSE, CANNOT = 1, 2  # exit codes


@dataclass
class Args:
    base: str | None = None
    """the commit or tag to compare with, by default the last release, or the last commit while no release has a tag"""
    rounds: int = 9
    """of every measurement"""
    repeats: int = 2
    """how often what looks slower is measured again, each time in twice as many rounds"""
    tolerance: float = 0.1
    """by which share a measurement may be slower"""


def compare(
    versions: dict[str, Measuring], names: list[str], rounds: int, pairs: dict[str, Pair], failed: set[str]
) -> None:
    """Measure in so many `rounds`, and add them to `pairs`; what one version cannot do is left out.

    What these sources cannot do is added to `failed`.
    """
    with tqdm(total=rounds * len(names), unit="measurement") as progress:
        for number in range(rounds):
            for name in names:
                progress.set_description(name)
                rates = {version: versions[version].measure(name) for version in order_of(number)}
                if rates["now"] is None:
                    failed.add(name)
                elif rates["before"] is not None:
                    pairs.setdefault(name, Pair()).add(**rates)
                progress.update()


def measure(base: Path, args: Args) -> tuple[dict[str, Pair], set[str]]:
    """Return what both versions bring, by measurement, and at which measurements these sources fail."""
    pairs: dict[str, Pair] = {}
    failed: set[str] = set()
    versions = {"before": Measuring(base, base / "compiled"), "now": Measuring(ROOT)}
    try:
        compare(versions, list(MEASUREMENTS), args.rounds, pairs, failed)
        for repeat in range(1, args.repeats + 1):
            if slower := find_slower(pairs, args.tolerance):
                compare(versions, slower, args.rounds * 2**repeat, pairs, failed)
    except LostError as error:
        if error.args[0] is versions["before"]:
            cannot(f"the version before: {error}")
        print(f"check: these sources: {error}", file=sys.stderr)
        sys.exit(WORSE)
    finally:
        for version in versions.values():
            version.close()
    return pairs, failed


def print_pairs(pairs: dict[str, Pair], tolerance: float) -> None:
    """Print a row a measurement."""
    table = Table("a second of CPU time", "before", "now", "now ÷ before", "middle half", "rounds", "")
    for name, pair in pairs.items():
        low, high = pair.spread
        rates = (f"{median(rates):,.0f}" for rates in (pair.before, pair.now))
        verdict = "slower" if pair.is_slower(tolerance) else ""
        table.add_row(name, *rates, f"{pair.ratio:.2f}", f"{low:.2f} … {high:.2f}", str(len(pair.now)), verdict)
    make_console().print(table)


def main(args: Args) -> None:
    """Compare, print and judge."""
    if args.rounds < 1 or args.repeats < 0 or not 0 < args.tolerance < 1:
        cannot("--rounds must be 1 or more, --repeats 0 or more, --tolerance between 0 and 1")
    try:
        name = args.base or find_last_release()
        commit = find_commit(name)
        base = unpack(commit)
    except NoSuchVersionError as error:
        cannot(error)
    print(f"compared with {name}, {commit}")
    pairs, failed = measure(base, args)
    print_pairs(pairs, args.tolerance)
    for name in MEASUREMENTS:
        if name not in pairs and name not in failed:
            print(f"not compared, as the version before cannot do it: {name}")
    slower = find_slower(pairs, args.tolerance)
    for problem, names in (
        (f"slower by more than {args.tolerance:.0%}", slower),
        ("these sources fail at", sorted(failed)),
    ):
        if names:
            print(f"{problem}: {'; '.join(names)}", file=sys.stderr)
    if slower or failed:
        sys.exit(WORSE)
    if not pairs:
        cannot("nothing could be compared")


def cannot(message: object) -> None:
    """Say why nothing was compared, and exit."""
    print(f"check: {message}", file=sys.stderr)
    sys.exit(CANNOT)


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
