"""PettingZoo's registry of environments, which older versions do not have."""

import pettingzoo


def register(name: str) -> None:
    """Let `pettingzoo.make("aec", f"zamek_env/{name}", …)` call `env` of the module `zamek_env.{name}`."""
    if hasattr(pettingzoo, "register"):
        known = {spec.entry_point for spec in pettingzoo.aec_registry.values()}
        entry_point = f"zamek_env.{name}:env"
        if entry_point not in known:  # the module is read once more where it is reloaded
            pettingzoo.register("aec", f"zamek_env/{name}", entry_point=entry_point)
