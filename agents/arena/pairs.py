"""Plays two agents against each other on paired deals: every deal twice, with seats swapped, so that luck cancels out.

The two games of a deal are one pair, and pairs are what everything else counts. All chance follows from one seed by
`np.random.SeedSequence`, each stream under a key of its own:

    (number,)                                the deal of the pair of that number, the same for all pairings
    (number, player, position, *pairing)     an agent's generator in one game; position 0 or 1 is its place in the
                                             pairing, and `pairing` are numbers made of both names

So a pair comes out the same whether it is played alone, first or last, and whoever else takes part.
"""

import hashlib
import time
from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from zamek_agents.arena.tally import tally
from zamek_agents.base import Agent
from zamek_env import Game
from zamek_env.checks import draw_deal
from zamek_env.components.model import Components
from zamek_env.fair_play import ask

GAMES_PER_PAIR = 2
SHARED_VICTORY = 0.5  # of a win


@dataclass(frozen=True)
class Side:
    """What one agent did in one game."""

    points: int
    sources: dict[str, int]  # points by what they were scored for; they add up to `points`
    tokens_taken: int
    discards: int  # tiles it drew that fitted nowhere
    decisions: int
    seconds: float  # spent on them; the only thing here that another run does not repeat


@dataclass(frozen=True)
class PlayedGame:
    """One game to its end; `sides` are in the order of the pairing, whoever began."""

    sides: tuple[Side, Side]
    record: dict | None  # the game record, where it was asked for

    @property
    def margin(self):
        """Points of the first agent more than the second."""
        return self.sides[0].points - self.sides[1].points

    @property
    def win(self):
        """What the first agent won of the game: 1, 0 or `SHARED_VICTORY`."""
        return SHARED_VICTORY if self.margin == 0 else float(self.margin > 0)


@dataclass(frozen=True)
class PairResult:
    """Both games of one deal: in `games[0]` the first agent began, in `games[1]` the second."""

    agents: tuple[str, str]
    number: int  # of the pair, counted from 0
    deal: int  # the seed of the `Game`
    games: tuple[PlayedGame, PlayedGame]

    @property
    def wins(self):
        """Wins of the first agent, from 0 to 2 in steps of a half."""
        return self.games[0].win + self.games[1].win

    @property
    def margin(self):
        """Points a game of the first agent more than the second."""
        return (self.games[0].margin + self.games[1].margin) / GAMES_PER_PAIR

    def without_records(self):
        """Return this result without the game records, which take more room than all the rest."""
        return replace(self, games=tuple(replace(game, record=None) for game in self.games))


@dataclass(frozen=True)
class Pairing:
    """Two agents to be compared."""

    agents: tuple[Agent, Agent]
    names: tuple[str, str]
    seed: int = 0
    ruleset: str = "zamek"
    with_records: bool = False
    components: Components | None = None  # None: the packaged ones

    def play(self, pairs):
        """Yield the `PairResult`s of so many pairs."""
        for number in range(pairs):
            yield self.play_pair(number)

    def play_pair(self, number):
        """Play the pair of that number: its deal with the first agent as player 0, then as player 1."""
        deal = self.find_deal(number)
        games = tuple(self._play_game(number, deal, first_player) for first_player in range(GAMES_PER_PAIR))
        return PairResult(self.names, number, deal, games)

    def find_deal(self, number):
        """Return the deal of the pair of that number."""
        return draw_deal(np.random.default_rng(self._spawn(number)))

    def _play_game(self, number, deal, first_player):
        """Play one game, with the first agent as `first_player`."""
        seating = seat(first_player)
        key = _key_of(self.names)
        rngs = [np.random.default_rng(self._spawn(number, player, seating[player], *key)) for player in range(2)]
        game, decisions, seconds = Game(self.ruleset, deal, self.components), [0, 0], [0.0, 0.0]
        while not game.is_terminal:
            player = game.current_player
            position = seating[player]
            started = time.perf_counter()
            action = ask(self.agents[position].act, game, rngs[player])
            seconds[position] += time.perf_counter() - started
            decisions[position] += 1
            game.step(action)
        record = game.record([self.names[position] for position in seating])
        scores, tallies = game.scores, tally(record)
        sides = tuple(
            Side(int(scores[player]), *tallies[player], decisions[position], seconds[position])
            for position, player in enumerate(seating)
        )
        return PlayedGame(sides, record if self.with_records else None)

    def _spawn(self, *key):
        return np.random.SeedSequence(self.seed, spawn_key=key)


def seat(first_player):
    """Return the position in the pairing, by player, and by position the player, where the first is `first_player`."""
    return (0, 1) if first_player == 0 else (1, 0)


def _key_of(names):
    """Return four numbers of 32 bits made of the names of a pairing."""
    return np.frombuffer(hashlib.sha256("\n".join(names).encode()).digest()[:16], "<u4").tolist()


def pair_up(agents, seed=0, ruleset="zamek", with_records=False, components=None):
    """Return a `Pairing` of every two of the `agents`, in their order."""
    named = zip(agents, tell_apart([agent.name for agent in agents]), strict=True)
    return [
        Pairing((first, second), (first_name, second_name), seed, ruleset, with_records, components)
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
