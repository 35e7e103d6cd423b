"""Tasks on a Ray cluster of any number of machines, with the same results as on one.

A task depends on its arguments alone, so it comes out the same on any node. Ray runs it again where its worker or node
has died, and its result is taken once. Short tasks are sent together: a batch is long enough to hide Ray's overhead.
"""

import hashlib
import os
import platform
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.metadata import version
from math import ceil
from pathlib import Path
from typing import Any

import zamek_env
from zamek_agents.workers import AHEAD, WorkerLostError, Workers
from zamek_env.common.extras import needs_extra
from zamek_env.common.messages import show

with needs_extra("cli", "a Ray cluster"):
    from tqdm import tqdm

LOCAL, AUTO = "local", "auto"
ANSWER_SECONDS = 5.0  # within which an address has to answer
BATCH_SECONDS = 0.1  # that a batch should take: a hundred times what Ray takes to send it there and back …
SECONDS_A_CORE = 0.002  # … and this for each core of the cluster, as one process hands over to all of them
MOST_IN_BATCH = 1000
RETRIES = 5  # of a batch whose worker died
_LOOK_SECONDS = 5.0  # between two looks at how large the cluster is
_SOURCES = ("*.py", "*.json", "*.npz")  # code, components, weights
_NEEDED = ("numpy", "numba", "scipy")

Call = tuple[Callable[..., Any], tuple[Any, ...]]
Installation = dict[str, str]


@contextmanager
def join_cluster(address: str, make_ready: Callable[[], object] | None = None) -> Iterator[Workers]:
    """Yield `Workers` of the Ray cluster at `address`; tasks that are left at the end of the block are dropped.

    `address` is `HOST:PORT` of a running cluster, `auto` for the one that this machine belongs to, or `local` for a
    new one of this machine alone. `make_ready`, a function that can be pickled, is called once on each node first: it
    compiles, so that the workers of the node do not all compile at once.

    Raises `ValueError` where no cluster answers, or a node has other versions; `MissingExtraError` without Ray.
    """
    with needs_extra("ray", "a Ray cluster"):
        import ray
    started = not ray.is_initialized()
    if started:
        _connect(address)
    try:
        nodes = [node["NodeID"] for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]
        _check_nodes(nodes)
        if make_ready is not None:
            _make_nodes_ready(nodes, make_ready)
        workers = RayWorkers()
        try:
            yield workers
        finally:
            workers.cancel()
    finally:
        if started:
            ray.shutdown()


@dataclass(eq=False)
class _Batch:
    """Calls that are sent together."""

    calls: list[Call] = field(default_factory=list)
    reference: Any = None  # once it was sent
    results: list[tuple[Any, Exception | None]] | None = None  # once they are here


class RayWorkers:
    """Runs tasks on the cluster that this process is connected to."""

    def __init__(self) -> None:
        import ray

        self._ray: Any = ray
        self._run: Any = ray.remote(max_retries=RETRIES)(_run_batch)
        self._batch, self._size = _Batch(), 1
        self._open: dict[Any, None] = {}  # references of batches whose results are not here
        self._cores, self._looked = 0, -_LOOK_SECONDS

    @property
    def ahead(self) -> int:
        """Number of tasks to submit first: more, as the cluster grows."""
        now = time.monotonic()
        if now - self._looked >= _LOOK_SECONDS:
            self._cores, self._looked = max(1, int(self._ray.cluster_resources().get("CPU", 1))), now
        return AHEAD * self._cores * self._size

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
        """Add a task to the batch that is sent next; return a function that waits for its result and returns it."""
        batch, place = self._batch, len(self._batch.calls)
        batch.calls.append((function, arguments))
        if len(batch.calls) >= self._size:
            self._send()
        return partial(self._take, batch, place)

    def cancel(self) -> None:
        """Drop all tasks whose results nobody took."""
        for reference in self._open:
            with suppress(Exception):  # such as of a cluster that is gone
                self._ray.cancel(reference, force=True)
        self._open.clear()

    def _send(self):
        batch, self._batch = self._batch, _Batch()
        batch.reference = self._run.remote(describe_installation(), os.getcwd(), batch.calls)
        self._open[batch.reference] = None

    def _take(self, batch, place):
        if batch.results is None:
            if batch.reference is None:
                self._send()
            batch.results = self._receive(batch.reference, len(batch.calls))
            batch.calls, batch.reference = [], None
        result, error = batch.results[place]
        if error is not None:
            raise error
        return result

    def _receive(self, reference, count):
        """Return the results of a batch, and choose how large the next is by how long this one took."""
        try:
            results, seconds = self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:  # a task's own errors come as results
            reason = str(error).strip().rpartition("\n")[2]
            raise WorkerLostError(f"a node of the cluster cannot run tasks: {reason}") from error
        except self._ray.exceptions.RayError as error:
            reason = str(error).strip().partition("\n")[0]
            raise WorkerLostError(f"a task was lost on the cluster, {1 + RETRIES} times in a row: {reason}") from error
        finally:
            self._open.pop(reference, None)
        wanted = max(BATCH_SECONDS, SECONDS_A_CORE * self._cores)
        self._size = min(MOST_IN_BATCH, max(1, ceil(wanted * count / max(seconds, 1e-9))))
        return results


