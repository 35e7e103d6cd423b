"""Games of tiles for PettingZoo: `from zamek_env import zamek_v0`, then `zamek_v0.env()`.

It plays Zamek unless `ruleset` says otherwise, and every ruleset of tiles, those of Carcassonne included.
"""

from zamek_env.aec import env, raw_env
from zamek_env.environments.guarded_aec import register

__all__ = ["env", "raw_env"]

register("zamek_v0")
