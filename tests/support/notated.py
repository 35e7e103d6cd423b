"""Games set up at a position line, with the hidden part of another game."""

import numpy as np

from tests.support.games import few, play_greedily, play_randomly
from zamek_env import Game


def list_games(ruleset, random, greedy):
    """Yield so many random and greedy games of a ruleset, as iterables of their positions."""
    yield from (play_randomly(Game(ruleset, seed=seed), seed) for seed in range(few(random, 1)))
    yield from (play_greedily(Game(ruleset, seed=seed), seed) for seed in range(few(greedy, 0)))


def set_up_like(game):
    """Return a game set up at the position line of `game`; let the tiles and tokens that are hidden lie as there."""
    twin = Game.parse_position(game.format_position(), game.ruleset.components, seed=0)
    ours, theirs, left = game.state[0], twin.raw_states[0], {}
    for number in theirs["deck"][theirs["drawn"] :].tolist():
        left.setdefault(game.ruleset.tile(number).id, []).append(number)
    for place in range(int(ours.drawn), ours.deck.size):
        theirs["deck"][place] = left[game.ruleset.tile(int(ours.deck[place])).id].pop()
    for place in np.argwhere(ours.hand >= 0).tolist():
        theirs["hand"][*place] = theirs["deck"][ours.deck == ours.hand[*place]][0]
    for place, kind in enumerate(ours.token_deal.tolist()):
        if place >= ours.tower_taken.size or not ours.tower_taken[place]:
            theirs["token_deal"][place] = kind
    assert not any(left.values())
    return twin
