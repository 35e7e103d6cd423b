"""Keeps compiled code in files that are checked when they are read, in a folder that can be written to.

numba keeps compiled code in `NUMBA_CACHE_DIR`, else next to the sources, else below the home of the user: in the first
of them that can be written to. It reads nothing from the others. Here it is read from read-only ones too, for an image
can hold code that was compiled when it was built. Where no folder can be written to, numba refuses to work; here new
code is kept in a temporary folder then, or not at all. numba also trusts what it reads; here every file ends with a
digest of its contents and of the sources that it was compiled from. A file that is truncated, changed or of other
sources counts as missing: the code is compiled again.
"""

import hashlib
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Callable, Sequence
from fnmatch import filter as filter_names
from functools import cache, cached_property
from glob import escape
from inspect import getfile
from pathlib import Path
from typing import Any
from uuid import uuid4

import numba
from numba import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.serialize import dumps

_DIGEST = hashlib.sha256
_DIGEST_BYTES = _DIGEST().digest_size
_LOCATORS = {  # numba's kinds of folders, by names that begin with `_` in older versions
    locator.__name__.lstrip("_"): locator for locator in CompileResultCacheImpl._locator_classes
}
_NAMED: Any = _LOCATORS["UserProvidedCacheLocator"]
_BESIDE_SOURCES: Any = _LOCATORS["InTreeCacheLocator"]
_IN_HOME: Any = _LOCATORS["UserWideCacheLocator"]


def read_sealed(path: Path, sources: str) -> bytes | None:
    """Return what was sealed into a file, None where it is missing, truncated, changed or of other sources."""
    try:
        found = path.read_bytes()
    except OSError:
        return None
    contents = found[:-_DIGEST_BYTES]
    return contents if _seal(contents, sources) == found else None


def write_sealed(path: Path, contents: bytes, sources: str) -> None:
    """Write `contents` and a digest of them and of the sources that they were made from, as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{uuid4().hex}")
    try:
        beside.write_bytes(_seal(contents, sources))
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _seal(contents, sources):
    return contents + _DIGEST(sources.encode() + contents).digest()


class _CodeFiles:
    """The files with the code of one function, one for each key: types of arguments, machine, bytecode.

    They are read from all `folders`, and written to the first. numba numbers such files and keeps an index: two
    processes that compile a function for two rulesets at the same time would use the same number.
    """

    def __init__(self, folders: Sequence[str], base: str, sources: str) -> None:
        self._folders = [Path(folder) for folder in folders]
        self._base = base
        self._sources = f"{numba.__version__} {sources}"

    def load(self, key: Any) -> Any:
        """Return what was saved for `key`, None where there is nothing."""
        for folder in self._folders:
            found = read_sealed(folder / self._name(key), self._sources)
            if found is not None:
                return pickle.loads(found)
        return None

    def save(self, key: Any, data: Any) -> None:
        """Keep `data` for `key`."""
        write_sealed(self._folders[0] / self._name(key), dumps(data), self._sources)

    def flush(self) -> None:
        """Forget the code of this function, as numba's `recompile` asks for."""
        for path in self._folders[0].glob(f"{escape(self._base)}.*.nbc"):
            path.unlink(missing_ok=True)

    def _name(self, key):
        return f"{self._base}.{_DIGEST(repr(key).encode()).hexdigest()[:16]}.nbc"


class _CheckedOnce:
    """A part of numba's kinds of folders: each folder is tried once, and not for each function."""

    get_cache_path: Callable[[], str]

    def ensure_cache_path(self):
        folder = self.get_cache_path()
        os.makedirs(folder, exist_ok=True)
        if not _can_be_written_to(folder):
            raise PermissionError(folder)


class _TemporaryLocator(_BESIDE_SOURCES):
    """A temporary folder, for where none of the usual ones can be written to."""

    def get_cache_path(self):
        return os.path.join(_make_temporary_folder(), self.get_suitable_cache_subpath(self._py_file))


class _ReadOnlyLocator(_BESIDE_SOURCES):
    """The folder next to the sources, for where no folder at all can be written to: what is saved there is refused."""

    @classmethod
    def from_function(cls, py_func, py_file):
        return cls(py_func, py_file)


class KernelFiles(CompileResultCacheImpl):
    """Keeps kernels as numba's cache keeps functions, in any suitable folder."""

    _locator_classes = tuple(
        type(kind.__name__, (_CheckedOnce, kind), {})
        for kind in (*CompileResultCacheImpl._locator_classes, _TemporaryLocator, _ReadOnlyLocator)
    )


class KernelCache(FunctionCache):
    """The compiled code of one function on disk, valid only for sources with the digest `sources`.

    `files` is the class that serialises it. Folders are looked for when code is, as most kernels are only linked.
    """

    _enabled = True

    def __init__(self, function: Callable[..., Any], sources: str, files: type[KernelFiles] = KernelFiles) -> None:
        self._name, self._py_func, self._impl_class = repr(function), function, files
        self._sources = sources

    @cached_property
    def _impl(self):
        return self._impl_class(self._py_func)

    @cached_property
    def folders(self) -> list[str]:
        """Those where the code may be; it is kept in the first, and read from all."""
        return list(dict.fromkeys((self._impl.locator.get_cache_path(), *_list_read_only_folders(self._py_func))))

    @property
    def cache_path(self) -> str:
        """The folder where the code is kept."""
        return self.folders[0]

    @cached_property
    def _cache_file(self):
        return _CodeFiles(self.folders, self._impl.filename_base, self._sources)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for the signature `sig`, None where it must be compiled, which is said once per process."""
        _initialise(target_context)
        found = self._load_overload(sig, target_context)
        if found is None:
            print_once(
                "compiling to machine code: 10 to 20 seconds, once for each ruleset and each part of the package"
            )
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code for a signature. If that fails, as on a full disk, it is compiled again next time."""
        if not self._impl.check_cachable(data):
            return
        try:
            self._cache_file.save(self._index_key(sig, data.codegen), self._impl.reduce(data))
            self._drop_moved()
        except OSError as error:
            print_once(f"compiled code is not kept: {error.strerror}; set NUMBA_CACHE_DIR to a folder for it")
            return
        if isinstance(self._impl.locator, _TemporaryLocator):
            print_once(
                f"compiled code is kept in {_make_temporary_folder()}, because no other folder can be written to; "
                "set NUMBA_CACHE_DIR to a folder that lasts"
            )

    def _drop_moved(self):
        """Remove code that was kept while this function was on another line: `NAME-LINE.pyVERSION.….nbc`.

        Code of other versions of Python is left alone, for they may share the folder.
        """
        here = self._impl.filename_base
        name, version = here.rpartition("-")[0], here.rpartition(".")[2]
        for kept in filter_names(os.listdir(self.cache_path), f"{escape(name)}-*.{escape(version)}.*.nbc"):
            if kept.partition("-")[0] == name and not kept.startswith(f"{here}."):
                Path(self.cache_path, kept).unlink(missing_ok=True)


@cache
def _initialise(target_context):
    """Have numba load what compiled code needs of it; its own caches do so for each function."""
    target_context.refresh()


def _list_read_only_folders(function):
    """Return the folders in which numba might keep code of `function` if they could be written to."""
    locators = (*([_NAMED] if config.CACHE_DIR else []), _BESIDE_SOURCES, _IN_HOME)
    folders = (locator(function, getfile(function)).get_cache_path() for locator in locators)
    return [folder for folder in folders if not _can_be_written_to(folder)]


@cache
def _can_be_written_to(folder):
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


@cache
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
