"""Plays every two agents against each other, over several processes.

A pair depends on its number and on nothing played before it, and results are handed on in order, whichever process
is done first. So the number of processes changes how long it takes and nothing else, not even where a sequential
test stops: what was played ahead of its decision is dropped.
"""

import multiprocessing
import os
import signal
import threading
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from zamek_agents.arena.comparison import PAIR_OUTCOMES, outcome
from zamek_agents.arena.pairs import pair_up
from zamek_agents.heuristic import RandomAgent
from zamek_agents.registry import make_agent
from zamek_env import Game
from zamek_env.ruleset import get_ruleset

_AHEAD = 4  # pairs a process that are given out before they are asked for


@dataclass(frozen=True)
class RoundRobin:
    """Who plays what. `specs` are agents as `make_agent` takes them.

    `components` is the path of a folder, which every process reads, or None for the packaged components.
    """

    specs: tuple[str, ...]
    ruleset: str = "zamek"
    seed: int = 0
    with_records: bool = False
    components: str | None = None


@lru_cache(maxsize=1)
def prepare(round_robin):
    """Return the `Pairing`s, made once a process; all agents have decided once, so that their code is compiled.

    Raises as `make_agent` and `get_ruleset` do, and `ValueError` where an agent does not play the ruleset.
    """
    rules = get_ruleset(round_robin.ruleset, round_robin.components)
    agents = [make_agent(spec) for spec in round_robin.specs]
    for agent in agents:
        agent.act(Game(rules.name, 0, rules.components), np.random.default_rng(0))
    return pair_up(agents, round_robin.seed, rules.name, round_robin.with_records, rules.components)


def play(round_robin, pairs, workers=1, kept=None, sprt=None):
    """Yield the `PairResult`s of so many `pairs` of every pairing, one pairing after the other.

    `kept` are results from before, {(names, number): result}, that are not played again. A pairing that is settled
    by `sprt`, an `Sprt`, goes on no longer. With one of the `workers`, or one pair, no further process is started.
    """
    kept, pairings = kept or {}, prepare(round_robin)
    counts, settled = [[0] * PAIR_OUTCOMES for _ in pairings], set()
    tasks = ((index, number) for index in range(len(pairings)) for number in range(pairs))
    names = {pairing.names for pairing in pairings}
    lacking = pairs * len(pairings) - sum(pairing in names and number < pairs for pairing, number in kept)
    with _start(min(workers, lacking), round_robin) as (submit, ahead):

        def begin(task):
            index, number = task
            result = kept.get((pairings[index].names, number))
            return task, submit(index, number) if result is None else lambda: result

        open_tasks = (begin(task) for task in tasks if task[0] not in settled)
        for (index, _), get_result in _look_ahead(open_tasks, ahead):
            if index in settled:
                continue
            result = get_result()
            counts[index][outcome(result)] += 1
            if sprt and sprt.judge(counts[index]).accepted is not None:
                settled.add(index)
            yield result


def _look_ahead(iterator, ahead):
    """Yield what `iterator` yields, asking it for so many more before they are needed."""
    waiting = deque()
    for item in iterator:
        waiting.append(item)
        if len(waiting) > ahead:
            yield waiting.popleft()
    yield from waiting


@contextmanager
def _start(workers, round_robin):
    """Give `submit(index, number)`, which returns a callable that gives the result, and how many to submit ahead."""
    if workers <= 1:
        yield partial(partial, _play_pair, round_robin), 0
        return
    _compile(round_robin)
    context = multiprocessing.get_context("spawn")  # a fork would copy locks of threads that are not there
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, context, _leave_the_end_to_the_parent)
    try:
        yield lambda index, number: pool.submit(_play_pair, round_robin, index, number).result, _AHEAD * workers
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()  # what it still plays was interrupted, or ahead of a decision to stop


def _leave_the_end_to_the_parent():
    """Let this process ignore an interruption, of which the parent takes care, but end where the parent was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def end_with_parent():
        multiprocessing.parent_process().join()
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()


def _compile(round_robin):
    """Play a game with its record, so that the processes find all compiled code on disk."""
    game = Game(round_robin.ruleset, 0, round_robin.components)
    agent, rng = RandomAgent(), np.random.default_rng(0)
    while not game.is_terminal:
        game.step(agent.act(game, rng))
    game.record()


def _play_pair(round_robin, index, number):
    pairing = prepare(round_robin)[index]
    try:
        return pairing.play_pair(number)
    except Exception as error:
        error.add_note(f"in pair {number} of {' and '.join(pairing.names)}, seed {round_robin.seed}")
        raise
