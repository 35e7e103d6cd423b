"""The files of `examples/` as modules."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]


def load(name: str) -> ModuleType:
    """Return an example as a module of its own, which does not run."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # tyro and dataclasses look there
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[name]
    return module
