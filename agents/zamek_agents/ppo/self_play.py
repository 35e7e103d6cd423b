"""Many games at once for Stable-Baselines3, played by the learner against itself and against opponents.

In a mirror game the learner decides for both seats: its next observation may be the opponent's, whose value counts
with the opposite sign. `SelfPlayVecEnv.movers` says whose decision every observation is, and `SignedRolloutBuffer`
turns the sign of values and advantages where the mover changes; after an extra turn, or within a turn, it does not.
In the other games an opponent (`opponents.py`) sits on one seat and answers inside `step`, so that the learner sees
its own decisions only.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import torch
from gymnasium.vector import AutoresetMode
from sb3_contrib.common.maskable.buffers import MaskableDictRolloutBuffer
from stable_baselines3.common.vec_env import VecEnv

from zamek_agents.base import Agent
from zamek_agents.ppo.opponents import PastSelves, VecOpponent, read_opponents
from zamek_agents.ppo.policy import add_state, add_state_space
from zamek_env.base.episode import EVERY_SEAT
from zamek_env.common.checks import check_flag
from zamek_env.common.pickling import WritableArrays
from zamek_env.environments.reset_options import join_options
from zamek_env.layout.observation import PLANE_PARTS
from zamek_env.ruleset import Ruleset, get_ruleset
from zamek_env.sb3 import ZamekVecEnv
from zamek_env.vector import ZamekVectorEnv

MIRROR = -1  # in place of the number of an opponent: the learner plays both seats


class SelfPlayVecEnv(WritableArrays, ZamekVecEnv):
    """Many games in which the learner plays itself, and others in which it plays `opponents`.

    Args:
        num_envs: how many games.
        opponents: pairs of an agent, such as `make_agent` returns, or a `VecOpponent`, and in how many games it has a
            seat. They play in the last of the games. In the others the learner has both seats.
        reward: `"win"`, `"score"` or `"delta"`, as in `ZamekVectorEnv`, for the player who acted.
        ruleset: its name, or a `Ruleset`.
        threads: number of threads that share the games.
        observation: its parts, as in `ZamekVectorEnv`.
        states: whether observations also have the state of each game, as bytes, under `"state"`. It holds what is
            hidden: it is for networks over `AreaFeatures`, which read only what both players see.

    Raises `TypeError` or `ValueError` for other arguments, for more games of opponents than `num_envs`, and for an
    agent that does not play the ruleset.
    """

    def __init__(
        self,
        num_envs: int,
        opponents: Sequence[tuple[VecOpponent | Agent, int]] = (),
        reward: Literal["win", "score", "delta"] = "delta",
        ruleset: Ruleset | str = "zamek",
        threads: int = 1,
        observation: Sequence[str] = PLANE_PARTS,
        states: bool = False,
    ) -> None:
        self.ruleset = ruleset if isinstance(ruleset, Ruleset) else get_ruleset(ruleset)
        options: dict[str, Any] = {"components": self.ruleset.components, "reward": reward, "threads": threads}
        options |= {"autoreset_mode": AutoresetMode.SAME_STEP}  # as Stable-Baselines3 has it
        self.games = ZamekVectorEnv(num_envs, self.ruleset.name, copy=False, observation=observation, **options)
        read = read_opponents(opponents, self.games.num_envs, self.ruleset)
        self._shows_states = check_flag("states", states)
        seen: Any = self.games.single_observation_space
        space = add_state_space(seen, self.ruleset) if states else seen
        VecEnv.__init__(self, num_envs, space, self.games.single_action_space)  # others want an opponent in all games
        # of finished games, emptied by the reader: (opponent's name or None, my points, theirs)
        self.results: list[tuple[str | None, int, int]] = []
        self._opponents = [opponent for opponent, _ in read]
        seats = np.repeat(np.arange(len(read)), [count for _, count in read])
        self._opponent = np.concatenate([np.full(num_envs - len(seats), MIRROR), seats]).astype(int)
        self._actions: npt.NDArray[Any] | None = None  # noted by `step_async`
        self._seen: Any = None  # of all games, once they have begun
        self._info: dict[str, Any] = {"current_player": np.zeros(num_envs, np.int64)}  # until the first `reset`
        self._learner = np.full(num_envs, EVERY_SEAT)
        self._players: list[Any] = [None] * num_envs  # who answers in each game to its end
        self._owed = np.zeros(num_envs)  # rewards by an opponent's moves before the learner's first

    @property
    def movers(self) -> npt.NDArray[np.int64]:
        """The player to whom each observation belongs, `(num_envs,)`."""
        return self._info["current_player"]

    def reset(self) -> dict[str, npt.NDArray[Any]]:
        """Reset all games, by what `seed` and `set_options` gave, and return the observations."""
        self._list_players()  # before anything changes
        seed, options = self._seeds[0], join_options(self._options)
        self._reset_seeds()  # from now on the games go on drawing
        self._reset_options()
        self._rng = np.random.default_rng(seed)
        for number, opponent in enumerate(self._opponents):
            opponent.seed(None if seed is None else [seed, number])
        self._seen, self._info = self.games.reset(seed=seed, options=options)
        self._owed[:] = 0
        everyone = np.ones(self.num_envs, np.bool_)
        self._seat_players(everyone)
        self._let_opponents_play(np.zeros(self.num_envs), everyone)
        return self._observe()

    def step_wait(
        self,
    ) -> tuple[dict[str, npt.NDArray[Any]], npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Play the learner's actions noted last and the opponents' replies; games that end are reset.

        Raises `RuntimeError` where no actions are noted.
        """
        if self._actions is None:
            raise RuntimeError("step_async must be called before each step_wait")
        actions, self._actions = self._actions, None
        self._seen, rewards, ended, _, self._info = self.games.step(actions)
        rewards += self._owed
        self._owed[:] = 0
        self._note_results(ended)
        self._let_opponents_play(rewards, ended)
        return self._observe(), rewards.astype(np.float32), ended, [{} for _ in range(self.num_envs)]

    def _let_opponents_play(self, rewards, ended):
        """Play for the opponents until the learner must decide everywhere. Writes `rewards` and `ended`.

        What an opponent gains the learner loses, in the game that goes on or, where it has `ended`, in the next.
        """
        while True:
            waiting = (self._learner != EVERY_SEAT) & (self.movers != self._learner)
            if not waiting.any():
                return
            self._seen, gains, now_ended, _, self._info = self.games.step_chosen(self._ask_opponents(waiting), waiting)
            rewards -= np.where(ended, 0, gains)
            self._owed -= np.where(ended, gains, 0)
            self._note_results(now_ended)
            ended |= now_ended

    def _ask_opponents(self, waiting):
        """Return an action for each game, that of its opponent where one is `waiting` to decide."""
        actions, masks = np.zeros(self.num_envs, np.int64), self.games.action_masks()
        asked: dict[int, list[int]] = {}  # games by the `id` of who answers there
        for game in np.flatnonzero(waiting).tolist():
            asked.setdefault(id(self._players[game]), []).append(game)
        for games in asked.values():
            states = self.games.states[games]
            seen = self._show({name: values[games] for name, values in self._seen.items()}, states)
            actions[games] = self._players[games[0]].choose(seen, masks[games], states)
        return actions

    def _note_results(self, ended):
        for game in np.flatnonzero(ended):
            points, opponent = self._info["result"]["scores"][game], self._opponent[game]
            mine = max(self._learner[game], 0)
            name = None if opponent == MIRROR else self._opponents[opponent].name
            self.results.append((name, int(points[mine]), int(points[1 - mine])))
        self._seat_players(ended)

    def _seat_players(self, dealt):
        """Draw the learner's seat in the games just `dealt`, and note who sits opposite until they end."""
        drawn = self._rng.integers(2, size=self.num_envs)
        self._learner[dealt] = np.where(self._opponent == MIRROR, EVERY_SEAT, drawn)[dealt]
        players = self._list_players()
        for game in np.flatnonzero(dealt & (self._opponent != MIRROR)).tolist():
            self._players[game] = players[self._opponent[game]]

    def _list_players(self):
        """Return the player of each opponent for games that begin now."""
        return [opponent.drawn if isinstance(opponent, PastSelves) else opponent for opponent in self._opponents]

    def _observe(self):
        return self._show({name: values.copy() for name, values in self._seen.items()}, self.games.states)

    def _show(self, seen, states):
        return add_state(seen, states) if self._shows_states else seen


