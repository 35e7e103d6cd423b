"""Makes suites: positions are sampled, and each choice in them is valued by playouts, or exactly.

Positions are of games between `value` and `greedy`, some of whose moves are random. All choices meet the same deals.
Games are played on from them greedily one decision ahead, as in the rollouts of `mcts`. The tile drawn next is each of
those left in turn. Games are played on for a number of turns and then valued, or to the end and counted.

    states[ROOT]            the game to decide in
    states[DEALT]           the same with what is hidden redealt
    states[GAME]            the game played on
    states[search.trials:]  where players try actions
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_agents.base import Agent
from zamek_agents.heuristic import GreedyAgent
from zamek_agents.pretrained import is_shipped
from zamek_agents.search.base import Solver
from zamek_agents.search.evaluation import choose_of_few, evaluate, load_evaluation_weights, set_up_evaluation
from zamek_agents.search.mcts_search import ROOT, deal_again, is_at_horizon, search_dtype
from zamek_agents.suites.suite import ENDGAME_TILES, KINDS, Worth, is_of
from zamek_agents.value.agent import ValueAgent
from zamek_agents.value.choice import count_trials
from zamek_agents.workers import ThisProcess, Workers, run_in_order
from zamek_env import Game
from zamek_env.base.chance import draw_deal, seed_generator
from zamek_env.common.pickling import WritableArrays
from zamek_env.compiler.jit import kernel
from zamek_env.components.house_rules import parse_option
from zamek_env.core.dealing import forget_hidden, redeal
from zamek_env.core.rules import step
from zamek_env.core.state import copy_state
from zamek_env.ruleset import Ruleset, get_ruleset

DEALT, GAME, TRIALS = range(ROOT + 1, ROOT + 4)
_ALL = 10**6  # actions that a player tries: all there are


class Playouts(WritableArrays):
    """Plays on from positions of a `Ruleset`, for `turns` turns, the one to decide in included.

    Players use the learned evaluation if weights are shipped for the ruleset, else the one by hand.
    """

    def __init__(self, ruleset: Ruleset, turns: int) -> None:
        self._states = ruleset.new_states(TRIALS + count_trials(ruleset.sizes))
        self._searches = np.zeros(1, search_dtype(ruleset))
        set_up_evaluation(self._searches, ruleset, load_evaluation_weights("auto", "", ruleset))
        self._searches["trials"], self._searches["tries"], self._searches["turns"] = TRIALS, _ALL, turns
        self._ruleset, self._logs = ruleset, ruleset.new_log()

    def play(self, game: Game, actions: npt.ArrayLike, deals: range, seed: int) -> npt.NDArray[np.float64]:
        """Return the margin of the player to decide after each of `actions` in each of the `deals`.

        The shape is `(actions, deals)`. A deal follows from `seed` and its number.
        """
        chosen = np.asarray(actions, np.int64)
        margins: Any = np.zeros((chosen.size, len(deals)))
        self._states[ROOT] = game.raw_states[0]
        self._searches["number"] = seed
        _play_out(self._ruleset.tables, self._states, self._logs, self._searches, chosen, deals.start, margins)
        return margins


@kernel
def _play_out(tables, states, logs, searches, actions, first_deal, margins):
    t, log, search = tables[0], logs[0], searches[0]
    player = int(states[ROOT].player)
    forget_hidden(states[ROOT], player)
    seed_generator(search.generator, search.number)
    redeal(states[ROOT], search.generator, player)
    for column in range(margins.shape[1]):
        deal_again(states, DEALT, search, first_deal + column)
        for row in range(actions.size):
            copy_state(states, DEALT, states, GAME)
            seed_generator(search.generator, search.number ^ (first_deal + column + 1))
            step(t, states[GAME], log, actions[row])
            while not is_at_horizon(states, GAME, search):
                step(t, states[GAME], log, choose_of_few(t, states, GAME, log, search))
            margins[row, column] = evaluate(t, states[GAME], player, search)


BATCH = 40  # deals that all choices left meet before some are dropped
BEHIND = 3.0  # standard errors by which a choice must be behind to be dropped
RANDOM_MOVES = 0.1  # their share
MAX_GAMES = 200  # played in search of one position


@dataclass(frozen=True)
class Recipe:
    """The settings of a suite."""

    ruleset: str
    kinds: tuple[tuple[str, int], ...]  # (kind of decision, how many)
    seed: int = 0
    deals: int = 200  # that each choice meets which is not dropped
    turns: int = 8  # played on before a position is valued; 0: to the end of the game
    players: int | None = None  # None: as many as is usual
    rules: str = ""  # house rules as a text

    def find_ruleset(self) -> Ruleset:
        """Return the `Ruleset` of the positions."""
        return get_ruleset(self.ruleset, None, self.players, parse_option(self.rules))


def make_worths(recipe: Recipe, workers: Workers | None = None) -> Iterator[Worth]:
    """Yield the `Worth` of every position, in order. Position and deals follow from the seed and its number.

    `workers` make them, by default this process. Raises `WorkerLostError`.
    """
    tasks = [(recipe, kind, number) for kind, count in recipe.kinds for number in range(count)]
    return (worth for _, worth in run_in_order(workers or ThisProcess(), make_worth, tasks))


def make_one_quickly(recipe: Recipe) -> None:
    """Make a position like those of the recipe, on few deals and of few turns, so that all is compiled."""
    kind = next(kind for kind, count in recipe.kinds if count)
    make_worth(replace(recipe, deals=2, turns=1), kind, 0)


def make_worth(recipe: Recipe, kind: str, number: int) -> Worth:
    """Return the `Worth` of one position."""
    rng = np.random.default_rng(np.random.SeedSequence(recipe.seed, spawn_key=(KINDS.index(kind), number)))
    ruleset = recipe.find_ruleset()
    line = sample_position(ruleset, kind, rng)
    if kind in ENDGAME_TILES:
        values = _find_solver(ruleset).solve(Game.parse_position(line, seed=0))
        return Worth(line, np.array([values, values]), np.zeros(values.size), np.zeros(values.size, np.int64))
    return play_on(line, recipe.deals, recipe.turns, rng)


def play_on(line: str, deals: int, turns: int, rng: np.random.Generator) -> Worth:
    """Return the `Worth` of a position by games played on from it; `deals` and `turns` are those of a `Recipe`."""
    game = Game.parse_position(line, seed=0)
    playouts = _find_playouts(game.ruleset, turns or game.ruleset.sizes.tiles)
    return Worth(line, *race(playouts, game, deals, int(rng.integers(2**62))))


def race(
    playouts: Playouts, game: Game, deals: int, seed: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Return (values by even and odd deals, standard errors, deals met) of all choices of `game`.

    After each `BATCH` of deals, choices are dropped that are surely behind. Such a choice gets the worth of the best
    one, less its distance from it on the deals that both met.
    """
    actions = np.array(game.legal_actions())
    margins = np.full((actions.size, deals), np.nan)
    left, met = np.arange(actions.size), np.zeros(actions.size, np.int64)
    for first in range(0, deals, BATCH):
        batch = range(first, min(first + BATCH, deals))
        margins[left, batch.start : batch.stop] = playouts.play(game, actions[left], batch, seed)
        met[left] = batch.stop
        played = margins[left, : batch.stop]
        behind = played[played.mean(1).argmax()] - played
        left = left[behind.mean(1) <= BEHIND * behind.std(1, ddof=1) / np.sqrt(batch.stop)]
        if left.size == 1:
            break
    best = left[np.nanmean(margins[left], axis=1).argmax()]
    behind = margins[best] - margins
    halves = [np.nanmean(margins[best, half::2]) - np.nanmean(behind[:, half::2], axis=1) for half in range(2)]
    errors = np.nanstd(behind, axis=1, ddof=1) / np.sqrt(met)
    return np.array(halves), errors, met


@lru_cache(maxsize=1)
def _find_solver(ruleset):
    return Solver(ruleset)


@lru_cache(maxsize=1)
def _find_playouts(ruleset, turns):
    return Playouts(ruleset, turns)


def sample_position(ruleset: Ruleset, kind: str, rng: np.random.Generator) -> str:
    """Return the line of a position with a decision of that `kind` and two choices or more, from a new game.

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
