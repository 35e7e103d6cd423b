"""Plays agents against each other on paired deals: every deal twice, with seats swapped, so that luck cancels out.

All chance follows from one seed by `np.random.SeedSequence`, each stream under a key of its own:

    (deal,)                     the number of the deal, the same for all pairings
    (deal, player, position)    an agent's generator in one game; position 0 or 1 is its place in the pairing

So a game comes out the same whether it is played alone, first or last.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from zamek_env import Game
from zamek_env.core.chance import MAX_DEAL

from .base import Agent

GAMES_PER_DEAL = 2


@dataclass(frozen=True)
class GameResult:
    """How one game ended. Pairs are in the order of the pairing, whoever began."""

    agents: tuple[str, str]
    deal: int  # the seed of the `Game`
    first_player: int  # 0 or 1: the player whom the first agent was
    scores: tuple[int, int]
    winner: int | None  # 0 for the first agent, 1 for the second, None for a shared victory
    record: dict | None  # the game record, where it was asked for


@dataclass(frozen=True)
class Pairing:
    """Two agents to be compared."""

    agents: tuple[Agent, Agent]
    names: tuple[str, str]
    seed: int = 0
    ruleset: str = "zamek"
    with_records: bool = False

    def play(self, deals):
        """Yield the `GameResult`s of so many deals, two games each."""
        for deal in range(deals):
            for first_player in range(GAMES_PER_DEAL):
                yield self.play_game(deal, first_player)

    def play_game(self, deal, first_player):
        """Play deal number `deal` of this seed to its end, with the first agent as `first_player`."""
        number = int(np.random.default_rng(self._spawn(deal)).integers(MAX_DEAL, endpoint=True))
        game = Game(self.ruleset, number)
        seating = (0, 1) if first_player == 0 else (1, 0)  # position in the pairing, by player; its own inverse
        rngs = [np.random.default_rng(self._spawn(deal, player, seating[player])) for player in range(2)]
        while not game.is_terminal:
            player = game.current_player
            game.step(self.agents[seating[player]].act(game, rngs[player]))
        scores = tuple(game.scores[player] for player in seating)
        return GameResult(
            agents=self.names,
            deal=number,
            first_player=first_player,
            scores=scores,
            winner=None if scores[0] == scores[1] else int(scores[1] > scores[0]),
            record=game.record([self.names[position] for position in seating]) if self.with_records else None,
        )

    def _spawn(self, *key):
        return np.random.SeedSequence(self.seed, spawn_key=key)


def pair_up(agents, seed=0, ruleset="zamek", with_records=False):
    """Return a `Pairing` of every two of the `agents`, in their order."""
    named = zip(agents, tell_apart([agent.name for agent in agents]), strict=True)
    return [
        Pairing((first, second), (first_name, second_name), seed, ruleset, with_records)
        for (first, first_name), (second, second_name) in combinations(named, 2)
    ]


def tell_apart(names):
    """Return the `names`, those that stand there more than once numbered: `random #1`, `random #2`."""
    counts, seen = Counter(names), Counter()
    apart = []
    for name in names:
        seen[name] += 1
        apart.append(f"{name} #{seen[name]}" if counts[name] > 1 else name)
    return apart
