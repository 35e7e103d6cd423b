"""A cache of PTX on disk, in the folders where the kernels are kept: making it takes five seconds.

A file is named after all inputs of the PTX, and sealed as compiled code is (`core/code_cache.py`): if it is truncated,
it counts as missing. Only the newest few are kept.
"""

import hashlib
import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from zamek_env.core.code_cache import read_sealed, seal
from zamek_env.core.jit import fingerprint
from zamek_env.cuda import lanes, ptx

MOST = 16  # files
ENDING = ".zamek-ptx"


def find_ptx(linked: str, kernels: Collection[str], capability: int) -> str:
    """Return the result of `make_ptx`, from the cache or made now."""
    kept: Any = lanes.step_lane
    sources = fingerprint(ptx.__name__)
    parts = (linked, *kernels, str(capability), sources, ptx.MAKER)
    name = hashlib.sha256("\0".join(parts).encode()).hexdigest() + ENDING
    paths = [Path(folder, name) for folder in kept._cache.folders]
    for path in paths:
        found = read_sealed(path, sources)
        if found is not None:
            with suppress(OSError):  # what is used counts as new; it may be somebody else's
                os.utime(path)
            return found.decode()
    made = ptx.make_ptx(linked, kernels, capability)
    with suppress(OSError):  # optional: if the disk is full, it is made again next time
        _write(paths[0], seal(made.encode(), sources))
    return made


def _write(path, sealed):
    """Write sealed data to a file atomically, and remove the oldest files beyond the limit."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{uuid4().hex}")
    try:
        beside.write_bytes(sealed)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    others = sorted(path.parent.glob(f"*{ENDING}"), key=lambda other: other.stat().st_mtime_ns, reverse=True)
    for old in others[MOST:]:
        old.unlink(missing_ok=True)
