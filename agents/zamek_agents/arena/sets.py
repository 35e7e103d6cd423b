"""Plays agents against each other on equal deals: each plays every deal once from every seat, so luck cancels out.

The games of a deal are one set, the unit of all statistics: for two players a pair, with seats swapped. All chance
follows from one seed by `np.random.SeedSequence`, each stream under a key of its own:

    (number,)                               the deal of the set of that number, the same for all lineups
    (number, player, position, *lineup)     an agent's generator in one game; position 0, 1 … is its place in the
                                            lineup, and `lineup` are numbers made of all names

So a set comes out the same whether it is played alone, first or last, and whichever other agents take part.
"""

import hashlib
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from zamek_agents.base import Agent, check_agent
from zamek_agents.heuristic import GreedyAgent, RandomAgent
from zamek_env.base.chance import draw_deal
from zamek_env.common.checks import check_count, check_given_seed
from zamek_env.common.messages import show
from zamek_env.components.model import Components
from zamek_env.errors import noted
from zamek_env.fair_play import ask, play_answer
from zamek_env.game_protocol import take_turns
from zamek_env.make_game import make_game

ANCHORS = {"greedy": GreedyAgent, "random": RandomAgent}  # of ratings: the first of them that plays has 0 points
OTHER = "other"  # source of points of games whose records name none


class Tally(NamedTuple):
    """The statistics of one player in a game."""

    sources: dict[str, int]  # points by source; they add up to the player's points
    tokens_taken: int
    discards: int


def tally(record: Mapping[str, Any]) -> tuple[Tally, ...]:
    """Return the `Tally` of each player in the record of a finished game.

    An area brings its player the points that it added to the score, which a rule can make fewer than it is worth (rule
    S12). Points without a source in a record are counted under `OTHER`. A game without scores counts the cards left,
    below 0.
    """
    if "scores" not in record:
        left = zip(record["hands_left"], record["decks_left"], strict=True)
        return tuple(Tally({"cards in deck": -deck, "cards in hand": -hand}, 0, 0) for hand, deck in left)
    scores = record["scores"]
    sources, so_far = [Counter[str]() for _ in scores], [0] * len(scores)
    tokens, discards = [0] * len(scores), [0] * len(scores)
    for turn in record.get("turns", ()):
        discards[turn["player"]] += len(turn.get("discarded", ()))
        for area in turn.get("scored", ()):
            player = area["player"]
            sources[player][area["feature"]] += area["score"] - so_far[player]
            so_far[player] = area["score"]
            tokens[player] += area["took"] is not None
    for payment in record.get("end", ()):
        sources[payment["player"]][payment["reason"]] += payment["points"]
    for found, points in zip(sources, scores, strict=True):
        if found.total() != points:
            found[OTHER] = points - found.total()
    return tuple(
        Tally(dict(sorted(found.items())), *counts) for found, *counts in zip(sources, tokens, discards, strict=True)
    )


def rank_sources(tallies: Iterable[Mapping[str, int]]) -> tuple[str, ...]:
    """Return the names of all sources in `tallies` of points by source, those that brought most first."""
    totals: Counter[str] = Counter()
    for sources in tallies:
        totals.update(sources)
    return tuple(sorted(totals, key=lambda source: (-totals[source], source)))


@dataclass(frozen=True)
class Side:
    """The statistics of one agent in one game."""

    points: int
    sources: dict[str, int]  # points by what they were scored for; they add up to `points`
    tokens_taken: int
    discards: int  # tiles it drew that fitted nowhere
    decisions: int
    seconds: float  # spent on them; the only thing here that another run does not repeat


@dataclass(frozen=True)
class GameResult:
    """The outcome of one game; `sides` are in the order of the lineup, whichever agent began."""

    sides: tuple[Side, ...]
    record: dict[str, Any] | None  # the game record, where it was asked for
    wins: tuple[float, ...] | None = None  # as `find_wins` returns them; None where most points win

    @property
    def margin(self) -> int:
        """Points of the first agent above the best of the others."""
        first, *others = (side.points for side in self.sides)
        return first - max(others, default=0)

    @property
    def win(self) -> float:
        """The first agent's part of the win: 1, 0 or its share of a victory, such as a half."""
        return self.find_wins()[0]

    def find_wins(self) -> tuple[float, ...]:
        """Return what each agent won of the game: a shared victory is split equally."""
        return self.wins or share_victory([side.points for side in self.sides])


@dataclass(frozen=True)
class SetResult:
    """All games of one deal: in `games[0]` the first agent began, in `games[1]` it was player 1, and so on."""

    agents: tuple[str, ...]
    number: int  # of the set, counted from 0
    deal: int  # the seed of the game
    games: tuple[GameResult, ...]

    @property
    def wins(self) -> float:
        """Wins of the first agent, from 0 to the number of games; of a pair in steps of a half."""
        return sum(game.win for game in self.games)

    @property
    def margin(self) -> float:
        """Points a game of the first agent above the best of the others."""
        return sum(game.margin for game in self.games) / len(self.games)

    def without_records(self) -> "SetResult":
        """Return this result without the game records, which take more room than all the rest."""
        return replace(self, games=tuple(replace(game, record=None) for game in self.games))


