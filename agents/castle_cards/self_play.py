"""Games of Castle for two, many at once: the learner plays one seat against `greedy`, or both seats.

What the learner is shown of a decision stands in `Show`: all that who decides knows, and what greedy play thinks of it.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.castle_cards.greedy_choice import choose_greedily, value_options
from zamek_agents.castle_cards.survey import SURVEY
from zamek_agents.castle_cards.worths import make_worths
from zamek_env.castle_cards.core.dealing import deal
from zamek_env.castle_cards.core.ending import is_terminal
from zamek_env.castle_cards.core.log import LOG
from zamek_env.castle_cards.core.observe import write_observation
from zamek_env.castle_cards.core.rules import begin_game, find_option, step
from zamek_env.castle_cards.core.state import STATE, new_states
from zamek_env.castle_cards.layout.actions import NUM_ACTIONS
from zamek_env.castle_cards.layout.observation import find_layout
from zamek_env.core.bits import as_index
from zamek_env.core.chance import draw_below, draw_random, seed_generator
from zamek_env.core.jit import kernel

PLAYERS = 2
BOTH = -1  # in place of a seat: the learner plays both
LEAST_LIKED = -3.0  # what is worse than the best by more is shown as that; in actions
ILLEGAL = -1e9
LEAD_UNIT = 5.0  # actions ahead that are shown as tanh(1)


class Show(NamedTuple):
    """What n decisions look like, a row each."""

    seen: npt.NDArray[np.float32]  # (n, entries), the observation
    liked: npt.NDArray[np.float32]  # (n, NUM_ACTIONS), worth to greedy play below the best; ILLEGAL of illegal actions
    lead: npt.NDArray[np.float32]  # (n,), how far who decides is ahead, -1 to 1


class Games(NamedTuple):
    """n games, and what the last step brought them."""

    blank: npt.NDArray[np.record]
    states: npt.NDArray[np.record]
    logs: npt.NDArray[np.record]
    worths: npt.NDArray[np.record]
    surveys: npt.NDArray[np.record]
    generators: npt.NDArray[np.uint64]  # (1,)
    seats: npt.NDArray[np.int64]  # (n,), of the learner, or BOTH
    rewards: npt.NDArray[np.float32]  # (n,), of the last step to who decided
    ended: npt.NDArray[np.bool_]  # (n,), a new game has begun
    movers: npt.NDArray[np.int64]  # (n,), who is to decide
    show: Show


def make_show(count: int) -> Show:
    """Return room for so many decisions."""
    entries = len(find_layout(PLAYERS))
    liked = np.zeros((count, NUM_ACTIONS), np.float32)
    return Show(np.zeros((count, entries), np.float32), liked, np.zeros(count, np.float32))


def begin_games(count: int, mirrored: int, seed: int) -> Games:
    """Return `count` games, in the first `mirrored` of which the learner plays both seats."""
    seats = np.where(np.arange(count) < mirrored, BOTH, 0)
    room = (np.zeros(count, np.float32), np.zeros(count, np.bool_), np.zeros(count, np.int64), make_show(count))
    states, logs, surveys = np.zeros(count, STATE), np.zeros(1, LOG), np.zeros(1, SURVEY)
    games = Games(new_states(1), states, logs, make_worths(), surveys, np.zeros(1, np.uint64), seats, *room)
    seed_generator(games.generators, seed)
    begin_all(games)
    return games


@kernel
def begin_all(games):
    """Deal all games, and show what is to be decided."""
    for game in range(games.states.size):
        _begin(games, game)
        show_decision(games.states, game, games, game)


@kernel
def step_all(games, actions):
    """Play one action in each game, let `greedy` answer, deal anew where a game has ended, and show all decisions."""
    for game in range(games.states.size):
        mover = games.movers[game]
        s = games.states[game]
        step(s, games.logs[0], actions[game])
        _let_greedy_play(games, game)
        games.ended[game] = is_terminal(s)
        games.rewards[game] = 0.0
        if is_terminal(s):
            games.rewards[game] = find_return(s, mover)
            _begin(games, game)
        show_decision(games.states, game, games, game)


@kernel
def find_return(s, player):
    """Return what a player of two got of a game that is over: 1, -1, or 0 for a shared win."""
    own, other = (s.winners >> player) & 1, (s.winners >> (1 - player)) & 1
    return np.float32(own) - np.float32(other)


@kernel
def _begin(games, game):
    generator = games.generators
    while True:
        deal(games.blank, games.states, game, PLAYERS, np.int64(draw_random(generator)))
        begin_game(games.states[game], games.logs[0])
        if games.seats[game] != BOTH:
            games.seats[game] = draw_below(generator, PLAYERS)
        _let_greedy_play(games, game)
        if not is_terminal(games.states[game]):
            return


@kernel
def _let_greedy_play(games, game):
    """Play greedily until the learner is to decide or the game is over. Writes `movers`."""
    s, seat = games.states[game], games.seats[game]
    while seat != BOTH and not is_terminal(s) and s.decider != seat:
        step(s, games.logs[0], choose_greedily(s, games.worths[0], games.surveys[0], games.generators))
    games.movers[game] = s.decider


@kernel
def show_decision(states, game, games, row):
    """Show the decision of `states[game]` in that row of `games.show`."""
    s, show = states[game], games.show
    write_observation(s, np.int64(s.decider), show.seen[row])
    write_liked(s, games, show.liked[row])
    other = 1 - np.int64(s.decider)
    ahead = _count_actions(s, other) - _count_actions(s, np.int64(s.decider))
    show.lead[row] = np.tanh(ahead / LEAD_UNIT)


@kernel
def write_liked(s, games, out):
    """Write by how much greedy play likes each action less than the best."""
    out.fill(ILLEGAL)
    values = np.empty(NUM_ACTIONS, np.float64)
    value_options(s, games.worths[0], games.surveys[0], games.generators, values)
    best = values[0]
    for number in range(np.int64(s.num_options)):
        best = max(best, values[number])
    for number in range(np.int64(s.num_options)):
        out[as_index(find_option(s, number))] = max(values[number] - best, LEAST_LIKED)


@kernel
def _count_actions(s, player):
    """Return how many actions a player needs at least: to draw his deck, and to play all cards."""
    actions = np.float64(s.hand_size[player]) + 2.0 * s.deck_size[player]
    return actions - s.actions_left if player == s.turn else actions
