"""A network that Stable-Baselines3 trained, as an agent: in `zamek evaluate`, in `zamek play` and as `opponent=`.

    python examples/sb3_maskable_ppo.py --save model.zip
    zamek evaluate --agents "examples/sb3_agent.py:Trained('model.zip')" greedy --games 100

It plays models of Castle too, and those that learned by self-play.

To load a model runs what its file says. So load only what you trained.
"""

from gymnasium import spaces
from sb3_contrib import MaskablePPO


class Trained:
    """Plays the action that a network prefers, one for `flat=True` or for a dict of parts."""

    def __init__(self, path):
        # It only plays: it needs no memory to learn from, whichever it had, and must seed nothing anew.
        playing = {"rollout_buffer_class": None, "rollout_buffer_kwargs": {}, "seed": None}
        self.model = MaskablePPO.load(path, device="cpu", **playing)
        space = self.model.observation_space
        self.looks = {"flat": not isinstance(space, spaces.Dict)}
        if "rows" in getattr(space, "spaces", ()):
            self.looks["observation"] = ("vector", "rows")

    def check_game(self, game):
        if game.observe(**self.looks) not in self.model.observation_space:
            raise ValueError("the network learned from other observations than this game has")

    def act(self, game, rng):
        seen, mask = game.observe(**self.looks), game.legal_action_mask()
        action, _ = self.model.predict(seen, action_masks=mask, deterministic=True)
        return int(action)
