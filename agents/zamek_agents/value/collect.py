"""Positions to learn from: games of the learned evaluation against itself, and decisions with several choices valued.

A position is described at the end of a turn, as in `training.py`. A choice is described by the position at the end of
the turn that it leads to, and valued by games played on from it: all choices of a decision meet the same deals.

    states[GAME]            the game played
    states[ROOT]            the decision looked at, with what is hidden redealt
    states[DEALT]           the same, redealt for each comparison
    states[ON]              a choice of it, played on
    states[FIRST_TRIAL:]    where players try actions
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.value.choice import choose_by_value, count_begun, count_trials, goes_on, is_turn_over, try_action
from zamek_agents.value.evaluator import count_room, count_views, evaluator_dtype, new_evaluators
from zamek_agents.value.features import evaluate_learned, evaluate_surveyed, write_features
from zamek_agents.value.incremental import begin_ends
from zamek_agents.value.survey import survey
from zamek_agents.value.training import PERMILLE, compare, episode_dtype, find_final, learner_dtype, play_episode
from zamek_env.base.chance import draw_below, seed_generator
from zamek_env.base.records import record_dtype
from zamek_env.compiler.jit import kernel
from zamek_env.core.dealing import forget_hidden, redeal
from zamek_env.core.legality import list_actions
from zamek_env.core.playout import draw_action
from zamek_env.core.rules import reset, step
from zamek_env.core.state import copy_state
from zamek_env.layout.actions import OVER
from zamek_env.ruleset import Ruleset

GAME, ROOT, DEALT, ON, FIRST_TRIAL = range(5)
MOST_IDLE = 10_000  # games in a row in which no decision is found: there are none in a box of very few tiles


class Rows(NamedTuple):
    """Positions, one row each: row `n` has the features from `ends[n]` to `ends[n + 1]`."""

    numbers: npt.NDArray[np.int32]  # (entries,)
    amounts: npt.NDArray[np.int32]  # (entries,)
    owners: npt.NDArray[np.int8]  # (entries,), or (0,) with one view
    ends: npt.NDArray[np.int64]  # (rows + 1,), from 0 on
    views: int  # numbers that say what a position is worth, as in an evaluator


class Games(NamedTuple):
    """Whole games; the rows are the ends of all turns but the last, in order."""

    rows: Rows
    last: npt.NDArray[np.int64]  # (games,): the row after the last one of each game
    points: npt.NDArray[np.int32]  # (games, views): at the end, of each; of two players by how many player 0 won
    explored: npt.NDArray[np.uint8]  # (rows,): a decision of the turn after it was drawn at random
    foreseen: npt.NDArray[np.float32]  # (rows,): what the best move of that turn would have been worth, of two players


class Choices(NamedTuple):
    """Decisions; the rows are choices of each."""

    rows: Rows
    players: npt.NDArray[np.int8]  # (rows,): who decides
    first: npt.NDArray[np.int64]  # (decisions + 1,): the first row of each, and after the last one
    worths: npt.NDArray[np.float32]  # (rows,): points ahead after playing on, the mean over the deals


class Recipe(NamedTuple):
    """The settings by which choices are collected."""

    top: int = 6  # choices that promise most, of each decision
    other: int = 2  # choices besides these, at random
    deals: int = 2  # that all of them meet
    turns: int = 6  # played on before a position is valued, the one to decide in included
    share: int = 100  # of a thousand decisions, that are looked at
    exploration: int = 50  # random moves in a thousand, between decisions looked at


def collector_dtype(ruleset: Ruleset) -> np.dtype[np.record]:
    """Return the dtype of the memory for collecting choices: the fields of `Recipe`, and scratch space."""
    return record_dtype(
        [
            ("values", np.float64, (ruleset.num_actions,)),  # of `actions`
            ("generator", np.uint64, (1,)),
            ("evaluator", evaluator_dtype(ruleset)),
            ("actions", np.int32, (ruleset.num_actions,)),
            *((name, np.int32) for name in Recipe._fields),
        ]
    )


def collect_games(ruleset: Ruleset, weights: npt.NDArray[np.float32], count: int, seed: int, exploration: int) -> Games:
    """Return `count` games by these `weights`, with `exploration` random moves in a thousand."""
    learners = np.zeros(1, learner_dtype(ruleset))
    learners["evaluator"], learners["exploration"] = new_evaluators(ruleset, weights), exploration
    seed_generator(learners["generator"][0], seed)
    most = count * (ruleset.sizes.tiles + 1)
    room = Games(
        _new_rows(ruleset, most),
        np.zeros(count, np.int64),
        np.zeros((count, count_views(ruleset.players)), np.int32),
        np.zeros(most, np.uint8),
        np.zeros(most, np.float32),
    )
    states, episodes = ruleset.new_states(1 + count_trials(ruleset.sizes)), np.zeros(1, episode_dtype(ruleset.sizes))
    _collect_games(ruleset.tables, states, ruleset.new_log(), learners, episodes, room)
    rows = int(room.last[-1])
    return Games(
        _cut(room.rows, rows), room.last, room.points, room.explored[:rows].copy(), room.foreseen[:rows].copy()
    )


def collect_choices(
    ruleset: Ruleset, weights: npt.NDArray[np.float32], count: int, seed: int, recipe: Recipe
) -> Choices:
    """Return the choices of `count` decisions, out of games by these `weights`.

    They are fewer where `MOST_IDLE` games in a row have none with two choices before the last turn.
    """
    collectors = np.zeros(1, collector_dtype(ruleset))
    collectors["evaluator"] = new_evaluators(ruleset, weights)
    for name, value in recipe._asdict().items():
        collectors[name] = value
    seed_generator(collectors["generator"][0], seed)
    most = count * (recipe.top + recipe.other)
    room = Choices(
        _new_rows(ruleset, most), np.zeros(most, np.int8), np.zeros(count + 1, np.int64), np.zeros(most, np.float32)
    )
    states = ruleset.new_states(FIRST_TRIAL + count_trials(ruleset.sizes))
    found = _collect_choices(ruleset.tables, states, ruleset.new_log(), collectors, room)
    rows = int(room.first[found])
    return Choices(
        _cut(room.rows, rows), room.players[:rows].copy(), room.first[: found + 1].copy(), room.worths[:rows].copy()
    )


def _new_rows(ruleset, most):
    entries = most * count_room(ruleset.sizes)
    views = count_views(ruleset.players)
    numbers, amounts = np.empty(entries, np.int32), np.empty(entries, np.int32)
    owners = np.empty(entries if views > 1 else 0, np.int8)
    return Rows(numbers, amounts, owners, np.zeros(most + 1, np.int64), views)


def _cut(rows, count):
    """Return the first `count` of `rows`, in new arrays."""
    entries = int(rows.ends[count])
    numbers, amounts, owners = (each[:entries].copy() for each in rows[:3])
    return Rows(numbers, amounts, owners, rows.ends[: count + 1].copy(), rows.views)


# --- games ---


@kernel
def _collect_games(tables, states, logs, learners, episodes, out):
    """Play as many games as `out` has room for."""
    episode, row = episodes[0], 0
    for game in range(out.last.size):
        reset(tables[0], states[0], logs[0], learners[0].generator)
        turns = play_episode(tables[0], states, logs[0], learners[0], episode)
        for turn in range(turns):
            noted = (episode.numbers[turn], episode.amounts[turn], episode.owners[turn], episode.counts[turn])
            _note(out.rows, row, *noted)
            out.explored[row] = episode.explored[turn + 1]
            out.foreseen[row] = episode.foreseen[turn + 1]
            row += 1
        out.last[game] = row
        for view in range(out.points.shape[1]):
            out.points[game, view] = find_final(states[0], view)


@kernel
def _note(rows, row, numbers, amounts, owners, count):
    """Write the row of that number, after those before it."""
    entry = rows.ends[row]
    for number in range(count):
        rows.numbers[entry + number] = numbers[number]
        rows.amounts[entry + number] = amounts[number]
        if owners.size > 0:
            rows.owners[entry + number] = owners[number]
    rows.ends[row + 1] = entry + count


# --- choices ---


@kernel
def _collect_choices(tables, states, logs, collectors, out):
    """Play games until `out` holds as many decisions as it has room for; return how many were found."""
    t, log, collector = tables[0], logs[0], collectors[0]
    s, generator, found, idle = states[GAME], collector.generator, 0, 0
    reset(t, s, log, generator)
    while found < out.first.size - 1 and idle < MOST_IDLE:
        if s.phase == OVER:
            reset(t, s, log, generator)
            idle += 1
            continue
        if draw_below(generator, PERMILLE) < collector.share and _look_at(t, states, log, collector, out, found):
            found, idle = found + 1, 0
        if draw_below(generator, PERMILLE) < collector.exploration:
            action = draw_action(t, s, generator)
        else:
            action, _ = choose_by_value(t, states, GAME, states[FIRST_TRIAL:], log, generator, collector.evaluator)
        step(t, s, log, action)
    return found


@kernel
def _look_at(t, states, log, collector, out, found):
    """Note the choices of `states[GAME]`; return whether there are two and the turn is not the last."""
    copy_state(states, GAME, states, ROOT)
    forget_hidden(states[ROOT], states[ROOT].player)
    redeal(states[ROOT], collector.generator, states[ROOT].player)
    count = _list_choices(t, states, log, collector)
    if count < 2:
        return False
    first = out.first[found]
    for number in range(count):
        if not _describe(t, states, log, collector, collector.actions[number]):
            return False
        evaluator = collector.evaluator
        row = (evaluator.numbers, evaluator.amounts, evaluator.owners, evaluator.num_features)
        _note(out.rows, first + number, *row)
        out.players[first + number] = states[ROOT].player
        out.worths[first + number] = 0.0
    for _ in range(collector.deals):
        copy_state(states, ROOT, states, DEALT)
        redeal(states[DEALT], collector.generator, states[DEALT].player)
        for number in range(count):
            worth = _play_on(t, states, log, collector, collector.actions[number])
            out.worths[first + number] += np.float32(worth / collector.deals)
    out.first[found + 1] = first + count
    return True


@kernel
def _list_choices(t, states, log, collector):
    """Write the choices of `states[ROOT]` to look at as the first of `actions`; return how many there are."""
    trials, actions, values = states[FIRST_TRIAL:], collector.actions, collector.values
    copy_state(states, ROOT, trials, 0)
    begin_ends(t, trials[0], collector.evaluator)
    legal = list_actions(t, trials[0], actions)
    for number in range(legal):
        values[number] = try_action(t, trials, log, collector.evaluator, actions[number])
    count = min(legal, collector.top + collector.other)
    for rank in range(count):
        if rank < collector.top:
            chosen = _find_most(values, rank, legal)
        else:
            chosen = rank + draw_below(collector.generator, legal - rank)
        action, value = actions[rank], values[rank]
        actions[rank], values[rank] = actions[chosen], values[chosen]
        actions[chosen], values[chosen] = action, value
    return count


@kernel
def _find_most(values, first, end):
    """Return the index of the largest of the `values` from `first` to before `end`, the first of equal ones."""
    most = first
    for number in range(first + 1, end):
        if values[number] > values[most]:
            most = number
    return most


@kernel
def _describe(t, states, log, collector, action):
    """Write the features of the end of the turn to which `action` leads; return False where the game is over there."""
    s = states[ON]
    copy_state(states, ROOT, states, ON)
    step(t, s, log, action)
    while goes_on(states[ROOT], s):
        _choose_on(t, states, log, collector)
    if s.phase == OVER:
        return False
    survey(t, s, collector.evaluator)
    write_features(t, s, collector.evaluator)
    return True


@kernel
def _play_on(t, states, log, collector, action):
    """Return what `action` is worth in `states[DEALT]`, to the player who decides, after `turns` turns."""
    s, end = states[ON], count_begun(states[ROOT]) + collector.turns
    copy_state(states, DEALT, states, ON)
    step(t, s, log, action)
    while s.phase != OVER and not (is_turn_over(s) and count_begun(s) >= end):
        _choose_on(t, states, log, collector)
    return _find_worth(t, s, int(states[ROOT].player), collector.evaluator)


@kernel
def _find_worth(t, s, player, evaluator):
    """Return what the position `s` is worth to `player`: the points ahead of the other, or of the others on average."""
    worths = evaluator.totals
    if worths.size == 1:
        return evaluate_learned(t, s, player, evaluator)
    if s.phase == OVER:
        for view in range(worths.size):
            worths[view] = float(find_final(s, view))
    else:
        survey(t, s, evaluator)
        evaluate_surveyed(t, s, evaluator)
    compare(worths)
    return float(worths[player])


@kernel
def _choose_on(t, states, log, collector):
    """Play the next decision of `states[ON]`."""
    generator, evaluator = collector.generator, collector.evaluator
    action, _ = choose_by_value(t, states, ON, states[FIRST_TRIAL:], log, generator, evaluator)
    step(t, states[ON], log, action)
