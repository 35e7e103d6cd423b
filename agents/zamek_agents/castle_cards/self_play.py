"""Plays two-player games of the learner against itself and against `greedy`, and notes its decisions.

play_games      plays games and notes what the learner saw, did and expected, and how much better it went
score_decision  the probabilities that a network gives the options of one decision
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.castle_cards.gains import SURVEY
from zamek_agents.castle_cards.greedy import PATIENCE, choose_greedily, value_options
from zamek_agents.castle_cards.network import (
    HIDDEN,
    NUM_COLUMNS,
    NUM_FEATURES,
    PLAYERS,
    TRUST,
    find_value,
    judge_rows,
    make_chances,
    write_features,
)
from zamek_agents.castle_cards.worths import make_worths
from zamek_env.base.chance import draw_random, seed_generator
from zamek_env.castle_cards.core.dealing import deal
from zamek_env.castle_cards.core.log import LOG
from zamek_env.castle_cards.core.rows import write_rows
from zamek_env.castle_cards.core.rules import begin_game, step
from zamek_env.castle_cards.core.state import NONE, STATE, new_states
from zamek_env.castle_cards.core.turns import find_return, is_terminal
from zamek_env.castle_cards.layout.rows import NUM_ROWS
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import kernel

LEAST_LIKED = -3.0  # lower limit of an option's greedy value minus that of the best option; in actions
MOST_DECISIONS = 1000  # of the learner in a game, at either seat, from which it learns
USUAL_DECISIONS = 250  # of both seats, for which there is room on average
_USUAL_ENTRIES = 400  # of a decision's rows that are not 0, likewise
_WORD = 2.0**32  # random numbers lie below it


class Games(NamedTuple):
    """Memory for one game, and for one decision in it."""

    blank: npt.NDArray[np.record]
    states: npt.NDArray[np.record]
    logs: npt.NDArray[np.record]
    worths: npt.NDArray[np.record]
    surveys: npt.NDArray[np.record]
    generators: npt.NDArray[np.uint64]  # (1,)
    context: npt.NDArray[np.float64]  # (NUM_FEATURES,)
    rows: npt.NDArray[np.int8]  # (NUM_ROWS, NUM_COLUMNS)
    options: npt.NDArray[np.int16]  # (NUM_ROWS,), the legal ones first
    liked: npt.NDArray[np.float64]  # (NUM_ROWS,), what they are worth to `greedy`
    chances: npt.NDArray[np.float32]  # (NUM_ROWS,), how probable each of them is
    starts: npt.NDArray[np.int64]  # (NUM_ROWS + 1,), see `network.py`
    columns: npt.NDArray[np.uint8]  # (NUM_ROWS * NUM_COLUMNS,)
    entries: npt.NDArray[np.float32]
    hidden: npt.NDArray[np.float32]  # (NUM_ROWS, HIDDEN)


class Decisions(NamedTuple):
    """Decisions of the learner, from which it learns: as many as were noted, and room for more."""

    contexts: npt.NDArray[np.float32]  # (room, NUM_FEATURES)
    first_row: npt.NDArray[np.int64]  # (room + 1,), of the arrays of rows
    chosen: npt.NDArray[np.int64]  # (room,), which of the options
    chances: npt.NDArray[np.float32]  # (room,), how probable that was
    values: npt.NDArray[np.float32]  # (room,), the result that was expected
    advantages: npt.NDArray[np.float32]  # (room,), by how much better it went
    starts: npt.NDArray[np.int64]  # (rows + 1,), of the arrays of entries
    liked: npt.NDArray[np.float32]  # (rows,), what `greedy` adds to the logits
    columns: npt.NDArray[np.uint8]  # (entries,)
    entries: npt.NDArray[np.float32]


def make_games(seed: int) -> Games:
    """Return memory for games; all their chance follows from `seed`."""
    states, logs, surveys = np.zeros(1, STATE), np.zeros(1, LOG), np.zeros(1, SURVEY)
    games = Games(
        new_states(1), states, logs, make_worths(), surveys, np.zeros(1, np.uint64),
        np.zeros(NUM_FEATURES), np.zeros((NUM_ROWS, NUM_COLUMNS), np.int8), np.full(NUM_ROWS, NONE, np.int16),
        np.zeros(NUM_ROWS), np.zeros(NUM_ROWS, np.float32), np.zeros(NUM_ROWS + 1, np.int64),
        np.zeros(NUM_ROWS * NUM_COLUMNS, np.uint8), np.zeros(NUM_ROWS * NUM_COLUMNS, np.float32),
        np.zeros((NUM_ROWS, HIDDEN), np.float32),
    )  # fmt: skip
    seed_generator(games.generators, seed)
    return games


def make_decisions(count: int) -> Decisions:
    """Return memory for the learner's decisions in `count` games."""
    room = count * USUAL_DECISIONS + PLAYERS * MOST_DECISIONS
    rows, entries = room * NUM_ROWS, room * _USUAL_ENTRIES + NUM_ROWS * NUM_COLUMNS
    return Decisions(
        np.zeros((room, NUM_FEATURES), np.float32), np.zeros(room + 1, np.int64), np.zeros(room, np.int64),
        np.zeros(room, np.float32), np.zeros(room, np.float32), np.zeros(room, np.float32),
        np.zeros(rows + 1, np.int64), np.zeros(rows, np.float32),
        np.zeros(entries, np.uint8), np.zeros(entries, np.float32),
    )  # fmt: skip


