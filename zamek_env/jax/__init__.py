"""Games for JAX, as pure functions in the shape of pgx (`docs/jax.md`). It needs the extra `jax`."""

from zamek_env.common.extras import needs_extra

with needs_extra("jax", "zamek_env.jax"):
    import jax as _jax  # noqa: F401

from zamek_env.jax.drawing import draw_legal
from zamek_env.jax.env import Env, State, make

__all__ = ["Env", "State", "draw_legal", "make"]
