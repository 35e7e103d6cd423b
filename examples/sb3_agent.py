"""A network that Stable-Baselines3 trained, as an agent: in `zamek evaluate`, in `zamek play` and as `opponent=`.

    python examples/sb3_maskable_ppo.py --save model.zip
    zamek evaluate --agents "examples/sb3_agent.py:Trained('model.zip')" greedy --games 100

To load a model runs what its file says. So load only what you trained.
"""

from sb3_contrib import MaskablePPO


class Trained:
    """Plays the action that a network for `flat=True` prefers."""

    def __init__(self, path):
        self.model = MaskablePPO.load(path, device="cpu")

    def act(self, game, rng):
        seen, mask = game.observe(flat=True), game.legal_action_mask()
        action, _ = self.model.predict(seen, action_masks=mask, deterministic=True)
        return int(action)
