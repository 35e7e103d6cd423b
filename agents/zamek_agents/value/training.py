"""Learning the evaluation by self-play: TD(λ) on the positions at the end of each turn, whole games in compiled code.

The target of every position is what the rest of the game makes of it: a mixture of the values of the positions after it
and of the final margin, with the weight λ passed on from each to the one before (R. S. Sutton and A. G. Barto,
Reinforcement Learning, chapter 12). Where a random move was tried, what followed says nothing about the position
before, whose target is then the worth of the best move.

With more than two players it learns by how much each will exceed the mean of all. There the worth of the best move is
known for one player only, so nothing is learned from the position before a random move.
"""

import numpy as np

from zamek_agents.value.choice import choose_by_value, count_begun, is_turn_over
from zamek_agents.value.evaluator import count_room, count_views, evaluator_dtype
from zamek_agents.value.features import evaluate_surveyed
from zamek_agents.value.survey import survey
from zamek_env.base.chance import draw_below, seed_generator
from zamek_env.base.records import record_dtype
from zamek_env.base.rewards import find_lead_in_kernel, find_result_in_kernel
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import kernel
from zamek_env.core.greedy import choose_greedily
from zamek_env.core.playout import draw_action
from zamek_env.core.rules import reset, step
from zamek_env.layout.actions import OVER
from zamek_env.layout.sizes import Sizes
from zamek_env.ruleset import Ruleset

PERMILLE = 1000


def learner_dtype(ruleset: Ruleset) -> np.dtype[np.record]:
    """Return the dtype of all that a learner of a `Ruleset` keeps; its bytes are the checkpoint."""
    evaluator, views = evaluator_dtype(ruleset), count_views(ruleset.players)
    weights = evaluator["weights"].shape
    return record_dtype(
        [
            ("means", np.float64, weights),  # of the weights over the last games: what is shipped
            ("squares", np.float64, weights),  # of each feature, summed: what was seen often learns slowly
            ("rate", np.float64),  # how far a weight moves at first
            ("trace", np.float64),  # λ
            ("squared_error", np.float64),  # of the values of positions since the last report, summed
            ("squared_margin", np.float64),  # what that error would be if every value were 0 and every game played out
            ("targets", np.float64, views),  # target of the position looked at, to each as in an evaluator
            ("positions", np.int64),  # how many those were
            ("games", np.int64),  # played so far
            ("memory", np.int64),  # games over which means are taken
            ("exploration", np.int64),  # random decisions in a thousand
            ("generator", np.uint64, 1),
            ("evaluator", evaluator),  # its weights are those being learned
        ]
    )


def episode_dtype(sizes: Sizes) -> np.dtype[np.record]:
    """Return the dtype of the notes on a game being played, by a ruleset of these `Sizes`."""
    turns, features, views = sizes.tiles + 1, count_room(sizes), count_views(sizes.players)
    return record_dtype(
        [
            ("values", np.float64, (turns, views)),  # at the end of each turn, to each as in an evaluator
            ("foreseen", np.float64, turns),  # what the best move of that turn would have been worth to player 0 of two
            ("decisions", np.int64),  # made in all games noted here
            ("begun", np.int64),  # `count_begun` of the turn being played
            ("numbers", np.int32, (turns, features)),
            ("amounts", np.int32, (turns, features)),
            ("counts", np.int32, turns),  # of features
            ("owners", np.int8, (turns, features if views > 1 else 0)),
            ("explored", np.uint8, turns),  # a decision of that turn was drawn at random
        ]
    )


@kernel
def train(tables, states, logs, learners, episodes, games):
    """Play `games` games against itself and learn from each. `states` are one game and `count_trials` scratch ones."""
    t, log, learner, episode = tables[0], logs[0], learners[0], episodes[0]
    for _ in range(games):
        reset(t, states[0], log, learner.generator)
        turns = play_episode(t, states, log, learner, episode)
        learn(states[0], learner, episode, turns)


@kernel
def play_episode(t, states, log, learner, episode):
    """Play `states[0]` to its end, noting the position after each turn but the last; return how many were noted."""
    s, turn = states[0], 0
    begin_episode(s, episode)
    while s.phase != OVER:
        step(t, s, log, decide(t, states, log, learner, episode, turn))
        turn = note_if_over(t, s, learner, episode, turn)
    return turn


@kernel
def begin_episode(s, episode):
    """Begin to note the game `s`, whose first turn begins."""
    episode.explored[0] = 0
    episode.begun = count_begun(s)


@kernel
def decide(t, states, log, learner, episode, turn):
    """Return the learner's action in `states[0]`, in the turn of that number: mostly the best by its evaluation."""
    s, generator = states[0], learner.generator
    action, value = choose_by_value(t, states, 0, states[1:], log, generator, learner.evaluator)
    if is_turn_over(s) and not episode.explored[turn]:
        episode.foreseen[turn] = value if s.player == 0 else -value
    if draw_below(generator, PERMILLE) < learner.exploration:
        action = draw_action(t, s, generator)
        episode.explored[turn] = 1
    episode.decisions += 1
    return action


