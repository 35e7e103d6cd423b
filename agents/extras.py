"""The packages that only training and trained agents need; they are imported when such an agent is asked for."""

from collections.abc import Iterator
from contextlib import contextmanager

TRAIN_PACKAGES = ("torch", "stable_baselines3", "sb3_contrib", "tensorboard")


class MissingExtraError(ImportError):
    """A package of an extra is not installed; the message says how to get it."""


@contextmanager
def needs_train_extra(purpose: str) -> Iterator[None]:
    """Turn a failing import of one of `TRAIN_PACKAGES` into a `MissingExtraError` that names the `purpose`."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in TRAIN_PACKAGES:
            raise
        raise MissingExtraError(f"{purpose} needs {package}, which is not installed; {tell_how('train')}") from error


def tell_how(extra: str) -> str:
    """Return how to install the packages of an extra, as the end of a sentence."""
    return f"install it by `pip install -e '.[{extra}]'` in the folder of zamek_env that holds pyproject.toml"
