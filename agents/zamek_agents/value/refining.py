"""Refines weights in rounds: collects games and choices with the present weights, and fits new ones to them.

All that is collected in a round follows from its seed and its number, and is cut into tasks for workers.
"""

import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.base import DivergedError
from zamek_agents.named_ruleset import NamedRuleset, get_named
from zamek_agents.value.choice import choose_by_value, count_trials
from zamek_agents.value.collect import MOST_IDLE, Choices, Games, Recipe, collect_choices, collect_games
from zamek_agents.value.evaluator import new_evaluators
from zamek_agents.value.fitting import Differences, Evidence, Returns, fit
from zamek_agents.value.weights import MAX_WEIGHT
from zamek_agents.workers import Workers, run_in_order
from zamek_env.base.chance import seed_generator
from zamek_env.base.rewards import find_lead_in_kernel, find_result_in_kernel
from zamek_env.compiler.jit import kernel
from zamek_env.core.rules import reset, step
from zamek_env.layout.actions import OVER
from zamek_env.ruleset import Ruleset

GAMES, CHOICES = range(2)  # what is collected: the streams of chance of each
PORTION = 100  # games or decisions of a task
MATCH_CHUNK = 25  # deals of a task
FIRST_MATCH_DEAL = 2_000_000  # the deals of matches, the same every time

Weights = npt.NDArray[np.float32]


class Settings(NamedTuple):
    """The settings of a round: what is collected, and how weights are fitted to it."""

    games: int  # to play
    exploration: int  # random moves in them, in a thousand
    decisions: int  # whose choices are valued
    recipe: Recipe  # how
    trace: float  # λ of the returns
    share: float  # weight of the returns, relative to the differences between choices
    spread: float  # points by which what a feature adds may be off
    passes: int  # of the fit


class Task(NamedTuple):
    """A task of one worker: the arguments of `collect_portion`."""

    named: NamedRuleset
    weights: Weights
    amount: int  # of games or decisions
    seed: int
    how: int | Recipe  # random moves of games, in a thousand, or how choices are collected


class Collected(NamedTuple):
    """All that is collected in a round."""

    games: list[Games]
    choices: list[Choices]


def collect(workers: Workers, tasks: Iterable[Task], collected: Collected) -> Iterator[int]:
    """Add the results of each of the `tasks` of a round to `collected`; yield their number of games or decisions."""
    for task, result in run_in_order(workers, collect_portion, tasks):
        (collected.choices if isinstance(result, Choices) else collected.games).append(result)
        yield task.amount


def collect_portion(named: NamedRuleset, weights: Weights, count: int, seed: int, how: int | Recipe) -> Games | Choices:
    """Return the games or decisions of a `Task`. Raises `DivergedError` where `count` decisions are not found."""
    ruleset = get_named(*named)
    if isinstance(how, Recipe):
        choices = collect_choices(ruleset, weights, count, seed, how)
        if choices.first.size <= count:
            raise DivergedError(
                f"--decisions must be 0 with {ruleset.name!r}: {MOST_IDLE:,} games in a row had no decision with two "
                "choices before the last turn"
            )
        return choices
    return collect_games(ruleset, weights, count, seed, how)


def list_tasks(named: NamedRuleset, weights: Weights, settings: Settings, seed: tuple[int, int]) -> Iterator[Task]:
    """Yield the tasks of a round, whose number is the second of `seed`."""
    for kind, total, how in (
        (GAMES, settings.games, settings.exploration), (CHOICES, settings.decisions, settings.recipe),
    ):  # fmt: skip
        for number, first in enumerate(range(0, total, PORTION)):
            [drawn] = np.random.SeedSequence(seed[0], spawn_key=(seed[1], kind, number)).generate_state(1, np.uint64)
            yield Task(named, weights, min(PORTION, total - first), int(drawn) >> 1, how)


def fit_collected(
    collected: Collected, weights: Weights, settings: Settings
) -> Iterator[tuple[Weights, dict[str, float]]]:
    """Yield (weights, errors before it by name) after each pass of the fit to what was collected by `weights`.

    Raises `DivergedError` where a weight is not finite, or too large for a file.
    """
    evidence: dict[str, Evidence] = {}
    if collected.games:
        evidence["returns_error"] = Returns(collected.games, settings.trace, settings.share)
    if collected.choices:
        evidence["choices_error"] = Differences(collected.choices)
    for fitted in fit(list(evidence.values()), weights, settings.spread, settings.passes):
        if not np.abs(fitted).max() <= MAX_WEIGHT:  # NaN is not
            raise DivergedError(f"the fit diverged: weights reach {np.abs(fitted).max():g} points")
        yield fitted, {name: round(each.error, 3) for name, each in evidence.items()}