@cache
def describe_installation() -> Installation:
    """Return all that results depend on: versions, and a digest of our sources, components and weights."""
    import zamek_agents

    digest = hashlib.sha256()
    for package in (zamek_env, zamek_agents):
        folder = Path(package.__path__[0])
        for path in sorted(path for pattern in _SOURCES for path in folder.rglob(pattern)):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return {
        "zamek_env": f"{zamek_env.__version__}, sources {digest.hexdigest()[:12]}",
        "Python": platform.python_version(),
        **{name: version(name) for name in _NEEDED},
    }


def check_same(found: Installation, expected: Installation, node: str) -> None:
    """Raise `ValueError` where what was `found` on a node is not what is `expected`."""
    for name, here in found.items():
        if here != expected.get(name):
            raise ValueError(
                f"node {node} of the Ray cluster has {name} {here}, and the machine that asks has "
                f"{expected.get(name)}; install the same on all"
            )


# --- what happens on the nodes ---


def _run_batch(expected: Installation, folder: str, calls: list[Call]) -> tuple[list[Any], float]:
    """Return (result, error) of each call, one of them None, and the seconds that all took.

    Relative paths mean the same as at the caller, if `folder` exists here too.
    """
    check_same(describe_installation(), expected, platform.node())
    with suppress(OSError):
        os.chdir(folder)
    started = time.perf_counter()
    results = [_call(function, arguments) for function, arguments in calls]
    return results, time.perf_counter() - started


def _call(function, arguments):
    try:
        return function(*arguments), None
    except Exception as error:
        return None, error


def _describe_node():
    return platform.node(), describe_installation()


# --- before anything is run ---


def _connect(address):
    """Connect to a cluster, or start one. Raises `ValueError` where there is none."""
    import ray

    if address not in (LOCAL, AUTO):
        _check_answers(address)
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address == LOCAL:
        options["include_dashboard"] = False
    try:
        ray.init(address=address, **options)
    except (ConnectionError, RuntimeError, ValueError, SystemExit) as error:
        reason = str(error).strip().partition("\n")[0]
        hint = f"start one by `ray start --head`, or name {LOCAL!r}" if address == AUTO else "is it still running?"
        raise ValueError(f"no Ray cluster answers at {address!r}: {reason}; {hint}") from error


def _check_answers(address):
    """Raise `ValueError` where nothing listens at `address`: Ray itself would try for minutes, and exit."""
    host, colon, port = str(address).rpartition(":")
    if not (host and colon and port.isdecimal() and int(port) < 2**16 and "/" not in host):
        raise ValueError(f"the address of a Ray cluster must be HOST:PORT, {AUTO} or {LOCAL}, not {show(address)}")
    try:
        socket.create_connection((host.strip("[]"), int(port)), ANSWER_SECONDS).close()
    except OSError as error:
        reason = error.strerror or str(error)
        raise ValueError(f"no Ray cluster answers at {address!r}: {reason}; start one by `ray start`") from error


def _check_nodes(nodes):
    """Raise `ValueError` where a node has another installation than this machine."""
    import ray

    expected = describe_installation()
    describe = ray.remote(num_cpus=0)(_describe_node)
    for node, reference in [(node, _start_on(node, describe)) for node in nodes]:
        try:
            name, found = ray.get(reference)
        except ray.exceptions.RayError as error:
            reason = str(error).strip().rpartition("\n")[2]
            raise ValueError(
                f"node {node[:8]} of the Ray cluster cannot run zamek_env: {reason}; install it there"
            ) from error
        check_same(found, expected, name)


def _make_nodes_ready(nodes, make_ready):
    """Call `make_ready` on each node, with a bar that counts nodes."""
    import ray

    run = ray.remote(_run_batch)
    arguments = describe_installation(), os.getcwd(), [(make_ready, ())]
    left = [_start_on(node, run, *arguments) for node in nodes]
    with tqdm(total=len(left), unit="node", desc="getting nodes ready", leave=False) as progress:
        while left:
            (done,), left = ray.wait(left)
            (((_, error),), _) = ray.get(done)
            if error is not None:
                raise error
            progress.update()


def _start_on(node, remote, *arguments):
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    return remote.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False)).remote(*arguments)
