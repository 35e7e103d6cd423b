"""Optional packages, imported only when a feature that needs them is used."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from zamek_env.common.messages import show_install

TRAIN_PACKAGES = ("torch", "stable_baselines3", "sb3_contrib", "tensorboard")  # training and trained agents
PACKAGES = {  # extra: what it installs
    "cli": ("scipy", "tqdm", "rich", "tyro", "docstring_parser", "yaml"),
    "pictures": ("PIL",),
    "train": TRAIN_PACKAGES,
    "bench": ("matplotlib", "jinja2", "markupsafe"),
    "play": ("starlette", "uvicorn"),
    "openspiel": ("open_spiel", "pyspiel"),
    "ray": ("ray",),
    "wandb": ("wandb",),
    "minari": ("minari", "h5py"),
    "parquet": ("pyarrow",),
    "cuda": ("torch", "cuda"),
    "jax": ("jax", "jaxlib"),
}


class MissingExtraError(ImportError):
    """A package of an extra is not installed; the message says how to get it."""


@contextmanager
def needs_extra(extra: str, purpose: str) -> Iterator[None]:
    """Turn a failing import of one of its `PACKAGES` into a `MissingExtraError` that names the `purpose`."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in PACKAGES[extra]:
            raise
        raise MissingExtraError(
            f"{purpose} needs {package}, which is not installed; install it by {show_install(extra)}"
        ) from error


def needs_train_extra(purpose: str) -> AbstractContextManager[None]:
    """Turn a failing import of one of `TRAIN_PACKAGES` into a `MissingExtraError` that names the `purpose`."""
    return needs_extra("train", purpose)
