"""The agent `ppo`: plays the most probable action of a trained network."""

import torch

from zamek_agents.base import check_goes_on
from zamek_agents.ppo.weights import load_policy, read_trained_for
from zamek_agents.shipped import find_shipped
from zamek_env.fair_play import proven_fair
from zamek_env.spaces import Observer


@proven_fair
class PPOAgent:
    """Plays the most probable action of a network that `zamek train` wrote. It sees observations only.

    Args:
        path: a file of weights or a checkpoint. None: the weights in the package for the game's ruleset.

    It sets torch to one thread. For one position that is fastest, and the result is the same on every machine.

    Raises `ValueError` where the file holds no such policy. `act` raises it where the policy was trained for another
    ruleset than that of the game or on other components, or none is shipped for it.
    """

    def __init__(self, path=None):
        torch.set_num_threads(1)
        self.name = "ppo" if path is None else f"ppo:{path}"
        self._path = path
        self._policy = self._ruleset = None
        if path is not None and read_trained_for(path).components is None:
            load_policy(path)  # a file that holds no policy is refused now, not in the middle of a game

    def act(self, game, rng):
        """Return the most probable legal action; `rng` is not needed. Raises `ValueError` where the game is over."""
        check_goes_on(game)
        if game.ruleset is not self._ruleset:
            self._prepare(game.ruleset)
        seen, mask, _, _ = self._observer.look(game)
        action, _ = self._policy.predict(seen, action_masks=mask, deterministic=True)
        return int(action)

    def _prepare(self, ruleset):
        """Load the policy and make room for what it sees; kept only to save time."""
        path = find_shipped("ppo", ruleset) if self._path is None else self._path
        self._policy, _ = load_policy(path, ruleset)
        self._observer = Observer(ruleset)
        self._ruleset = ruleset
