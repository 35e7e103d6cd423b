"""PTX kept from one process to the next, in the folder where numba keeps the kernels: making it takes five seconds.

A file is named after all that the PTX follows from, and ends with a digest of its contents. A file that is torn counts
as missing. Only the newest few are kept.
"""

import hashlib
import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from zamek_env.core.jit import fingerprint
from zamek_env.cuda import lanes, ptx

MOST = 16  # files
ENDING = ".zamek-ptx"
_DIGEST = hashlib.sha256
_DIGEST_BYTES = _DIGEST().digest_size


def find_ptx(linked: str, kernels: Collection[str], capability: int) -> str:
    """Return what `make_ptx` returns, made now or kept from before."""
    kept: Any = getattr(lanes.step_lane, "_cache", None)
    folder = getattr(kept, "cache_path", None)  # numba has none where nothing can be kept
    if folder is None:
        return ptx.make_ptx(linked, kernels, capability)
    path = Path(folder, _name(linked, kernels, capability))
    found = _read(path)
    if found is not None:
        return found
    made = ptx.make_ptx(linked, kernels, capability)
    with suppress(OSError):  # it works without: where the disk is full, it is made again next time
        _write(path, made)
    return made


def _name(linked, kernels, capability):
    """Return the name of a file: a digest of the arguments, and of the sources and the LLVM that make PTX."""
    parts = (linked, *kernels, str(capability), fingerprint(ptx.__name__), ptx.MAKER)
    return _DIGEST("\0".join(parts).encode()).hexdigest() + ENDING


def _read(path):
    """Return what a file holds, None where it is not there or torn; a file that is used counts as new."""
    try:
        contents = path.read_bytes()
    except OSError:
        return None
    with suppress(OSError):  # it may be somebody else's
        os.utime(path)
    text, digest = contents[:-_DIGEST_BYTES], contents[-_DIGEST_BYTES:]
    return text.decode() if _DIGEST(text).digest() == digest else None


def _write(path, made):
    """Keep PTX in a file, which appears whole, and remove the oldest of too many."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{uuid4().hex}")
    try:
        beside.write_bytes(made.encode() + _DIGEST(made.encode()).digest())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    others = sorted(path.parent.glob(f"*{ENDING}"), key=lambda other: other.stat().st_mtime_ns, reverse=True)
    for old in others[MOST:]:
        old.unlink(missing_ok=True)
