"""The decorator of all compiled functions, and a guard against stale compiled code.

numba notices an edit of the file a kernel stands in, but not of the files that it calls into. So the compiled code is
kept together with a fingerprint of *all* kernel sources, those of this folder and those beside the kernel; when that
differs, it is dropped and compiled anew.

numba names a compiled function after the types of its arguments, but records only by a number, counted anew in each
process. Code for the records of two rulesets, compiled by two processes and loaded by a third, can so bear one name,
and one ruleset is played by the code of the other. So here records are named by what they consist of.
"""

import hashlib
import os
from functools import cache
from pathlib import Path

from numba import njit, types

from zamek_env.core.code_cache import find_cache

_SOURCES = Path(__file__).parent


def _name_record(record):
    """Return (identifier, parameters) of which numba makes the name of a record in the names of functions."""
    return type(record).__name__, (hashlib.sha256(record.name.encode()).hexdigest()[:16],)


types.Record.mangling_args = property(_name_record)


def kernel(function):
    """Compile `function` on first call and keep the result on disk; while it runs, other threads may."""
    dispatcher = njit(nogil=True, error_model="numpy")(function)  # nothing is divided by 0
    is_compiled = dispatcher is not function  # not where NUMBA_DISABLE_JIT is set
    kept = find_cache(function) if is_compiled else None
    if kept is not None:
        drop_stale_code(Path(kept.cache_path), fingerprint(Path(function.__code__.co_filename).parent))
        dispatcher._cache = kept  # what `cache=True` would set, with the files checked
    return dispatcher


@cache
def fingerprint(*folders):
    """Return a digest of all kernel sources, and of all sources in `folders`."""
    digest = hashlib.sha256()
    for source in sorted({source for folder in (_SOURCES, *folders) for source in folder.glob("*.py")}):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@cache
def drop_stale_code(folder, current):
    """Remove the compiled code in `folder` unless it was made from the sources with fingerprint `current`."""
    stamp = folder / "kernels.fingerprint"
    try:
        if stamp.exists() and stamp.read_text() == current:
            return
        for pattern in ("*.nbi", "*.nbc"):
            for compiled in folder.glob(pattern):
                compiled.unlink(missing_ok=True)
        fresh = folder / f"kernels.{os.getpid()}"
        fresh.write_text(current)
        fresh.replace(stamp)
    except OSError:
        pass  # a folder that cannot be written to has no compiled code of ours to drop
