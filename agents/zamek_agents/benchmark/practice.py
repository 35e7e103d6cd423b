"""The games that a learner gets of a task, in which every decision is counted, and the player made of what it returns.

The budget is counted here and not by the learner. A decision that would go beyond it is not played: it raises
`BudgetSpentError`. A learner returns an agent, or a policy, which sees observations only.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv

from zamek_agents.base import Agent, RulesetAgent
from zamek_agents.benchmark.tasks import OBSERVATION, SIMULATOR, Task
from zamek_env import Game
from zamek_env.common.messages import show
from zamek_env.components.house_rules import parse_option
from zamek_env.environments.game_vector import GameVectorEnv, Stepped
from zamek_env.observer import Observation, Observer
from zamek_env.vector import ZamekVectorEnv

if TYPE_CHECKING:
    from stable_baselines3.common.vec_env import VecEnv

_UNTOLD = ("deal", "_deal")  # entries of `info` from which the whole deck follows

_ENV_IDS = {"zamek": "Zamek-v0", "sokol": "ZamekSokol-v0", "carcassonne": "Carcassonne-v0"}  # shown what a task shows

Opponent = str | Callable[[Game, np.random.Generator], int]
Reward = Literal["win", "score", "delta"]
Report = Callable[[Any], object]  # by which a learner shows what it has learned so far
Policy = Callable[[Observation, npt.NDArray[np.int8], np.random.Generator], int]


class BudgetSpentError(RuntimeError):
    """A learner asked for more decisions than its budget."""


class Practice:
    """A task as a learner meets it.

    `ruleset` is the `Ruleset` without house rules, `trained` are the house rules to learn by, "" for none, `track` is
    `"observation"` or `"simulator"`, `observation` are the parts that are shown, `decisions` is the budget, and
    `played` what is spent of it. `note(decisions)` is called with each number of decisions before they are played.
    """

    def __init__(self, task: Task, note: Callable[[int], object] = lambda decisions: None) -> None:
        self.ruleset, self.trained = task.find_ruleset(), task.trained or ("",)
        self.track, self.decisions, self.played = task.track, task.decisions, 0
        self.observation = task.observation
        self._note = note

    @property
    def left(self) -> int:
        """Number of decisions left."""
        return self.decisions - self.played

    def count(self, decisions: int) -> None:
        """Count decisions about to be played, for games that were not made here.

        Raises `BudgetSpentError`, having counted nothing, where fewer are left.
        """
        self.check(decisions)
        self.played += decisions
        self._note(decisions)

    def check(self, decisions: int) -> None:
        """Raise `BudgetSpentError` where fewer decisions are left."""
        if decisions > self.left:
            raise BudgetSpentError(
                f"{decisions} decisions were asked for where {self.left} of {self.decisions} are left; "
                f"a learner must stop before, as `task.left` tells"
            )

    def make_games(
        self,
        num_envs: int,
        opponent: Opponent | None = None,
        reward: Reward = "win",
        flat: bool = False,
        rules: str = "",
    ) -> "PracticeGames":
        """Return `num_envs` games; the arguments are those of `ZamekVectorEnv`, and `rules` one of `trained`.

        Each step is a decision of the learner in each game, whether it plays one seat or both. Raises `ValueError` for
        other house rules.
        """
        if rules not in self.trained:
            raise ValueError(f"rules must be one of {', '.join(map(repr, self.trained))}, not {show(rules)}")
        mode = AutoresetMode.SAME_STEP  # every step is a decision
        options: dict[str, Any] = {"opponent": opponent, "reward": reward, "flat": flat, "autoreset_mode": mode}
        options |= {"observation": self.observation, "rules": parse_option(rules)}
        return PracticeGames(self, ZamekVectorEnv(num_envs, self.ruleset.name, copy=True, **options))

    def make_vec_env(self, n_envs: int, seed: int, **env_kwargs: Any) -> "VecEnv":
        """Return `n_envs` games for Stable-Baselines3, as `zamek_env.sb3.make_vec_env` makes them, counted too.

        An `opponent` among the arguments is needed. Deals cannot be chosen, nor states read. An equal share of the
        games is played by each of the house rules `trained`. Raises `ValueError` where there are fewer games than
        these, or `rules` among the arguments.
        """
        from zamek_agents.benchmark.joined_vec_env import JoinedVecEnv
        from zamek_env.sb3 import make_vec_env

        if "rules" in env_kwargs:
            raise ValueError("rules must be left out: the task says by which house rules its games are played")
        if n_envs < len(self.trained):
            raise ValueError(f"n_envs must be {len(self.trained)} or more, one for each of trained, not {n_envs}")
        shown, parts = {"observation": self.observation} | env_kwargs, []
        for rules, numbers in zip(self.trained, np.array_split(np.arange(n_envs), len(self.trained)), strict=True):
            of_rules = shown | {"rules": parse_option(rules)}
            env: Any = make_vec_env(_ENV_IDS[self.ruleset.name], len(numbers), seed + int(numbers[0]), of_rules)
            env.venv.games = PracticeGames(self, env.venv.games)
            parts.append(env)
        return parts[0] if len(parts) == 1 else JoinedVecEnv(parts, self.check)

    def watch(self, games: GameVectorEnv[Any]) -> Any:
        """Return `games` with a `step` that counts decisions; `step_chosen`, with which opponents answer, does not.

        Such games show everything, so they are not for learners of other people.
        """
        return _Watched(self, games)


class PracticeGames(VectorEnv[Any, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many games of a task at once, under `AutoresetMode.SAME_STEP`: observations and rewards only.

    Nothing else can be read here: neither states nor the deal. Under the track `simulator` there is `copy_game`.
    """

    def __init__(self, practice: Practice, games: ZamekVectorEnv) -> None:
        self.num_envs, self.metadata = games.num_envs, games.metadata
        self.observation_space, self.action_space = games.observation_space, games.action_space
        self.single_observation_space = games.single_observation_space
        self.single_action_space = games.single_action_space
        self.__practice, self.__games = practice, games

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Reset all games. Raises `ValueError` for `options`: deals cannot be chosen."""
        if options:
            raise ValueError(f"options must be None in games of a task, not {options!r}")
        seen, info = self.__games.reset(seed=seed)
        return seen, _leave_out(info)

    def step(self, actions: npt.ArrayLike) -> Stepped:
        """Play an action in every game. Raises as `ZamekVectorEnv.step` does, and `BudgetSpentError`."""
        self.__practice.count(self.num_envs)
        seen, rewards, terminated, truncated, info = self.__games.step(actions)
        return seen, rewards, terminated, truncated, _leave_out(info)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, bool `(num_envs, num_actions)`."""
        return self.__games.action_masks()

    def call(self, name: str) -> tuple[Any, ...]:
        """Return the results of `render` or `action_masks` for each game, as `ZamekVectorEnv.call` does."""
        return self.__games.call(name)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Return what `ZamekVectorEnv.get_attr` returns. Raises `AttributeError` for the generators of deals too."""
        if str(name).startswith("np_random"):
            raise AttributeError(f"{name} tells the deals, which cannot be read in games of a task")
        return self.__games.get_attr(name)

    def copy_game(self, number: int, rng: np.random.Generator) -> Game:
        """Return a copy of one game, in which what is hidden from the player to decide is redealt by `rng`.

        What is played there is not counted. Raises `ValueError` under the track `observation`.
        """
        if self.__practice.track != SIMULATOR:
            raise ValueError(f"games are copied under the track {SIMULATOR!r} only, not {self.__practice.track!r}")
        game = Game.from_state(self.__games.ruleset, self.__games.states, number)
        return game.concealed(rng, game.current_player)

    def close_extras(self, **kwargs: Any) -> None:
        self.__games.close()


def _leave_out(info):
    """Return `info` without entries that reveal the deal."""
    told = {name: value for name, value in info.items() if name not in _UNTOLD}
    if "final_info" in told:
        told["final_info"] = _leave_out(told["final_info"])
    return told


class _Watched:
    """Games whose steps are counted."""

    def __init__(self, practice, games):
        self._practice, self._games = practice, games

    def __getattr__(self, name):
        return getattr(self._games, name)

    def step(self, actions):
        self._practice.count(self._games.num_envs)
        return self._games.step(actions)


# --- what a learner returns ---


class CannotPlayError(ValueError):
    """A learner returned no player, or one that played an illegal action."""


class PolicyAgent(RulesetAgent):
    """Plays what `policy(observation, action_mask, rng)` says; an observation has those `parts`.

    Its vector has only the `entries` of these names; house rules of a game may add others.
    """

    name: str = "policy"

    def __init__(self, policy: Policy, parts: tuple[str, ...], entries: tuple[str, ...]) -> None:
        self._policy, self._parts, self._entries = policy, parts, entries

    def _prepare(self, game: Game) -> None:
        self._observer = Observer(game.ruleset, self._parts)
        self._known = [game.ruleset.vector.names.index(name) for name in self._entries]

    def _choose(self, game: Game, rng: np.random.Generator) -> int:
        seen, mask, _, _ = self._observer.look(game)
        seen["vector"] = seen["vector"][self._known]
        return int(self._policy(seen, mask, rng))


def make_player(learned: Any, task: Task) -> Agent:
    """Return what was `learned` of a task, an agent or a policy, as an agent.

    Raises `CannotPlayError` where it is neither, or an agent under the track `observation`: an agent gets the game.
    """
    is_agent = callable(getattr(learned, "act", None))
    if is_agent and task.track != OBSERVATION:
        return learned
    if not is_agent and callable(learned):
        return PolicyAgent(learned, task.observation, task.find_ruleset().vector.names)
    policy = "a policy, a callable (observation, action_mask, rng) -> action"
    allowed = policy if task.track == OBSERVATION else f"an agent with act(game, rng), or {policy}"
    raise CannotPlayError(f"under the track {task.track!r} a learner must return {allowed}, not {show(learned)}")