@kernel
def play_games(games, decisions, weights, count, against, gae_lambda):
    """Play `count` games, each deal from both seats; return (wins, decisions noted).

    The first `against` games are against `greedy`, and only they count as won. In the others both sides are the
    learner, and it learns from both. `weights` are those of a network. Games that do not fit into memory are left out.
    """
    wins, noted, number = 0.0, 0, np.int64(0)
    steps = np.zeros((PLAYERS, MOST_DECISIONS), np.int64)
    made = np.zeros(PLAYERS, np.int64)
    for game in range(count):
        seat = game % PLAYERS
        if seat == 0:
            number = np.int64(draw_random(games.generators))
        deal(games.blank, games.states, 0, PLAYERS, number)
        begin_game(games.states[0], games.logs[0])
        is_mirror = game >= against
        made.fill(0)
        noted = _play_game(games, decisions, weights, seat, is_mirror, noted, made, steps)
        for player in range(PLAYERS):
            _write_advantages(decisions, steps[player], made[player], find_return(games.states[0], player), gae_lambda)
        if not is_mirror:
            wins += 0.5 + 0.5 * find_return(games.states[0], seat)
    return wins, noted


@kernel
def score_decision(states, games, weights):
    """Write the options in `states[0]` and their probabilities into `games`; return their number."""
    seed_generator(games.generators, 0)  # so that ties in greedy values are always broken the same way
    return _judge(states[0], games, weights)


@kernel
def _play_game(games, decisions, weights, seat, is_mirror, noted, made, steps):
    """Play the game that was dealt, drawing the learner's actions; return how many decisions are noted now.

    Writes `made`, how many there are for each player, and `steps`, which they are. Once `PATIENCE` is over both sides
    play at random, and nothing is learned from it.
    """
    s = games.states[0]
    while not is_terminal(s):
        player = int(s.decider)
        if s.turns > PATIENCE or (player != seat and not is_mirror):
            step(s, games.logs[0], choose_greedily(s, games.worths[0], games.surveys[0], games.generators))
            continue
        count = _judge(s, games, weights)
        chosen = _draw(games, count)
        if made[player] < MOST_DECISIONS and _has_room(decisions, noted):
            _note(games, decisions, weights, noted, count, chosen)
            steps[player, made[player]] = noted
            made[player] += 1
            noted += 1
        step(s, games.logs[0], int(games.options[as_index(chosen)]))
    return noted


@kernel
def _judge(s, games, weights):
    """Write the decision and the probability of each option into `games`; return their number."""
    count = int(s.num_options)
    value_options(s, games.worths[0], games.surveys[0], games.generators, games.liked)
    write_features(s, games.surveys[0], games.context)
    write_rows(s, games.logs[0], int(s.decider), games.rows, games.options)
    _collect(games, count)
    best = games.liked[0]
    for number in range(count):
        best = max(best, games.liked[number])
    for number in range(count):
        games.liked[number] = TRUST * max(games.liked[number] - best, LEAST_LIKED)
        games.chances[number] = games.liked[number]
    judge_rows(weights, games.context, games.starts, games.columns, games.entries, count, games.hidden, games.chances)
    make_chances(games.chances, count)
    return count


@kernel
def _collect(games, count):
    """Write the entries of the rows that are not 0, by size only as far as it matters: logarithms."""
    place = 0
    for number in range(count):
        games.starts[number] = place
        row = games.rows[number]
        for column in range(NUM_COLUMNS):
            entry = int(row[column])
            if entry != 0:
                games.columns[as_index(place)] = column
                size = np.log1p(abs(entry))
                games.entries[as_index(place)] = size if entry > 0 else -size
                place += 1
    games.starts[count] = place


@kernel
def _draw(games, count):
    """Return the index of an option, drawn by the probabilities of `count` options."""
    left, best = draw_random(games.generators) / _WORD, 0
    for number in range(count):
        left -= games.chances[number]
        if left < 0:
            return number
        if games.chances[number] > games.chances[best]:
            best = number
    return best  # where chances add up to a little less than 1


@kernel
def _has_room(decisions, noted):
    rows = decisions.first_row[noted]
    return (
        noted < decisions.chosen.size
        and rows + NUM_ROWS <= decisions.liked.size
        and decisions.starts[rows] + NUM_ROWS * NUM_COLUMNS <= decisions.entries.size
    )


@kernel
def _note(games, decisions, weights, noted, count, chosen):
    """Note a decision, its rows and its expected result."""
    first = decisions.first_row[noted]
    decisions.first_row[noted + 1] = first + count
    for feature in range(NUM_FEATURES):
        decisions.contexts[noted, feature] = games.context[feature]
    place = decisions.starts[first]
    for number in range(count):
        decisions.liked[first + number] = games.liked[number]
        decisions.starts[first + number + 1] = place + games.starts[number + 1]
    for number in range(games.starts[count]):
        decisions.columns[place + number] = games.columns[number]
        decisions.entries[place + number] = games.entries[number]
    decisions.chosen[noted] = chosen
    decisions.chances[noted] = games.chances[chosen]
    decisions.values[noted] = find_value(weights, games.context, games.hidden[0])


@kernel
def _write_advantages(decisions, steps, made, result, gae_lambda):
    """Write the advantages of a player's decisions in a game, by generalized advantage estimation."""
    after, advantage = np.float64(result), 0.0
    for back in range(made):
        number = steps[made - 1 - back]
        advantage = after - decisions.values[number] + gae_lambda * advantage
        after = np.float64(decisions.values[number])
        decisions.advantages[number] = advantage
