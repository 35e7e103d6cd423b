"""Run the benchmark: learners on fixed tasks, with counted budgets, against opponents that never change.

Without arguments all tasks and learners are listed. Each task is learned from several seeds, and what was learned is
measured. Everything is written below --out; the same command goes on where it stopped. docs/benchmark.md says
what all numbers mean.
"""

import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import tyro
from tqdm import tqdm

from zamek_agents.atomic_dir import resolve_links, sweep_parts
from zamek_agents.benchmark import results
from zamek_agents.benchmark.run import LearnerError, digest_learner, find_learner, run_learner, warm_up
from zamek_agents.benchmark.tasks import LEAST_SEEDS, find_task
from zamek_agents.workers import Workers, run_in_order
from zamek_scripts.atomic_file import check_folder_place, write_atomic, write_figure, write_json
from zamek_scripts.provenance import format_command, list_versions
from zamek_scripts.shared_args import RayAddress, check_workers, count_cores, open_workers, refuse_given
from zamek_scripts.terminal import BAD_INPUT, FAILED, check_printable, fail, make_console, naming, reporting_errors

LEFT = "; the same command goes on with the seeds that are missing"
LEFT_OVERWRITING = "; seeds that were not made again are as they were before"
PACKAGES = ("numpy", "numba", "scipy", "torch", "stable-baselines3", "sb3-contrib")  # that learners use
TABLE, REPORT = "results.csv", "results.json"
MAX_SEEDS = 10_000
OF_RUNS = ("learners", "seeds", "out", "decisions", "games", "workers", "ray", "overwrite")  # options for nothing else


@dataclass
class Args:
    tasks: tyro.conf.Positional[tuple[str, ...]] = ()
    """tasks by name, such as zamek-1M-observation-v2; none: all tasks and learners are listed"""
    learners: tuple[str, ...] = ("sb3-maskable-ppo",)
    """of ppo, sb3-maskable-ppo, masked-dqn, td, gumbel, imitation, MODULE:FUNCTION, FILE.py:FUNCTION"""
    seeds: int = LEAST_SEEDS
    """how many seeds each learner learns each task from: 1, 2, 3 and so on"""
    out: Path = Path("runs/benchmark")
    """folder for everything that is written; results that it holds already are kept, and not made again"""
    decisions: int | None = None
    """a smaller budget, to try out; what comes of it is no result of the task"""
    games: int | None = None
    """fewer games against each opponent, to try out; what comes of it is no result of the task"""
    workers: int | None = None
    """processes, each with a seed at a time, by default one a core; the results do not depend on it"""
    ray: RayAddress = None
    overwrite: bool = False
    """make again what --out holds of these tasks, learners and seeds"""
    verify: Path | None = None
    """instead: say of the results in this folder whether they are results of their tasks; exits with 2 if not"""


# --- the work ---


def main(args: Args) -> None:
    """List, verify or run. Exits with code 2, having written nothing, for invalid `args`."""
    is_run = args.verify is None and bool(args.tasks)
    left = (LEFT_OVERWRITING if args.overwrite else LEFT) if is_run else ""  # of a run; nothing else can go on
    with reporting_errors("benchmark", left=left):
        check_companions(args)
        try:
            if args.verify is not None:
                verify(args.verify)
            elif args.tasks:
                run(args)
            else:
                console = make_console()
                console.print(results.make_tasks_table())
                console.print()
                console.print(results.make_learners_table())
                console.print("\nYour own: MODULE:FUNCTION or FILE.py:FUNCTION (docs/benchmark.md).", highlight=False)
        except LearnerError as error:
            fail("benchmark", f"{error}{left}", FAILED)


def run(args: Args) -> None:
    """Run what is missing, write everything and print it."""
    wanted = list_wanted(args)
    check_folder(args, wanted)
    missing = [each for each in wanted if args.overwrite or results.find_result(args.out, each) is None]
    if missing:
        is_alone = args.ray is None and min(args.workers or count_cores(), len(missing)) == 1
        make_ready = partial(warm_up, tuple(dict.fromkeys((each.task, each.learner) for each in missing)))
        if is_alone:
            make_ready()  # elsewhere it is called by `open_workers`
        with open_workers(args, len(missing), make_ready) as workers:  # refused, if at all, with nothing written
            begin(args.out)
            run_all(args, missing, workers, show_decisions=is_alone)
    made = results.read_all(args.out)
    write_all(args.out, made)
    summaries = results.summarise(made)
    by_rules = [row for row in summaries if row.gap]
    others = [row for row in summaries if not row.gap]
    for rows, make_table in ((others, results.make_summary_table), (by_rules, results.make_rules_table)):
        if rows:
            make_console().print(make_table(rows))
    for row in summaries:
        for fault in row.faults:
            print(f"no result of {row.task}: {row.learner}: {fault}")


