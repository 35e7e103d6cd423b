"""The files of `examples/` as modules."""

import dataclasses
import importlib.util
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@cache
def load(name: str) -> ModuleType:
    """Return an example as a module, which does not run; the same one each time: it may register something."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # tyro and dataclasses look there
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[name]
    return module


def check_counts(args: Any, run: Callable[[Any], object], **too_little: int) -> None:
    """Check that an example refuses in one line 0 for each whole number of `args`, −1 for the seed, or `too_little`."""
    for name, value in vars(args).items():
        if type(value) is int:
            given = {"seed": -1, **too_little}.get(name, 0)
            with pytest.raises(SystemExit) as refused:
                run(dataclasses.replace(args, **{name: given}))
            assert refused.value.code == f"--{name.replace('_', '-')} must be {given + 1} or more, not {given}"
