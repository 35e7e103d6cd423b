"""Which files `zamek evaluate` writes, and what is left to be done where it has ended before it wrote them all."""

from itertools import combinations, product
from typing import Any

from zamek_agents.atomic_dir import resolve_links
from zamek_scripts.atomic_file import check_new_file, check_place
from zamek_scripts.replaying.replay_folder import check_replay_folder, is_page, list_written
from zamek_scripts.terminal import naming

PAIRS_FILE, OUT_FILES = "pairs.jsonl", ("results.json", "pairings.csv", "agents.csv")  # in --out
PLOT_FILES = ("ratings.svg", "wins.svg", "points.svg")  # there too, with --plots


def check_outputs(args: Any) -> None:
    """Raise `ValueError` where two outputs would be in each other's way, or one would replace what is to stay."""
    for name, path in (("--records", args.records), ("--json", args.json)):
        if path:
            check_new_file(name, path, args.overwrite)
    check_apart(args)
    if args.out:
        if args.out.exists() and not args.out.is_dir():
            raise ValueError(f"--out: {args.out} is not a folder")
        check_place("--out", args.out)
    if args.out and not (args.out / PAIRS_FILE).exists():  # by which the folder is known as one of results
        for name in (*OUT_FILES, *PLOT_FILES):
            check_new_file("--out", args.out / name, args.overwrite)
    if args.html:
        check_replay_folder(args.html, args.overwrite)


def check_apart(args: Any) -> None:
    """Raise `ValueError` where an output would be another one, or lie below a file, or be replaced by a page."""
    given = {"--records": args.records, "--json": args.json}
    if args.out:
        names = (PAIRS_FILE, *OUT_FILES, *(PLOT_FILES if args.plots else ()))
        given |= {f"{name} of --out": args.out / name for name in names}
    files = {name: _resolve(name, path) for name, path in given.items() if path}
    folders = {name: _resolve(name, path) for name, path in (("--out", args.out), ("--html", args.html)) if path}
    for (first, first_path), (second, second_path) in combinations(files.items(), 2):
        if first_path == second_path:
            raise ValueError(f"{first} and {second} must be two files")
    for (file, path), (folder, place) in product(files.items(), folders.items()):
        if path == place:
            raise ValueError(f"{file} and {folder} must be two places, a file and a folder, not both {path}")
    for (file, path), (other, place) in product(files.items(), (files | folders).items()):
        if path in place.parents:
            raise ValueError(f"{other} must lie elsewhere than below {file}, which is a file: {path}")
    for name, path in (files | folders).items():
        if args.html and path.parent == folders["--html"] and is_page(path.name):
            raise ValueError(f"{name} must not be {path.name} in the folder of --html, where a page is called so")


def _resolve(name, path):
    with naming(name):
        return resolve_links(path)


def describe_left(args: Any) -> str:
    """Return how to go on with a run that has ended early, as the end of a line; "" where nothing was kept.

    What it has written by then the same command would have to replace.
    """
    if not args.out:
        return ""
    written = [name for name, path in (("--records", args.records), ("--json", args.json)) if path and path.exists()]
    written += ["--html"] if args.html and list_written(args.html) else []
    if args.overwrite or not written:
        return "; the same command goes on from here"
    return f"; the same command with --overwrite goes on from here, and replaces {' and '.join(written)}"
