"""Numbers on a command line that are too small or too large."""

from collections.abc import Mapping
from typing import Any

Range = tuple[float, float]  # least and most

MAX_MINUTES = 10**8  # some two hundred years


def check_range(option: str, value: float, least: float, most: float) -> None:
    """Raise `ValueError` unless the `value` of an `option` lies in its range; NaN never does."""
    if not least <= value <= most:
        raise ValueError(f"{option} must lie in {least} to {most}, not {value}")


def check_ranges(args: Any, ranges: Mapping[str, Range]) -> None:
    """Raise `ValueError` unless each argument named in `ranges` lies in its range, or is None."""
    for name, (least, most) in ranges.items():
        if getattr(args, name) is not None:
            check_range(f"--{name.replace('_', '-')}", getattr(args, name), least, most)


def check_seed(seed: int) -> None:
    """Raise `ValueError` where `--seed` is negative."""
    if seed < 0:
        raise ValueError(f"--seed must be 0 or more, not {seed}")


def check_minutes(minutes: float | None) -> None:
    """Raise `ValueError` where `--minutes` is neither left out nor a time."""
    if minutes is not None and not 0 < minutes <= MAX_MINUTES:
        raise ValueError(f"--minutes must be a positive number up to {MAX_MINUTES}, not {minutes}")