def play_match(
    workers: Workers, named: NamedRuleset, weights: Weights, others: Weights, deals: int
) -> Iterator[tuple[int, Any]]:
    """Yield (deals played since the last time, results of `weights` against `others` so far), once for each task."""
    tasks = [
        (named, weights, others, FIRST_MATCH_DEAL + first, min(MATCH_CHUNK, deals - first))
        for first in range(0, deals, MATCH_CHUNK)
    ]
    outcomes: list[npt.NDArray[np.float64]] = []
    for (*_, count), result in run_in_order(workers, play_match_chunk, tasks):
        outcomes.append(result)
        yield count, summarise_match(np.concatenate(outcomes, 1))


def play_match_chunk(
    named: NamedRuleset, weights: Weights, others: Weights, first: int, count: int
) -> npt.NDArray[np.float64]:
    """Return what `play_evaluators` does for `count` deals."""
    return play_evaluators(get_named(*named), weights, others, range(first, first + count))


def summarise_match(outcomes: npt.NDArray[np.float64]) -> dict[str, float]:
    """Return win rate and margin of a match, each with its standard error; a deal from all seats is one observation."""
    wins, means = outcomes.mean(-1)
    return {
        "win_rate": round(float(wins.mean()), 4),
        "win_rate_error": _find_standard_error(wins),
        "margin": round(float(means.mean()), 2),
        "margin_error": _find_standard_error(means),
    }


def _find_standard_error(values):
    return round(float(values.std(ddof=1)) / math.sqrt(values.size), 4) if values.size > 1 else 0.0


def compile_named(named: NamedRuleset, weights: Weights) -> None:
    """Compile all that refining needs."""
    compile_all(get_named(*named), weights)


def compile_all(ruleset: Ruleset, weights: Weights) -> None:
    """Compile all that refining needs, by a minimal collection and fit."""
    games = collect_games(ruleset, weights, 1, 1, 0)
    choices = collect_choices(ruleset, weights, 1, 1, Recipe(top=2, other=0, deals=1, turns=1))
    for _ in fit([Returns([games], 0.5, 1.0), Differences([choices])], weights, 1.0, 1):
        pass
    play_evaluators(ruleset, weights, weights, range(1))


def play_evaluators(
    ruleset: Ruleset, weights: npt.NDArray[np.float32], others: npt.NDArray[np.float32], deals: range
) -> npt.NDArray[np.float64]:
    """Return the results of `weights` against `others`, who have all seats but one.

    They are float64 `(2, deals, players)`, from the first seat, the second …: the share of the victory, and the points
    ahead of the best other.
    """
    evaluators = np.concatenate([new_evaluators(ruleset, each) for each in (weights, others)])
    outcomes = np.zeros((2, len(deals), ruleset.players))
    states = ruleset.new_states(1 + count_trials(ruleset.sizes))
    _play_evaluators(ruleset.tables, states, ruleset.new_log(), evaluators, deals.start, *outcomes)
    return outcomes


@kernel
def _play_evaluators(tables, states, logs, evaluators, first_deal, wins, margins):
    """Play each deal from all seats, and write the results of the first of two evaluators for `play_evaluators`."""
    t, s, log, trials = tables[0], states[0], logs[0], states[1:]
    generator = np.zeros(1, np.uint64)
    players = wins.shape[1]
    for number in range(wins.shape[0]):
        for seat in range(players):
            seed_generator(generator, first_deal + number)
            reset(t, s, log, generator)
            while s.phase != OVER:
                player = 0 if s.player == seat else 1
                action, _ = choose_by_value(t, states, 0, trials, log, generator, evaluators[player])
                step(t, s, log, action)
            wins[number, seat] = (1.0 + (players - 1) * find_result_in_kernel(s.score, seat)) / players
            margins[number, seat] = find_lead_in_kernel(s.score, seat)
