"""Games for JAX, as pure functions in the shape of pgx (`docs/jax.md`). It needs the extra `jax`."""

from zamek_env.messages import show_install

try:
    import jax as _jax  # noqa: F401
except ModuleNotFoundError as error:
    if error.name not in ("jax", "jaxlib"):
        raise
    raise ImportError(
        f"zamek_env.jax needs jax, which is not installed; install it by {show_install('jax')}"
    ) from error

from zamek_env.jax.drawing import draw_legal
from zamek_env.jax.env import Env, State, make

__all__ = ["Env", "State", "draw_legal", "make"]
