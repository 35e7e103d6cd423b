"""Where compiled code is kept: in files that are checked when they are read, in a folder that can be written to.

numba keeps compiled code beside the sources, or else below the home of the user. Where neither can be written to, it
refuses to work; here it is kept in a temporary folder then. numba also trusts what it reads; here every file ends with
a digest of its contents and of the sources that it was compiled from. A file that is torn, changed or of other sources
counts as missing: it is compiled again.
"""

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Callable
from contextlib import contextmanager
from functools import cache
from glob import escape
from io import BytesIO
from pathlib import Path
from typing import Any

from numba import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile

_DIGEST = hashlib.sha256
_DIGEST_BYTES = _DIGEST().digest_size


def seal(contents: bytes, sources: str) -> bytes:
    """Return `contents` and a digest of them and of the sources that they were made from, as files hold them."""
    return contents + _DIGEST(sources.encode() + contents).digest()


def read_sealed(path: Path | str, sources: str) -> bytes | None:
    """Return what was sealed into a file, None where it is not there, torn, changed or of other sources."""
    try:
        found = Path(path).read_bytes()
    except OSError:
        return None
    contents = found[:-_DIGEST_BYTES]
    return contents if seal(contents, sources) == found else None


class _SealedFiles(IndexDataCacheFile):
    """numba's cache files of one function, each followed by a digest that numba does not read."""

    def save(self, key: Any, data: Any) -> None:
        """Keep `data` for `key` in a file named after the key.

        numba numbers its files. Two processes that compile a function for two rulesets at the same time would use the
        same number, and one would load the other's code.
        """
        overloads = self._load_index()
        if key not in overloads:
            overloads[key] = self._data_name(int(_DIGEST(repr(key).encode()).hexdigest()[:12], 16))
            self._save_index(overloads)
        self._save_data(overloads[key], data)

    @contextmanager
    def _open_for_write(self, filepath):
        contents = BytesIO()
        yield contents
        with super()._open_for_write(filepath) as file:
            file.write(seal(contents.getvalue(), self._source_stamp))

    def _load_index(self):
        return super()._load_index() if self._is_whole(self._index_path) else {}

    def _load_data(self, name):
        if not self._is_whole(self._data_path(name)):
            raise FileNotFoundError(name)  # numba takes this for missing code
        return super()._load_data(name)

    def _is_whole(self, path):
        return read_sealed(path, self._source_stamp) is not None


class KernelCache(FunctionCache):
    """The compiled code of one function on disk, valid only for sources with the digest `sources`.

    `files` is the class that says what is kept of it, by default that of numba's own cache. Raises `RuntimeError` where
    no folder can be written to.
    """

    def __init__(
        self, function: Callable[..., Any], sources: str, files: type[CompileResultCacheImpl] | None = None
    ) -> None:
        if files is not None:
            self._impl_class = files
        super().__init__(function)
        self._cache_file = _SealedFiles(self.cache_path, self._impl.filename_base, sources)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for the signature `sig`, None where it must be compiled, which is said once per process."""
        found = super().load_overload(sig, target_context)
        if found is None:
            print_once(
                "compiling to machine code: 15 to 30 seconds, once for each ruleset and each part of the package"
            )
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code for a signature. If that fails, as on a full disk, it is compiled again next time."""
        try:
            self._drop_moved()
            super().save_overload(sig, data)
        except OSError as error:
            print_once(f"compiled code is not kept: {error}")

    def _drop_moved(self):
        """Remove code that was kept while this function stood on another line: `NAME-LINE.pyVERSION.….nb[ci]`.

        Code of other versions of Python is left alone, for they may share the folder.
        """
        here = self._impl.filename_base
        name, version = here.rpartition("-")[0], here.rpartition(".")[2]
        for path in Path(self.cache_path).glob(f"{escape(name)}-*.{escape(version)}.*nb[ci]"):
            if path.name.partition("-")[0] == name and not path.name.startswith(f"{here}."):
                path.unlink(missing_ok=True)


def find_cache(
    function: Callable[..., Any], sources: str, files: type[CompileResultCacheImpl] | None = None
) -> KernelCache | None:
    """Return the `KernelCache` of a function, in a temporary folder if need be, or None where nothing can be kept."""
    try:
        return KernelCache(function, sources, files)
    except RuntimeError:
        pass
    try:
        config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"] = _make_temporary_folder()
        kept = KernelCache(function, sources, files)
    except (OSError, RuntimeError):
        print_once("no folder can be written to, so compiled code is not kept: every start takes 15 seconds or more")
        return None
    print_once(
        f"neither {Path(__file__).parent} nor your home can be written to: compiled code is kept in {config.CACHE_DIR}"
    )
    return kept


def _make_temporary_folder():
    """Return a folder for compiled code that nobody else can write to, the same one for all processes if possible."""
    if not hasattr(os, "getuid"):
        return tempfile.mkdtemp(prefix="zamek_env-")
    folder = Path(tempfile.gettempdir()) / f"zamek_env-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o022
    return str(folder) if is_ours else tempfile.mkdtemp(prefix="zamek_env-")


@cache
def print_once(message: str) -> None:
    """Print a line on stderr, the same one only once a process."""
    if sys.stderr is not None:
        print(f"zamek_env: {message}", file=sys.stderr, flush=True)
