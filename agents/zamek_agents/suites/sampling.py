"""Positions out of games between `value` and `greedy`, some of whose moves are random."""

import numpy as np

from zamek_agents.base import Agent
from zamek_agents.heuristic import GreedyAgent
from zamek_agents.shipped import is_shipped
from zamek_agents.suites.kinds import is_of
from zamek_agents.value.agent import ValueAgent
from zamek_env import Game
from zamek_env.core.deals import draw_deal
from zamek_env.ruleset import Ruleset

RANDOM_MOVES = 0.1  # their share
MAX_GAMES = 200  # played in search of one position


def sample_position(ruleset: Ruleset, kind: str, rng: np.random.Generator) -> str:
    """Return the line of a position with a decision of that `kind` and two choices or more, of a game of its own.

    Raises `ValueError` where `MAX_GAMES` games have none.
    """
    players: list[Agent] = [GreedyAgent()]
    if is_shipped("value", ruleset):
        players.append(ValueAgent())
    for _ in range(MAX_GAMES):
        seats = [players[rng.integers(len(players))] for _ in range(ruleset.players)]
        found = _sample(Game(ruleset.name, draw_deal(rng), ruleset.components), kind, seats, rng)
        if found is not None:
            return found
    raise ValueError(f"there is no decision of the kind {kind!r} in {MAX_GAMES} games of {ruleset.name!r}")


def _sample(game, kind, seats, rng):
    """Return a position line of the game, each suitable decision with the same probability; None without one."""
    found, count = None, 0
    while not game.is_terminal:
        if is_of(kind, game) and len(game.legal_actions()) > 1:
            count += 1
            if rng.integers(count) == 0:
                found = game.copy()
        if rng.random() < RANDOM_MOVES:
            game.step(int(rng.choice(game.legal_actions())))
        else:
            game.step(seats[game.current_player].act(game, rng))
    return None if found is None else found.format_position(found.current_player)
