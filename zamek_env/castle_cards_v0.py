"""castle-cards for PettingZoo: `from zamek_env import castle_cards_v0`, then `castle_cards_v0.env(players=3)`."""

from zamek_env.castle_cards_env.aec import env, raw_env
from zamek_env.environments.guarded_aec import register

__all__ = ["env", "raw_env"]

register("castle_cards_v0")
