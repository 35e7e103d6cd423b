"""Many games at once for Stable-Baselines3, played by the learner against itself and against past selves.

In a mirror game the learner decides for both seats: its next observation may be the opponent's, whose value counts
with the opposite sign. `SelfPlayVecEnv.movers` says whose decision every observation is, and `SignedRolloutBuffer`
turns the sign of values and advantages where the mover changes; after an extra turn, or within a turn, it does not.
In the other games a past self sits on one seat and answers inside `step`, so that the learner sees its own decisions
only.
"""

import numpy as np
from sb3_contrib.common.maskable.buffers import MaskableDictRolloutBuffer
from stable_baselines3.common.vec_env import VecEnv

from zamek_env.core.batch import BOTH
from zamek_env.vector import ZamekVectorEnv


class SelfPlayVecEnv(VecEnv):
    """`num_envs` games of `ruleset`, of which the last `num_past` have a past self on one seat.

    They are the games of a `ZamekVectorEnv` with these `threads`: no step loops over games in Python. `reward` is
    `"win"`, `"score"` or `"delta"`, as there, for the player who acted. `past_self` is a callable
    `(observations, masks) -> actions`, or None: then all games are mirror games.
    """

    def __init__(self, num_envs, num_past=0, reward="delta", ruleset="zamek", seed=0, threads=1):
        self.games = ZamekVectorEnv(num_envs, ruleset, reward=reward, copy=False, threads=threads)
        super().__init__(num_envs, self.games.single_observation_space, self.games.single_action_space)
        self.past_self = None
        self.results = []  # (my points, their points, is against a past self) of finished games, emptied by the reader
        self._num_past = num_past
        self._seed = seed
        self._rng = np.random.default_rng(seed)
        self._info = {"current_player": np.zeros(num_envs, np.int8)}  # until the first `reset`
        self._learner = np.full(num_envs, BOTH)
        self._owed = np.zeros(num_envs)  # rewards by the past self's moves before the learner's first

    @property
    def movers(self):
        """Whose decision each observation is, `(num_envs,)`."""
        return self._info["current_player"]

    def reset(self):
        """Begin all games anew and return the observations."""
        self._seen, self._info = self.games.reset(seed=self._seed)
        self._seed = None  # from now on the games go on drawing
        self._owed[:] = 0
        everyone = np.ones(self.num_envs, np.bool_)
        self._draw_seats(everyone)
        self._let_past_self_play(np.zeros(self.num_envs), everyone)
        return self._observe()

    def step_async(self, actions):
        self._actions = np.asarray(actions, np.int64)

    def step_wait(self):
        """Play the learner's actions and past selves' replies; games that end are dealt anew."""
        self._seen, rewards, ended, _, self._info = self.games.step(self._actions)
        rewards += self._owed
        self._owed[:] = 0
        self._note_results(ended)
        self._let_past_self_play(rewards, ended)
        return self._observe(), rewards.astype(np.float32), ended, [{} for _ in range(self.num_envs)]

    def _let_past_self_play(self, rewards, ended):
        """Play for past selves until the learner is to decide everywhere. Writes `rewards` and `ended`.

        What a past self gains the learner loses, in the game that goes on or, where it has `ended`, in the next.
        """
        while True:
            waiting = (self._learner != BOTH) & (self.movers != self._learner)
            if not waiting.any():
                return
            actions = np.zeros(self.num_envs, np.int64)
            seen = {name: values[waiting] for name, values in self._seen.items()}
            actions[waiting] = self.past_self(seen, self.games.action_masks()[waiting])
            self._seen, gains, now_ended, _, self._info = self.games.step_chosen(actions, waiting)
            rewards -= np.where(ended, 0, gains)
            self._owed -= np.where(ended, gains, 0)
            self._note_results(now_ended)
            ended |= now_ended

    def _note_results(self, ended):
        for game in np.flatnonzero(ended):
            points, learner = self._info["episode"]["scores"][game], self._learner[game]
            mine = max(learner, 0)
            self.results.append((int(points[mine]), int(points[1 - mine]), learner != BOTH))
        self._draw_seats(ended)

    def _draw_seats(self, dealt):
        """Draw the learner's seat in the games `dealt` anew."""
        drawn = self._rng.integers(2, size=self.num_envs)
        against_past = np.arange(self.num_envs) >= self.num_envs - self._num_past
        against_past &= self.past_self is not None
        self._learner[dealt] = np.where(against_past, drawn, BOTH)[dealt]

    def _observe(self):
        return {name: values.copy() for name, values in self._seen.items()}

    # --- what Stable-Baselines3 asks of a VecEnv ---

    def env_method(self, method_name, *method_args, indices=None, **method_kwargs):
        if method_name != "action_masks":
            raise AttributeError(f"only action_masks can be called, not {method_name}")
        return list(self.games.action_masks())

    def has_attr(self, attr_name):
        return attr_name == "action_masks"

    def get_attr(self, attr_name, indices=None):
        if attr_name != "render_mode":
            raise AttributeError(attr_name)
        return [None] * self.num_envs

    def set_attr(self, attr_name, value, indices=None):
        raise AttributeError(attr_name)

    def env_is_wrapped(self, wrapper_class, indices=None):
        return [False] * self.num_envs

    def close(self):
        """End the threads."""
        self.games.close()


class SignedRolloutBuffer(MaskableDictRolloutBuffer):
    """A rollout buffer in which the next state's value is the opponent's where the mover changes.

    `read_movers` returns whose decision the environments' current observations are, `(n_envs,)`.
    """

    def __init__(self, *args, read_movers, **kwargs):
        self._read_movers = read_movers
        super().__init__(*args, **kwargs)

    def reset(self):
        super().reset()
        self._movers = np.zeros((self.buffer_size + 1, self.n_envs), np.int64)
        self._movers[0] = self._read_movers()

    def add(self, *args, **kwargs):
        self._movers[self.pos + 1] = self._read_movers()
        super().add(*args, **kwargs)

    def compute_returns_and_advantage(self, last_values, dones):
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
