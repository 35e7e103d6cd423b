"""Which features the learned evaluation has, and their numbers.

FEATURES DESCRIPTION
    A position is described at the end of a turn by a few dozen features of many thousands. Each belongs to a player.
    What a player's features are worth together is what the player may count on; the value of a position to one is that
    less what the others may count on (`find_value`). Of two players one number is enough: what belongs to player 0
    counts with its sign there, what belongs to player 1 with the opposite one, so the value to one is minus that to the
    other, whatever the weights.

    group      indexed by                                                    value
    LEAD       –                                                             points; its weight is always 1
    PROMISE    feature, lead, risk, open cells, fits, stage                  points the area would pay
    BASIC      feature, whether its leader moves, open cells, stage          points the area would pay
    SHAPE      feature, open cells, size, stage                              1
    PORTS      feature, lead, risk, open ports, stage                        1
    SPECIALS   feature, special pieces of its leader there, open cells, stage   1, where there is a special piece
    MARKS      feature, marks or nests on it, open cells, stage              1, where there are any
    TOUCHED    completed and unfinished areas that a field touches, stage    1
    FREE       feature, size, open cells, stage                              1, for the player to move: nobody is in it
    SUPPLY     followers in supply, stage                                    1
    SPECIAL    kind of special piece in supply, stage                        1
    TOKENS     kind of token, stage                                          how many
    HOUSE      by how many tiles the larger family house leads, stage        1
    NESTS      by how many nests the richer one leads, stage                 1
    TOWER      points to the next tower with a token, stage                  1
    MOVE       stage                                                         1, for the player to move
    COMPLETE   feature, lead, whether its leader moves, 1 or 2 open cells, tiles left that end it on the harder one,
               stage                                                         points the area would pay
    FREE_ENDS  feature, tiles left that complete it on its only open cell, size, stage
                                                                             1, in place of that of FREE
    READY      areas that one tile may complete, stage                       1
    JOIN       feature, who gains, tiles left that join an area of each player, stage
                                                                             points gained by it
    TURNS      tiles left                                                    1, for the player to move

    Weights may end before COMPLETE, if they were learned before the groups from there on were added (`widen`).
    An area counts for who leads in it; where nobody does, for nobody. Among more than two players it counts for each
    who leads in it, alone or with others. Stages are ranges of tiles left, of those that two players would have left
    for as many turns each.
"""

import numpy as np
import numpy.typing as npt

from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel
from zamek_env.ruleset import Ruleset

STAGES = 8  # up to 1, 3, 6, 11, 18, 28, 42 tiles left, and more
OPEN = 8  # open cells or ports, the last for all higher numbers
FIT = 6  # ranges of tiles that fit: none, 1, 2–3, 4–7, 8–15, more
LEADS = 3  # the leader is alone, leads by one, leads by more; among more than two: is alone, leads, shares the lead
RISKS = 2  # one tile may join the area with one of the opponent's, or not
GROWTH = 12  # sizes of areas, the last for all larger ones
COUNTS = 10
DISTANCES = 13  # points to a tower, the last for all farther ones
CLOSE = 2  # open cells, up to so many, of areas that are close to completion
ENDS = 8  # ranges of tiles that end an area: none, 1, 2, 3, 4–5, 6–8, 9–13, more
GAINS = 3  # by joining: one who moves, one who does not, or neither leads in what is joined
MOST_JOINS = 64  # features of that group in a position; any further ones are left out
SPREAD = 1.0  # points, times the root of the tiles left: how uncertain it is what a player will have more than another
TURNS_LEFT = 32  # tiles left, the last for all higher numbers

(
    LEAD, PROMISE, BASIC, SHAPE, PORTS, SPECIALS, MARKS, TOUCHED, FREE,
    SUPPLY, SPECIAL, TOKENS, HOUSE, NESTS, TOWER, MOVE,
    COMPLETE, FREE_ENDS, READY, JOIN, TURNS, GROUPS,
) = range(22)  # fmt: skip
FIRST_GROUPS = COMPLETE  # so many there were at first; weights of no others may be known


@kernel
def find_start(t, group):
    """Return the number of the first feature of a group; for `GROUPS`, how many features there are."""
    features, kinds = t.feature_points.size, t.kind_factor.size
    sizes = (
        1,
        features * LEADS * RISKS * OPEN * FIT * STAGES,
        features * 2 * OPEN * STAGES,
        features * OPEN * GROWTH * STAGES,
        features * LEADS * RISKS * OPEN * STAGES,
        features * (1 << (kinds - 1)) * OPEN * STAGES,
        features * COUNTS * OPEN * STAGES,
        COUNTS * COUNTS * STAGES,
        features * GROWTH * OPEN * STAGES,
        COUNTS * STAGES,
        kinds * STAGES,
        t.token_use.size * STAGES,
        COUNTS * STAGES,
        COUNTS * STAGES,
        DISTANCES * STAGES,
        STAGES,
        features * LEADS * 2 * CLOSE * ENDS * STAGES,
        features * ENDS * GROWTH * STAGES,
        COUNTS * STAGES,
        features * GAINS * FIT * STAGES,
        TURNS_LEFT,
    )
    start = 0
    for number in range(group):
        start += sizes[number]
    return start


