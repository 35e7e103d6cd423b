"""The trained player: a masked-PPO policy, playing the most probable action."""

import zipfile

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableDictRolloutBuffer

from zamek_env.spaces import observe

# Only the policy is wanted, so the buffer for learning is made as small as it goes.
_NO_LEARNING = {
    "n_envs": 1,
    "n_steps": 2,
    "rollout_buffer_class": MaskableDictRolloutBuffer,
    "rollout_buffer_kwargs": {},
    "tensorboard_log": None,
}


class PPOAgent:
    """Plays by the policy that `scripts/train.py` wrote to `path`. Knows nothing hidden: it sees observations only.

    Raises `ValueError` where the file holds no such policy, or the policy is asked to play another ruleset.
    """

    def __init__(self, path):
        self.name = f"ppo:{path}"
        try:
            self._model = MaskablePPO.load(path, device="cpu", **_NO_LEARNING)
        except (zipfile.BadZipFile, KeyError, AssertionError, ValueError) as error:
            raise ValueError(f"{path} holds no trained policy: {error}") from error

    def act(self, game, rng):
        """Return the most probable legal action; `rng` is not needed."""
        seen = observe(game, game.current_player)
        spaces = self._model.observation_space
        fits = all(part.shape == spaces[name].shape for name, part in seen.items())
        if game.num_actions != self._model.action_space.n or not fits:
            raise ValueError(f"{self.name} was trained for another ruleset than {game.ruleset.name!r}")
        action, _ = self._model.predict(seen, action_masks=game.legal_action_mask(), deterministic=True)
        return int(action)