def run_all(args: Args, missing: list[results.Identity], workers: Workers, show_decisions: bool) -> None:
    """Run all that is `missing`, and write each result as it comes."""
    with count_progress(missing, show_decisions) as (note, finish):
        shown = (note, True) if note else ()
        tasks = [(each.task, each.learner, each.seed, *shown) for each in missing]
        for identity, (_, outcome) in zip(missing, run_in_order(workers, run_learner, tasks), strict=True):
            with write_atomic(args.out / identity.path) as file:
                results.write_result(file, identity, outcome, describe())
            finish()


@contextmanager
def count_progress(missing: list[results.Identity], show_decisions: bool) -> Iterator[Any]:
    """Yield (a counter of decisions or None, a counter of runs), and show a bar of one of them."""
    if show_decisions:
        total = sum(each.task.decisions for each in missing)
        with tqdm(total=total, unit="decision", unit_scale=True) as bar:
            yield bar.update, lambda: None
        return
    with tqdm(total=len(missing), unit="seed") as bar:
        yield None, bar.update


def verify(folder: Path) -> None:
    """Print whether each result in `folder` is one of its task. Exits with code 2 where one is not."""
    made = results.read_all(folder)
    if not made:
        raise ValueError(f"--verify: {folder} holds no results of the benchmark")
    all_good = True
    for (task, learner), found in results.group(made).items():
        faults = results.find_faults(found)
        all_good &= not faults
        print(f"{task.name}, {learner}: {'; '.join(faults) if faults else f'a result, from {len(found)} seeds'}")
    if not all_good:
        sys.exit(BAD_INPUT)


# --- arguments ---


def check_companions(args: Args) -> None:
    """Raise `ValueError` where an argument without effect is given, other than by default."""
    if args.verify is not None and args.tasks:
        raise ValueError("tasks must be left out with --verify, which looks at all results in its folder")
    if args.verify is not None:
        refuse_given(args, OF_RUNS, "must be left out with --verify, which runs nothing")
    elif not args.tasks:
        refuse_given(args, OF_RUNS, "must come with a task to be learned; without arguments all tasks are listed")


def list_wanted(args: Args) -> list[results.Identity]:
    """Return all runs that are asked for. Raises `ValueError` for invalid `args`."""
    check_workers(args.workers, args.ray)
    if not 1 <= args.seeds <= MAX_SEEDS:
        raise ValueError(f"--seeds must be 1 to {MAX_SEEDS}, not {args.seeds}")
    if not args.learners:
        raise ValueError("--learners must name one learner or more")
    check_printable("--learners", args.learners)
    results.import_figure()  # before hours of learning, if matplotlib is missing
    names = [find_task(name).name for name in dict.fromkeys(args.tasks)]
    with naming():
        tasks = [find_task(name, args.decisions, args.games) for name in names]
    for task in tasks:
        for learner in args.learners:
            find_learner(learner, task)
    digests = {learner: digest_learner(learner) for learner in args.learners}
    runs = product(tasks, digests.items(), range(1, args.seeds + 1))
    return [results.Identity(task, learner, seed, digest) for task, (learner, digest), seed in runs]


def check_folder(args: Args, wanted: list[results.Identity]) -> None:
    """Raise `ValueError` where results cannot be written to `--out`, because of its contents.

    Such are a folder that is no benchmark, files that cannot be results, or results of other runs under these names.
    What --overwrite replaces is not looked at.
    """
    check_folder_place("--out", args.out, results.SEEDS)
    if args.out.is_dir() and any(args.out.iterdir()) and not (args.out / results.SEEDS).is_dir():
        raise ValueError(f"--out: {args.out} holds something else than results of the benchmark; name another folder")
    remade = {args.out / each.path for each in wanted} if args.overwrite else set()
    try:
        for path in results.list_files(args.out):
            if path not in remade:
                results.read_result(path)
    except ValueError as error:
        raise ValueError(f"--out: {error}; name another folder, or remove that file") from error
    if not args.overwrite:
        try:
            for each in wanted:
                results.find_result(args.out, each)
        except ValueError as error:
            raise ValueError(f"--out: {error}; name another folder, or say --overwrite to make it again") from error


# --- output ---


def begin(folder: Path) -> None:
    """Make the folder `--out`, and delete leftovers of killed runs."""
    (resolve_links(folder) / results.SEEDS).mkdir(parents=True, exist_ok=True)
    for each in (folder, folder / results.SEEDS):
        sweep_parts(each)


def write_all(folder: Path, made: list[results.Result]) -> None:
    """Write the table, the report and the curves of all results in `folder`."""
    with write_atomic(folder / TABLE) as file:
        results.write_table(file, made)
    summaries = [each._asdict() | {"results": not each.faults} for each in results.summarise(made)]
    write_json(folder / REPORT, {**describe(), "summaries": summaries})
    for name in dict.fromkeys(each.task.name for each in made):
        figure = results.draw_curves([each for each in made if each.task.name == name])
        write_figure(folder / f"curve-{name}.svg", figure)


def describe() -> dict[str, Any]:
    """Return the command and the versions."""
    return {"command": format_command("benchmark"), "machine": platform.machine(), "versions": list_versions(PACKAGES)}
