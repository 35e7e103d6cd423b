"""Many games in one call: `states` of shape `(n,)`, and for each game a row of every other array.

Games do not touch each other, so a batch may be split among threads at will; the result does not depend on how. Every
thread needs a log and two games of scratch space of its own.
"""

from typing import NamedTuple

import numpy as np

from zamek_env.core import chance, greedy, observation, rules
from zamek_env.core.actions import OVER
from zamek_env.core.jit import kernel
from zamek_env.core.playout import draw_action
from zamek_env.core.rewards import DELTA, ILLEGAL_REWARD, SCORE, SCORE_UNIT
from zamek_env.core.tables import NONE, NUM_PLAYERS

BOTH = -1  # in `learners`: the learner decides for both seats
RANDOM, GREEDY = range(2)  # who answers for the other seat


class Batch(NamedTuple):
    """The arrays of a batch of n games: what it is, what comes in, what goes out."""

    states: np.ndarray  # (n,) of `state_dtype`
    learners: np.ndarray  # (n,) int8: the learner's seat, or BOTH
    leads: np.ndarray  # (n,) int32: player 0's points ahead, as far as rewarded
    generators: np.ndarray  # (n, 1) uint64: the opponents'
    lengths: np.ndarray  # (n,) int32: the learner's decisions in this episode
    gains: np.ndarray  # (n,) float64: player 0's, or the learner's, rewards in this episode
    deals: np.ndarray  # (n,) int64: of the next episode
    seats: np.ndarray  # (n,) int8: the learner's in the next episode
    actions: np.ndarray  # (n,) int64, in
    rewards: np.ndarray  # (n,) float64, out
    terminated: np.ndarray  # (n,) bool, in: episodes that ended before; out: those that end now
    illegal: np.ndarray  # (n,) bool, out: ended by an illegal action
    players: np.ndarray  # (n,) int8, out: who is to decide, -1 where the game is over
    planes: np.ndarray  # (n, rows, columns, planes) uint8, out
    vectors: np.ndarray  # (n, entries) float32, out
    masks: np.ndarray  # (n, actions) int8, out
    last_planes: np.ndarray  # the same of games that end and are dealt anew, before that
    last_vectors: np.ndarray
    last_masks: np.ndarray
    last_scores: np.ndarray  # (n, 2) int16, out: of games that end now
    last_lengths: np.ndarray  # (n,) int32, out, likewise
    last_gains: np.ndarray  # (n,) float64, out, likewise


class Options(NamedTuple):
    """How a batch is played."""

    opponent: int  # RANDOM or GREEDY; not used where the learner plays both seats
    reward: int  # one of `zamek_env.core.rewards`
    same_step: bool  # games that end are dealt anew at once, not by the next step


@kernel
def play_all(tables, states, logs, actions, chosen):
    """Play the legal action of every game that is `chosen`, bool `(n,)`; `logs` is spoilt."""
    for game in range(states.size):
        if chosen[game]:
            rules.step(tables[0], states[game], logs[0], actions[game])


@kernel
def observe_all(tables, states, planes, vectors, masks):
    """Write for every game what the player to decide sees and may do."""
    for game in range(states.size):
        s = states[game]
        observation.write_observation(tables[0], s, s.player, planes[game], vectors[game])
        rules.write_mask(tables[0], s, masks[game])


@kernel
def find_illegal(tables, states, actions, waiting):
    """Return the first game that is not `waiting` to be dealt anew and in which the action is illegal, or -1."""
    for game in range(states.size):
        if not waiting[game] and not rules.is_legal(tables[0], states[game], actions[game]):
            return game
    return -1


@kernel
def begin_chosen(tables, logs, trials, batch, options, chosen):
    """Deal the `chosen` games, bool `(n,)`, and write what there is to see."""
    for game in range(batch.states.size):
        if chosen[game]:
            _begin(tables[0], logs[0], trials, batch, options, game)
            _write_out(tables[0], batch, game, batch.planes, batch.vectors, batch.masks)