@kernel
def note_if_over(t, s, learner, episode, turn):
    """Note the position after a decision if it ended the turn of that number; return how many turns are noted."""
    if s.phase == OVER or not is_turn_over(s) or count_begun(s) == episode.begun:
        return turn
    episode.begun = count_begun(s)
    note_turn(t, s, learner, episode, turn)
    episode.explored[turn + 1] = 0
    return turn + 1


@kernel
def note_turn(t, s, learner, episode, turn):
    """Note the features and the value of the position at the end of a turn."""
    evaluator = learner.evaluator
    survey(t, s, evaluator)
    evaluate_surveyed(t, s, evaluator)
    for view in range(evaluator.totals.size):
        episode.values[turn, view] = evaluator.totals[view]
    count = evaluator.num_features
    episode.counts[turn] = count
    for number in range(count):
        episode.numbers[turn, number] = evaluator.numbers[number]
        episode.amounts[turn, number] = evaluator.amounts[number]
        if evaluator.owners.size > 0:
            episode.owners[turn, number] = evaluator.owners[number]


@kernel
def learn(s, learner, episode, turns):
    """Move the weights towards what the game `s`, which is over, has shown; `turns` turns of it are noted."""
    trace = learner["trace"]  # as an attribute of a record, Python has a method of this name
    targets, margins = learner.targets, learner.evaluator.sums
    for view in range(targets.size):
        targets[view] = float(find_final(s, view))
        margins[view] = targets[view]
    squared_margin = compare(margins)
    for turn in range(turns - 1, -1, -1):
        after = turn + 1
        for view in range(targets.size):
            if episode.explored[after]:
                targets[view] = episode.values[turn, view] if targets.size > 1 else episode.foreseen[after]
            elif after < turns:
                targets[view] = (1.0 - trace) * episode.values[after, view] + trace * targets[view]
        _learn_from(learner, episode, turn, squared_margin)
    learner.games += 1
    share = max(1.0 / learner.memory, 1.0 / learner.games)
    for number in range(learner.evaluator.weights.size):
        learner.means[number] += share * (learner.evaluator.weights[number] - learner.means[number])


@kernel
def find_final(s, view):
    """Return the worth of the finished game `s` to a player, in the form of the `totals` of an evaluator."""
    return int(s.score[view]) if s.score.size > 2 else find_lead_in_kernel(s.score, 0)


@kernel
def compare(worths):
    """Subtract the mean of all players from the numbers of each, if there is one for each; return the mean square then.

    The rest is scaled to be comparable to a lead, which for two players is twice the distance from the mean.
    """
    size, mean, square = worths.size, 0.0, 0.0
    if size == 1:
        return worths[0] * worths[0]
    for view in range(size):
        mean += worths[view] / size
    for view in range(size):
        worths[view] = (worths[view] - mean) * size / (size - 1)
        square += worths[view] * worths[view] / size
    return square


@kernel
def _learn_from(learner, episode, turn, squared_margin):
    """Move the weights towards the `targets` of the position after the turn of that number."""
    errors, targets = learner.evaluator.sums, learner.targets
    for view in range(errors.size):
        errors[view] = targets[view] - episode.values[turn, view]
    learner.squared_error += compare(errors)
    learner.squared_margin += squared_margin
    learner.positions += 1
    count = episode.counts[turn]
    for number in range(errors.size, count):  # the first are the points, whose weight stays 1
        feature, amount = as_index(episode.numbers[turn, number]), episode.amounts[turn, number]
        owner = as_index(episode.owners[turn, number]) if errors.size > 1 else as_index(0)
        learner.squares[feature] += amount * amount
        move = learner.rate * errors[owner] * amount / count / np.sqrt(1.0 + learner.squares[feature])
        learner.evaluator.weights[feature] += np.float32(move)


@kernel
def play_match(tables, states, logs, evaluators, first_deal, deals):
    """Play `deals` deals, each from all seats, against greedy players.

    Return (wins, summed margin of the learned evaluation); a shared victory is split. `states` as for `train`.
    """
    t, s, log, trials = tables[0], states[0], logs[0], states[1:]
    generator, players = np.zeros(1, np.uint64), states[0].score.size
    wins, margins = 0.0, 0
    for game in range(players * deals):
        seat = game % players
        seed_generator(generator, first_deal + game // players)
        reset(t, s, log, generator)
        seed_generator(generator, first_deal + game)
        while s.phase != OVER:
            if s.player == seat:
                action, _ = choose_by_value(t, states, 0, trials, log, generator, evaluators[0])
            else:
                action = choose_greedily(t, states, 0, trials, log, generator)
            step(t, s, log, action)
        wins += (1.0 + (players - 1) * find_result_in_kernel(s.score, seat)) / players
        margins += find_lead_in_kernel(s.score, seat)
    return wins, margins
