"""Frozen agents: named with a version, each always decides as it did when it got its name.

Other agents are measured against them, so they must not become stronger when `greedy`, `value` or `mcts` do.
`tests/agents/test_frozen.py` compares them with decisions that are kept in a file. Where a change of an agent fails
that test, its old weights, options and kernels are kept for the frozen name.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from zamek_agents.base import RulesetAgent
from zamek_agents.heuristic import GreedyAgent
from zamek_agents.pretrained import FOLDER
from zamek_agents.search.mcts import MCTSAgent
from zamek_agents.value.agent import ValueAgent
from zamek_env import Game
from zamek_env.fair_play import proven_fair
from zamek_env.ruleset import Ruleset

GREEDY_V1, VALUE_V1, MCTS200_V1 = "greedy-v1", "value-v1", "mcts200-v1"
_STEM = f"frozen-{VALUE_V1}-"  # of files of weights, before the name of the ruleset
# All options of `mcts` as they were by default, so that other defaults change nothing.
MCTS200_V1_OPTIONS = (
    "simulations=200,turns=8,tries=1000,evaluation=learned,width=10,trust=16,exploration=0.1,temperature=2,guided=1,"
    "unit=20,nodes=1000000,endgame=0"
)


@proven_fair
class FrozenAgent(RulesetAgent):
    """The agent called `name`, one of `FROZEN`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def _make(self, ruleset: Ruleset) -> RulesetAgent:
        if self.name == GREEDY_V1:
            return GreedyAgent()
        weights = find_weights_v1(ruleset, self.name)
        return ValueAgent(weights) if self.name == VALUE_V1 else MCTSAgent(MCTS200_V1_OPTIONS, weights=weights)

    def _check_weights(self, ruleset: Ruleset) -> None:
        self._make(ruleset)

    def _prepare(self, game: Game) -> None:
        self._player = self._make(game.ruleset)

    def _choose(self, game: Game, rng: np.random.Generator) -> int:
        return self._player.act(game, rng)


def make_greedy_v1() -> FrozenAgent:
    """Return `greedy-v1`: `greedy` for games of tiles."""
    return FrozenAgent(GREEDY_V1)


def make_value_v1() -> FrozenAgent:
    """Return `value-v1`: `value` with the first weights that were shipped."""
    return FrozenAgent(VALUE_V1)


def make_mcts200_v1() -> FrozenAgent:
    """Return `mcts200-v1`: `mcts` with 200 simulations a decision, evaluating as `value-v1` does."""
    return FrozenAgent(MCTS200_V1)


def find_weights_v1(ruleset: Ruleset, agent: str) -> Path:
    """Return the file of the weights of `value-v1` for a `Ruleset`.

    Raises `ValueError`, naming the `agent` that needs them, where there are none.
    """
    found = list_frozen_weights(ruleset)
    if not found:
        known = sorted(path.stem.removeprefix(_STEM) for path in FOLDER.glob(f"{_STEM}*.npz"))
        own = "" if ruleset.is_packaged else " on components of your own"
        raise ValueError(f"the agent {agent!r} plays {', '.join(known)} only, not {ruleset.name!r}{own}")
    return found[VALUE_V1]


def list_frozen_weights(ruleset: Ruleset) -> dict[str, Path]:
    """Return {agent: path} of all weights of agents that never change, for a `Ruleset`."""
    path = FOLDER / f"{_STEM}{ruleset.name}.npz"
    return {VALUE_V1: path} if ruleset.is_packaged and path.exists() else {}


FROZEN: dict[str, Callable[[], FrozenAgent]] = {
    GREEDY_V1: make_greedy_v1,
    VALUE_V1: make_value_v1,
    MCTS200_V1: make_mcts200_v1,
}
