"""Games for two of the learner against itself and against `greedy`, and the gradient that follows from them.

play_games      plays games and adds up the gradient of the policy
score_decision  the probabilities that a network gives the options of one decision
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.castle_cards.features import NUM_FEATURES, PLAYERS, write_features
from zamek_agents.castle_cards.greedy_choice import choose_greedily, value_options
from zamek_agents.castle_cards.survey import SURVEY
from zamek_agents.castle_cards.worths import find_need, make_worths
from zamek_env.castle_cards.core.dealing import deal
from zamek_env.castle_cards.core.ending import find_return, is_terminal
from zamek_env.castle_cards.core.log import LOG
from zamek_env.castle_cards.core.rules import begin_game, find_option, step
from zamek_env.castle_cards.core.state import STATE, new_states
from zamek_env.castle_cards.layout.actions import NUM_ACTIONS
from zamek_env.core.bits import as_index
from zamek_env.core.chance import draw_random, seed_generator
from zamek_env.core.jit import kernel

LEAST_LIKED = -3.0  # lower limit of an option's greedy value minus that of the best option; in actions
MAX_DECISIONS = 1000  # of the learner in a game, from which it learns
_SPARE = MAX_DECISIONS - 1  # row shared by all decisions from which nothing is learned
_UNIT = 2.2  # a lead of so many actions makes a player e times as likely to win
_WORD = 2.0**32  # random numbers lie below it


class Games(NamedTuple):
    """Room for one game, and for what the learner decided in it."""

    blank: npt.NDArray[np.record]
    states: npt.NDArray[np.record]
    logs: npt.NDArray[np.record]
    worths: npt.NDArray[np.record]
    surveys: npt.NDArray[np.record]
    generators: npt.NDArray[np.uint64]  # (1,)
    features: npt.NDArray[np.float64]  # (MAX_DECISIONS, NUM_FEATURES)
    options: npt.NDArray[np.int64]  # (MAX_DECISIONS, NUM_ACTIONS), the legal ones first
    chances: npt.NDArray[np.float64]  # (MAX_DECISIONS, NUM_ACTIONS), the probability of each option
    counts: npt.NDArray[np.int64]  # (MAX_DECISIONS,), how many options there are
    chosen: npt.NDArray[np.int64]  # (MAX_DECISIONS,), index of the option that was played
    values: npt.NDArray[np.float64]  # (MAX_DECISIONS,), the expected result, -1 to 1


class Findings(NamedTuple):
    """What games brought."""

    wins: float  # against `greedy`
    decisions: int


def make_games(seed: int) -> Games:
    """Return room for games of which all chance follows from `seed`."""
    states, logs, surveys = np.zeros(1, STATE), np.zeros(1, LOG), np.zeros(1, SURVEY)
    games = Games(
        new_states(1), states, logs, make_worths(), surveys, np.zeros(1, np.uint64),
        np.zeros((MAX_DECISIONS, NUM_FEATURES)), np.zeros((MAX_DECISIONS, NUM_ACTIONS), np.int64),
        np.zeros((MAX_DECISIONS, NUM_ACTIONS)), np.zeros(MAX_DECISIONS, np.int64), np.zeros(MAX_DECISIONS, np.int64),
        np.zeros(MAX_DECISIONS),
    )  # fmt: skip
    seed_generator(games.generators, seed)
    return games


@kernel
def play_games(games, weights, count, against, gae_lambda, gradient):
    """Play `count` games, each deal from both seats; add to `gradient`; return (wins, decisions) of the learner.

    The first `against` games are against `greedy`, and only they count as won. In the others both sides are the
    learner, and what one of them decides is learned from. `weights` are (`policy`, `trust`), see `network.py`;
    `gradient` is of the shape of `policy`.
    """
    wins, decisions, number = 0.0, 0, np.int64(0)
    for game in range(count):
        seat = game % PLAYERS
        if seat == 0:
            number = np.int64(draw_random(games.generators))
        deal(games.blank, games.states, 0, PLAYERS, number)
        begin_game(games.states[0], games.logs[0])
        is_mirror = game >= against
        made = _play_game(games, weights, seat, is_mirror)
        result = find_return(games.states[0], seat)
        if not is_mirror:
            wins += 0.5 + 0.5 * result
        decisions += made
        _add_gradient(games, made, result, gae_lambda, gradient)
    return wins, decisions


@kernel
def score_decision(states, games, weights):
    """Write into the first row of `games` the options in `states[0]` and the chances of each; return how many."""
    seed_generator(games.generators, 0)  # so that ties in greedy values are always broken the same way
    count = _write_logits(states[0], games, weights, 0)
    _make_chances(games.chances[0], count)
    return count


@kernel
def _play_game(games, weights, seat, is_mirror):
    """Play the game that was dealt, sampling the learner's actions; return how many it chose at `seat`.

    In a mirror game the learner plays the other seat too.
    """
    s, made = games.states[0], 0
    while not is_terminal(s):
        is_seat = s.decider == seat
        if not is_seat and not is_mirror:
            step(s, games.logs[0], choose_greedily(s, games.worths[0], games.surveys[0], games.generators))
            continue
        row = min(made, _SPARE) if is_seat else _SPARE
        games.counts[row] = _write_logits(s, games, weights, row)
        _make_chances(games.chances[row], games.counts[row])
        games.chosen[row] = _draw(games, row)
        if is_seat:
            games.values[row] = _find_value(s, seat, games.worths[0])
            made += 1
        step(s, games.logs[0], games.options[row, as_index(games.chosen[row])])
    return min(made, _SPARE)


@kernel
def _write_logits(s, games, weights, row):
    """Write the features, the options and their logits into `row` of `games`; return how many options there are."""
    policy, trust = weights
    count, features, logits = np.int64(s.num_options), games.features[row], games.chances[row]
    value_options(s, games.worths[0], games.surveys[0], games.generators, logits)
    write_features(s, games.surveys[0], features)
    best = logits[0]
    for number in range(count):
        best = max(best, logits[number])
    for number in range(count):
        games.options[row, number] = find_option(s, number)
        logits[number] = trust[0] * max(logits[number] - best, LEAST_LIKED)
    for entry in range(NUM_FEATURES):
        if features[entry] != 0.0:
            for number in range(count):
                logits[number] += policy[entry, as_index(games.options[row, number])] * features[entry]
    return count


@kernel
def _make_chances(logits, count):
    """Replace the first `count` logits by their softmax."""
    best, total = logits[0], 0.0
    for number in range(count):
        best = max(best, logits[number])
    for number in range(count):
        logits[number] = np.exp(logits[number] - best)
        total += logits[number]
    for number in range(count):
        logits[number] /= total


@kernel
def _draw(games, row):
    """Return the index of an option, drawn by the probabilities in `row`."""
    left = draw_random(games.generators) / _WORD
    for number in range(games.counts[row] - 1):
        left -= games.chances[row, number]
        if left < 0:
            return number
    return games.counts[row] - 1


@kernel
def _find_value(s, player, worth):
    """Return the expected result of `player`, -1 to 1. It sees all hands, because it only judges decisions."""
    ahead = find_need(s, 1 - player, worth) - find_need(s, player, worth)
    return np.tanh(ahead / (2 * _UNIT))


@kernel
def _add_gradient(games, made, result, gae_lambda, gradient):
    """Add the policy gradient of a game to `gradient`, with advantages by generalized advantage estimation.

    Overwrites the probabilities in `games` with the gradient by each logit.
    """
    after, advantage = result, 0.0
    for back in range(made):
        row = made - 1 - back
        advantage = after - games.values[row] + gae_lambda * advantage
        after = games.values[row]
        _add_decision(games, row, advantage, gradient)


@kernel
def _add_decision(games, row, advantage, gradient):
    """Add the gradient of one decision to `gradient`, and write that by each logit over its probabilities."""
    for number in range(games.counts[row]):
        share = (1.0 if number == games.chosen[row] else 0.0) - games.chances[row, number]
        games.chances[row, number] = share * advantage
    for entry in range(NUM_FEATURES):
        feature = games.features[row, entry]
        if feature != 0.0:
            for number in range(games.counts[row]):
                action = as_index(games.options[row, number])
                gradient[entry, action] += games.chances[row, number] * feature