@kernel
def step_range(tables, logs, trials, batch, options, first, end):
    """Play one action in each of the games `first` … `end - 1`, with the answers to it, and write what there is to see.

    Reads `actions`, `terminated`, `deals`, `seats`; writes the rest of `batch`. `logs` and `trials` are spoilt.
    """
    t = tables[0]
    for game in range(first, end):
        batch.rewards[game] = 0.0
        batch.illegal[game] = False
        if batch.terminated[game]:
            batch.terminated[game] = False
            _begin(t, logs[0], trials, batch, options, game)
        else:
            _play_action(t, logs[0], trials, batch, options, game)
            if batch.terminated[game]:
                _note_episode(batch, game)
            if batch.terminated[game] and options.same_step:
                _write_out(t, batch, game, batch.last_planes, batch.last_vectors, batch.last_masks)
                _begin(t, logs[0], trials, batch, options, game)
        _write_out(t, batch, game, batch.planes, batch.vectors, batch.masks)


@kernel
def _begin(t, log, trials, batch, options, game):
    """Deal a game and let the opponent play where he begins."""
    generator = batch.generators[game]
    chance.seed_generator(generator, batch.deals[game])
    rules.reset(t, batch.states[game], log, generator)
    batch.learners[game] = batch.seats[game]
    batch.leads[game] = 0
    batch.lengths[game] = 0
    batch.gains[game] = 0.0
    _let_opponent_play(t, log, trials, batch, options, game)


@kernel
def _play_action(t, log, trials, batch, options, game):
    """Play the learner's action and the opponent's answers. Writes `rewards`, `terminated`, `illegal` and the sums."""
    s = batch.states[game]
    mover = s.player
    sign = 1 if mover == 0 or batch.learners[game] != BOTH else -1
    batch.lengths[game] += 1
    if not rules.is_legal(t, s, batch.actions[game]):
        batch.illegal[game] = True
        batch.terminated[game] = True
        batch.rewards[game] = ILLEGAL_REWARD
    else:
        rules.step(t, s, log, batch.actions[game])
        _let_opponent_play(t, log, trials, batch, options, game)
        batch.terminated[game] = s.phase == OVER
        batch.rewards[game] = _find_reward(s, batch, options, game, mover)
    batch.gains[game] += sign * batch.rewards[game]


@kernel
def _note_episode(batch, game):
    """Keep what an episode brought, which the next deal wipes out. Writes the `last_` sums and scores."""
    for player in range(NUM_PLAYERS):
        batch.last_scores[game, player] = batch.states[game].score[player]
    batch.last_lengths[game] = batch.lengths[game]
    batch.last_gains[game] = batch.gains[game]


@kernel
def _let_opponent_play(t, log, trials, batch, options, game):
    s = batch.states[game]
    while batch.learners[game] != BOTH and s.phase != OVER and s.player != batch.learners[game]:
        if options.opponent == RANDOM:
            action = draw_action(t, s, batch.generators[game])
        else:
            action = greedy.choose_greedily(t, batch.states, game, trials, log, batch.generators[game])
        rules.step(t, s, log, action)


@kernel
def _find_reward(s, batch, options, game, mover):
    """Return the reward of `mover`, who acted; `leads` follows the score."""
    lead = int(s.score[0]) - int(s.score[1])
    gained = lead - batch.leads[game]
    batch.leads[game] = lead
    sign = 1 if mover == 0 else -1
    if options.reward == DELTA:
        return sign * gained / SCORE_UNIT
    if s.phase != OVER:
        return 0.0
    return sign * (lead / SCORE_UNIT if options.reward == SCORE else float(np.sign(lead)))


@kernel
def _write_out(t, batch, game, planes, vectors, masks):
    """Write what the learner, or the player to decide, sees and may do."""
    s = batch.states[game]
    player = s.player if batch.learners[game] == BOTH else batch.learners[game]
    batch.players[game] = NONE if s.phase == OVER else s.player
    observation.write_observation(t, s, player, planes[game], vectors[game])
    rules.write_mask(t, s, masks[game])