@dataclass(frozen=True)
class Lineup:
    """The agents to compare, as many as play in a game."""

    agents: tuple[Agent, ...]
    names: tuple[str, ...]
    seed: int = 0
    ruleset: str = "zamek"
    with_records: bool = False
    components: Components | None = None  # None: the packaged ones
    players: int | None = None  # None: as many as the ruleset plays with

    def play(self, sets: int) -> Iterator[SetResult]:
        """Yield the `SetResult`s of `sets` sets. Raises `TypeError` or `ValueError` where that is no such number."""
        return map(self.play_set, range(check_count("sets", sets, least=0)))

    def play_set(self, number: int) -> SetResult:
        """Play the set of that number: its deal with the first agent as player 0, then as player 1, and so on.

        Raises as `find_deal` does, and what the agents raise.
        """
        deal = self.find_deal(number)
        kind = "pair" if len(self.agents) == 2 else "set"
        with noted(f"in {kind} {number} of {' and '.join(self.names)}, seed {self.seed}"):
            games = tuple(self._play_game(number, deal, seat) for seat in range(len(self.agents)))
        return SetResult(self.names, number, deal, games)

    def find_deal(self, number: int) -> int:
        """Return the deal of the set of that number. Raises `TypeError` or `ValueError` for a bad number."""
        return draw_deal(np.random.default_rng(self._spawn(check_count("number", number, least=0))))

    def _play_game(self, number, deal, first_seat):
        """Play one game, with the first agent as player `first_seat`."""
        count = len(self.agents)
        seating = list_positions(first_seat, count)
        key = np.frombuffer(hashlib.sha256("\n".join(self.names).encode()).digest()[:16], "<u4").tolist()
        rngs = [np.random.default_rng(self._spawn(number, player, seating[player], *key)) for player in range(count)]
        game = make_game(self.ruleset, deal, self.components, self.players)
        decisions, seconds = [0] * count, [0.0] * count
        for player in take_turns(game):
            position = seating[player]
            started = time.perf_counter()
            action = ask(self.agents[position].act, game, rngs[player])
            seconds[position] += time.perf_counter() - started
            decisions[position] += 1
            play_answer(game, action, f"the answer of {self.names[position]}")
        record = game.record([self.names[position] for position in seating])
        scores, tallies = game.scores, tally(record)
        sides = []
        for position, player in enumerate(list_players(first_seat, count)):
            sources, tokens, discards = tallies[player]
            sides.append(Side(int(scores[player]), sources, tokens, discards, decisions[position], seconds[position]))
        wins = share_victory([game.returns()[player] for player in list_players(first_seat, count)])
        follow_from_points = wins == share_victory([side.points for side in sides])
        return GameResult(tuple(sides), record if self.with_records else None, None if follow_from_points else wins)

    def _spawn(self, *key):
        return np.random.SeedSequence(self.seed, spawn_key=key)


def share_victory(results: Sequence[float]) -> tuple[float, ...]:
    """Return each player's share of one victory by their `results`, of which the highest wins."""
    most = max(results)
    winners = sum(result == most for result in results)
    return tuple((result == most) / winners for result in results)


def list_positions(first_seat: int, count: int = 2) -> tuple[int, ...]:
    """Return the position in the lineup of each of `count` players, where the first agent is player `first_seat`."""
    return tuple((player - first_seat) % count for player in range(count))


def list_players(first_seat: int, count: int = 2) -> tuple[int, ...]:
    """Return the player that each of `count` agents of a lineup is, where the first is player `first_seat`."""
    return tuple((position + first_seat) % count for position in range(count))


def line_up(
    agents: Sequence[Agent],
    seed: int = 0,
    ruleset: str = "zamek",
    with_records: bool = False,
    components: Components | None = None,
    players: int | None = None,
) -> list[Lineup]:
    """Return a `Lineup` for each choice of as many `agents` as play a game of the `ruleset`, in their order.

    `players` is how many play, where the ruleset leaves it open. Raises `ValueError` where the agents are too few, or
    one bears the name of an anchor and is another, and `TypeError` or `ValueError` where one is no agent, or for a bad
    `seed`.
    """
    first = check_given_seed("seed", seed)
    if not isinstance(agents, Sequence):
        raise TypeError(f"agents must be a sequence of agents, not {show(agents)}")
    for agent in agents:
        check_agent("agents", agent)
        _check_name(agent)
    count = make_game(ruleset, 0, components, players).num_players
    if len(agents) < count:
        raise ValueError(f"agents must be {count} or more for the ruleset {ruleset!r}, not {len(agents)}")
    named = zip(agents, number_duplicates([agent.name for agent in agents]), strict=True)
    lineups = [tuple(zip(*chosen, strict=True)) for chosen in combinations(named, count)]
    return [Lineup(chosen, names, first, ruleset, with_records, components, players) for chosen, names in lineups]


def _check_name(agent):
    """Raise `ValueError` where an agent bears the name of an anchor and is another: ratings would begin at it."""
    name = strip_number(str(agent.name))
    if name in ANCHORS and type(agent) is not ANCHORS[name]:
        given = f"{agent.name!r}, the name of the package's {ANCHORS[name].__name__}"
        raise ValueError(f"agents must have names of their own, and {type(agent).__name__} has {given}")


def strip_number(name: str) -> str:
    """Return a name without the number by which `number_duplicates` tells several agents of that name apart."""
    return name.partition(" #")[0]


def number_duplicates(names: Sequence[str]) -> list[str]:
    """Return the `names`, with repeated ones numbered: `random #1`, `random #2`."""
    counts, seen = Counter(names), Counter[str]()
    apart = []
    for name in names:
        seen[name] += 1
        while f"{name} #{seen[name]}" in counts:  # somebody bears that name
            seen[name] += 1
        apart.append(f"{name} #{seen[name]}" if counts[name] > 1 else name)
    return apart
