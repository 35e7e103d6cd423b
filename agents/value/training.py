"""Learning the evaluation by self-play: TD(λ) on the positions at the end of each turn, whole games in compiled code.

Every position is to be worth what the rest of the game makes of it: a mixture of the values of the positions after it
and of the final margin, with the weight λ passed on from each to the one before (R. S. Sutton and A. G. Barto,
Reinforcement Learning, chapter 12). Where a random move was tried, what followed says nothing about the position
before, which is then to be worth what the best move would have made of it.
"""

from typing import TYPE_CHECKING

import numpy as np

from zamek_agents.value.choice import choose_by_value
from zamek_agents.value.evaluator import count_room, evaluator_dtype
from zamek_agents.value.features import sum_features, write_features
from zamek_agents.value.survey import survey
from zamek_env.core.bits import as_index
from zamek_env.core.chance import draw_below, seed_generator
from zamek_env.core.greedy import choose_greedily
from zamek_env.core.jit import kernel
from zamek_env.core.playout import draw_action
from zamek_env.core.rules import reset, step
from zamek_env.core.tables import NUM_PLAYERS, record_dtype
from zamek_env.layout.actions import OVER, PLACE
from zamek_env.layout.sizes import Sizes

if TYPE_CHECKING:
    from zamek_env.ruleset import Ruleset

PERMILLE = 1000


def learner_dtype(ruleset: "Ruleset") -> np.dtype[np.record]:
    """Return the dtype of all that a learner of a `Ruleset` keeps; its bytes are the checkpoint."""
    evaluator = evaluator_dtype(ruleset)
    weights = evaluator["weights"].shape
    return record_dtype(
        [
            ("means", np.float64, weights),  # of the weights over the last games: what is shipped
            ("squares", np.float64, weights),  # of each feature, summed: what was seen often learns slowly
            ("rate", np.float64),  # how far a weight moves at first
            ("trace", np.float64),  # λ
            ("squared_error", np.float64),  # of the values of positions since the last report, summed
            ("squared_margin", np.float64),  # what that error would be if every value were 0 and every game played out
            ("positions", np.int64),  # how many those were
            ("games", np.int64),  # played so far
            ("memory", np.int64),  # games over which means are taken
            ("exploration", np.int64),  # random decisions in a thousand
            ("generator", np.uint64, 1),
            ("evaluator", evaluator),  # its weights are those being learned
        ]
    )


def episode_dtype(sizes: Sizes) -> np.dtype[np.record]:
    """Return the dtype of what is noted of a game being played, by a ruleset of these `Sizes`."""
    turns, features = sizes.tiles + 1, count_room(sizes)
    return record_dtype(
        [
            ("values", np.float64, turns),  # to player 0 at the end of each turn
            ("foreseen", np.float64, turns),  # what the best move of that turn would have been worth
            ("decisions", np.int64),  # made in all games noted here
            ("numbers", np.int32, (turns, features)),
            ("amounts", np.int32, (turns, features)),
            ("counts", np.int32, turns),  # of features
            ("explored", np.uint8, turns),  # a decision of that turn was drawn at random
        ]
    )


@kernel
def train(tables, states, logs, learners, episodes, games):
    """Play so many games against itself and learn from each. `states` are one game and `count_trials` scratch ones."""
    t, log, learner, episode = tables[0], logs[0], learners[0], episodes[0]
    for _ in range(games):
        reset(t, states[0], log, learner.generator)
        turns = play_episode(t, states, log, learner, episode)
        learn(learner, episode, turns, int(states[0].score[0]) - int(states[0].score[1]))


@kernel
def play_episode(t, states, log, learner, episode):
    """Play `states[0]` to its end, noting the position after each turn but the last; return how many were noted."""
    s, turn = states[0], 0
    episode.explored[0] = 0
    while s.phase != OVER:
        step(t, s, log, decide(t, states, log, learner, episode, turn))
        turn = note_if_over(t, s, learner, episode, turn)
    return turn


@kernel
def decide(t, states, log, learner, episode, turn):
    """Return what the learner plays in `states[0]`, in the turn of that number: mostly the best by its evaluation."""
    s, generator = states[0], learner.generator
    action, value = choose_by_value(t, states, 0, states[1:], log, generator, learner.evaluator)
    if s.phase == PLACE:
        episode.foreseen[turn] = value if s.player == 0 else -value
    if draw_below(generator, PERMILLE) < learner.exploration:
        action = draw_action(t, s, generator)
        episode.explored[turn] = 1
    episode.decisions += 1
    return action


@kernel
def note_if_over(t, s, learner, episode, turn):
    """Note the position after a decision if it ended the turn of that number; return how many turns are noted."""
    if s.phase != PLACE:
        return turn
    note_turn(t, s, learner, episode, turn)
    episode.explored[turn + 1] = 0
    return turn + 1


@kernel
def note_turn(t, s, learner, episode, turn):
    """Note the features and the value of the position at the end of a turn."""
    evaluator = learner.evaluator
    survey(t, s, evaluator)
    write_features(t, s, evaluator)
    episode.values[turn] = sum_features(evaluator)
    count = evaluator.num_features
    episode.counts[turn] = count
    for number in range(count):
        episode.numbers[turn, number] = evaluator.numbers[number]
        episode.amounts[turn, number] = evaluator.amounts[number]


@kernel
def learn(learner, episode, turns, margin):
    """Move the weights towards what a game has shown, which had so many turns noted and ended with that `margin`."""
    target = float(margin)
    for turn in range(turns - 1, -1, -1):
        after = turn + 1
        if episode.explored[after]:
            target = episode.foreseen[after]
        elif after < turns:
            target = (1.0 - learner.trace) * episode.values[after] + learner.trace * target
        error = target - episode.values[turn]
        learner.squared_error += error * error
        learner.squared_margin += float(margin) * float(margin)
        learner.positions += 1
        count = episode.counts[turn]
        for number in range(1, count):  # the first is the points ahead, whose weight stays 1
            feature, amount = as_index(episode.numbers[turn, number]), episode.amounts[turn, number]
            learner.squares[feature] += amount * amount
            move = learner.rate * error * amount / count / np.sqrt(1.0 + learner.squares[feature])
            learner.evaluator.weights[feature] += np.float32(move)
    learner.games += 1
    share = max(1.0 / learner.memory, 1.0 / learner.games)
    for number in range(learner.evaluator.weights.size):
        learner.means[number] += share * (learner.evaluator.weights[number] - learner.means[number])


@kernel
def play_match(tables, states, logs, evaluators, first_deal, deals):
    """Play so many deals twice, with seats swapped, against the greedy player.

    Return (wins, shared victories, summed margin of the learned evaluation). `states` as for `train`.
    """
    t, s, log, trials = tables[0], states[0], logs[0], states[1:]
    generator = np.zeros(1, np.uint64)
    wins, shared, margins = 0, 0, 0
    for game in range(NUM_PLAYERS * deals):
        seat = game % NUM_PLAYERS
        seed_generator(generator, first_deal + game // NUM_PLAYERS)
        reset(t, s, log, generator)
        seed_generator(generator, first_deal + game)
        while s.phase != OVER:
            if s.player == seat:
                action, _ = choose_by_value(t, states, 0, trials, log, generator, evaluators[0])
            else:
                action = choose_greedily(t, states, 0, trials, log, generator)
            step(t, s, log, action)
        margin = int(s.score[seat]) - int(s.score[1 - seat])
        wins += margin > 0
        shared += margin == 0
        margins += margin
    return wins, shared, margins
