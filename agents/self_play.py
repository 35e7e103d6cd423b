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

from zamek_env.checks import draw_deal
from zamek_env.core import batch, engine
from zamek_env.core.actions import OVER
from zamek_env.core.rewards import SCORE_UNIT
from zamek_env.core.ruleset import get_ruleset
from zamek_env.spaces import make_action_space, make_observation_space

BOTH = -1  # seat of the learner in a mirror game


class SelfPlayVecEnv(VecEnv):
    """`num_envs` games of `ruleset`, of which the last `num_past` have a past self on one seat.

    `reward` is `"win"`, `"score"` or `"delta"`, as in `zamek_env.single.ZamekEnv`, for the player who acted.
    `past_self` is a callable `(observations, masks) -> actions`, or None: then all games are mirror games.
    """

    def __init__(self, num_envs, num_past=0, reward="delta", ruleset="zamek", seed=0):
        self.ruleset = get_ruleset(ruleset)
        super().__init__(num_envs, make_observation_space(self.ruleset), make_action_space(self.ruleset))
        self.reward = reward
        self.past_self = None
        self.results = []  # (my points, their points, is against a past self) of finished games, emptied by the reader
        self._num_past = num_past
        self._rng = np.random.default_rng(seed)
        self._states = self.ruleset.new_states(num_envs)
        self._log = self.ruleset.new_log()
        self._learner = np.full(num_envs, BOTH)
        self._planes = np.zeros((num_envs, *self.observation_space["planes"].shape), np.uint8)
        self._vectors = np.zeros((num_envs, *self.observation_space["vector"].shape), np.float32)
        self._masks = np.zeros((num_envs, self.ruleset.num_actions), np.bool_)

    @property
    def movers(self):
        """Whose decision each observation is, `(num_envs,)`."""
        return self._states["player"].copy()

    def reset(self):
        """Begin all games anew and return the observations."""
        for game in range(self.num_envs):
            self._deal(game)
        self._let_past_self_play()
        return self._observe()

    def step_async(self, actions):
        self._actions = np.asarray(actions, np.int64)

    def step_wait(self):
        """Play the learner's actions and past selves' replies; games that end are dealt anew."""
        movers, leads = self.movers, self._leads()
        everyone = np.ones(self.num_envs, np.bool_)
        batch.play_all(self.ruleset.tables, self._states, self._log, self._actions, everyone)
        self._let_past_self_play()
        over = self._states["phase"] == OVER
        rewards = np.where(movers == 0, 1, -1) * self._rewards(leads, over)
        for game in np.flatnonzero(over):
            self._note_result(game)
            self._deal(game)
        self._let_past_self_play()
        return self._observe(), rewards.astype(np.float32), over, [{} for _ in range(self.num_envs)]

    def _leads(self):
        return self._states["score"][:, 0].astype(np.int64) - self._states["score"][:, 1]

    def _rewards(self, leads, over):
        """Return player 0's rewards."""
        now = self._leads()
        if self.reward == "delta":
            return (now - leads) / SCORE_UNIT
        return over * (np.sign(now) if self.reward == "win" else now / SCORE_UNIT)

    def _deal(self, game):
        engine.start_deal(self.ruleset.tables, self._states, self._log, game, draw_deal(self._rng))
        against_past = self.past_self is not None and game >= self.num_envs - self._num_past
        self._learner[game] = self._rng.integers(2) if against_past else BOTH

    def _let_past_self_play(self):
        while True:
            waiting = (self._learner != BOTH) & (self._states["phase"] != OVER)
            waiting &= self._states["player"] != self._learner
            if not waiting.any():
                return
            observations, actions = self._observe(), np.zeros(self.num_envs, np.int64)
            seen = {name: values[waiting] for name, values in observations.items()}
            actions[waiting] = self.past_self(seen, self._masks[waiting])
            batch.play_all(self.ruleset.tables, self._states, self._log, actions, waiting)

    def _note_result(self, game):
        mine = max(self._learner[game], 0)
        points = self._states["score"][game]
        self.results.append((int(points[mine]), int(points[1 - mine]), self._learner[game] != BOTH))

    def _observe(self):
        batch.observe_all(self.ruleset.tables, self._states, self._planes, self._vectors, self._masks)
        return {"planes": self._planes.copy(), "vector": self._vectors.copy()}

    # --- what Stable-Baselines3 asks of a VecEnv ---

    def env_method(self, method_name, *method_args, indices=None, **method_kwargs):
        if method_name != "action_masks":
            raise AttributeError(f"only action_masks can be called, not {method_name}")
        return list(self._masks.copy())

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
        """Nothing is held open."""


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