def count_features(ruleset: Ruleset, groups: int = GROUPS) -> int:
    """Return how many features positions of a `Ruleset` have in the first `groups`."""
    return int(find_start(ruleset.tables[0], groups))


def widen(ruleset: Ruleset, weights: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return weights of all groups that say the same as `weights` of the `FIRST_GROUPS`."""
    tables = ruleset.tables[0]
    wide = np.zeros(count_features(ruleset), np.float32)
    wide[: weights.size] = weights
    free = weights[find_start(tables, FREE) : find_start(tables, FREE + 1)].reshape(-1, OPEN, GROWTH, STAGES)
    wide[find_start(tables, FREE_ENDS) : find_start(tables, FREE_ENDS + 1)] = np.repeat(free[:, 1:2], ENDS, 1).ravel()
    return wide


@kernel
def find_stage(s, left):
    """Return the stage of the game with so many tiles left."""
    of_two = find_left_of_two(s, left)
    if of_two <= 6:
        return 0 if of_two <= 1 else 1 if of_two <= 3 else 2
    if of_two <= 18:
        return 3 if of_two <= 11 else 4
    return 5 if of_two <= 28 else 6 if of_two <= 42 else 7


@kernel
def find_left_of_two(s, left):
    """Return how many tiles two players would have left for as many turns each as there are with so many `left`."""
    return int(left) if s.score.size == 2 else int(left) * 2 // s.score.size


@kernel
def find_fit_range(fits):
    """Return the range in which a number of fitting tiles lies."""
    if fits < 4:
        return 0 if fits == 0 else 1 if fits == 1 else 2
    return 3 if fits < 8 else 4 if fits < 16 else 5


@kernel
def find_end_range(tiles):
    """Return the range in which a number of tiles lies that end an area."""
    if tiles < 4:
        return int(tiles)
    if tiles < 9:
        return 4 if tiles < 6 else 5
    return 6 if tiles < 14 else 7


@kernel
def write(evaluator, number, player, amount):
    """Write one more feature of `player`, its number and value, into `evaluator`."""
    count = as_index(evaluator.num_features)
    evaluator.numbers[count] = number
    if evaluator.sums.size > 1:  # known to the compiler
        evaluator.amounts[count] = amount
        evaluator.owners[count] = player
    else:
        evaluator.amounts[count] = amount if player == 0 else -amount
    evaluator.num_features += 1


@kernel
def begin_features(t, s, evaluator):
    """Forget the features in `evaluator`, and write the points of all players."""
    begin_without_points(t, evaluator)
    for player in range(s.score.size):
        add_lead(evaluator, player, int(s.score[player]))


@kernel
def begin_without_points(t, evaluator):
    """Forget the features in `evaluator`, and write that nobody has any points."""
    evaluator.num_features = 0
    for player in range(evaluator.sums.size):
        write(evaluator, find_start(t, LEAD), player, 0)


@kernel
def add_lead(evaluator, player, points):
    """Add `points` of `player` to those that were written first."""
    if evaluator.sums.size > 1:
        evaluator.amounts[as_index(player)] += points
    else:
        evaluator.amounts[0] += points if player == 0 else -points


@kernel
def sum_features(evaluator):
    """Add up what the features in `evaluator` are worth. Writes `sums`."""
    sums = evaluator.sums
    if sums.size > 1:
        sums.fill(0)
        for number in range(evaluator.num_features):
            worth = evaluator.weights[as_index(evaluator.numbers[number])] * evaluator.amounts[number]
            sums[as_index(evaluator.owners[number])] += worth
        return
    value = 0.0
    for number in range(evaluator.num_features):
        value += evaluator.weights[as_index(evaluator.numbers[number])] * evaluator.amounts[number]
    sums[0] = value


@kernel
def find_value(worths, player, left):
    """Return by how much `player` is ahead, by what all have, as in `evaluator.sums`, with so many tiles `left`.

    Of more than two players that is ahead of the best other. As long as many tiles are left it is uncertain who that
    will be; then all others count.
    """
    if worths.size == 1:
        return float(worths[0]) if player == 0 else -float(worths[0])
    best, shares, spread = -np.inf, 0.0, SPREAD * np.sqrt(max(1.0, float(left)))
    for other in range(worths.size):
        if other != player:
            best = max(best, float(worths[other]))
    for other in range(worths.size):
        if other != player:
            shares += np.exp((float(worths[other]) - best) / spread) / (worths.size - 1)
    return float(worths[player]) - best - spread * np.log(shares)