class SignedRolloutBuffer(MaskableDictRolloutBuffer):
    """A rollout buffer in which the next state's value is the opponent's where the mover changes.

    `read_movers` returns the players to whom the environments' current observations belong, `(n_envs,)`, in a new array
    after each step, as `SelfPlayVecEnv.movers` is. `add` raises `RuntimeError` where it gets the array of the step
    before: then it reads games other than those played, such as the copy in a saved model.
    """

    def __init__(self, *args: Any, read_movers: Callable[[], npt.NDArray[np.int64]], **kwargs: Any) -> None:
        self._read_movers = read_movers
        super().__init__(*args, **kwargs)

    def reset(self) -> None:
        """Forget what was added."""
        super().reset()
        self._movers = np.zeros((self.buffer_size + 1, self.n_envs), np.int64)
        self._movers[0] = self._last_read = self._read_movers()

    def add(self, *args: Any, **kwargs: Any) -> None:
        """Add a step, as the buffers of Stable-Baselines3 do. Raises `RuntimeError` as the class says."""
        read = self._read_movers()
        if read is self._last_read:
            raise RuntimeError(
                "read_movers must read the games that are played, and these have not been stepped; hand it over when a "
                "model is loaded: MaskablePPO.load(file, games, "
                'rollout_buffer_kwargs={"read_movers": lambda: games.movers})'
            )
        self._movers[self.pos + 1] = self._last_read = read
        super().add(*args, **kwargs)

    def compute_returns_and_advantage(self, last_values: torch.Tensor, dones: npt.NDArray[Any]) -> None:
        """Generalized advantage estimation in which a change of mover turns the sign of everything that follows."""
        signs = np.where(self._movers[1:] == self._movers[:-1], 1.0, -1.0)
        next_value, next_goes_on = last_values.cpu().numpy().flatten(), 1.0 - dones
        advantage = np.zeros(self.n_envs)
        for step in reversed(range(self.buffer_size)):
            discount = self.gamma * signs[step] * next_goes_on
            error = self.rewards[step] + discount * next_value - self.values[step]
            advantage = error + discount * self.gae_lambda * advantage
            self.advantages[step] = advantage
            next_value, next_goes_on = self.values[step], 1.0 - self.episode_starts[step]
        self.returns = self.advantages + self.values
