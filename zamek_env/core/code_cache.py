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
import stat
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from functools import cache
from glob import escape
from inspect import getfile
from io import BytesIO
from pathlib import Path
from typing import Any

from numba import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile

_DIGEST = hashlib.sha256
_DIGEST_BYTES = _DIGEST().digest_size
_LOCATORS = {  # numba's kinds of folders, by names that begin with `_` in older versions
    locator.__name__.lstrip("_"): locator for locator in CompileResultCacheImpl._locator_classes
}
_NAMED: Any = _LOCATORS["UserProvidedCacheLocator"]
_BESIDE_SOURCES: Any = _LOCATORS["InTreeCacheLocator"]
_IN_HOME: Any = _LOCATORS["UserWideCacheLocator"]


def seal(contents: bytes, sources: str) -> bytes:
    """Return `contents` and a digest of them and of the sources that they were made from, as files hold them."""
    return contents + _DIGEST(sources.encode() + contents).digest()


def read_sealed(path: Path | str, sources: str) -> bytes | None:
    """Return what was sealed into a file, None where it is missing, truncated, changed or of other sources."""
    try:
        found = Path(path).read_bytes()
    except OSError:
        return None
    contents = found[:-_DIGEST_BYTES]
    return contents if seal(contents, sources) == found else None


class _SealedFiles(IndexDataCacheFile):
    """numba's cache files of one function, each followed by a digest that numba does not read.

    Code that is not in their folder is looked for in those of `others`, where nothing is written.
    """

    others: Sequence["_SealedFiles"] = ()

    def load(self, key: Any) -> Any:
        """Return the data kept for `key`, None where there is none."""
        found = super().load(key)
        for files in self.others if found is None else ():
            found = files.load(key)
            if found is not None:
                break
        return found

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

    _locator_classes = (*CompileResultCacheImpl._locator_classes, _TemporaryLocator, _ReadOnlyLocator)


class KernelCache(FunctionCache):
    """The compiled code of one function on disk, valid only for sources with the digest `sources`.

    `files` is the class that serialises it. Code is kept in the first of the `folders`, and read from all.
    """

    def __init__(self, function: Callable[..., Any], sources: str, files: type[KernelFiles] = KernelFiles) -> None:
        self._impl_class = files
        super().__init__(function)
        self.folders = list(dict.fromkeys((self.cache_path, *_list_read_only_folders(function))))
        self._cache_file, *others = (_SealedFiles(folder, self._impl.filename_base, sources) for folder in self.folders)
        self._cache_file.others = others

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
            print_once(f"compiled code is not kept: {error.strerror}; set NUMBA_CACHE_DIR to a folder for it")
            return
        if isinstance(self._impl.locator, _TemporaryLocator):
            print_once(
                f"compiled code is kept in {_make_temporary_folder()}, because no other folder can be written to; "
                "set NUMBA_CACHE_DIR to a folder that lasts"
            )

    def _drop_moved(self):
        """Remove code that was kept while this function was on another line: `NAME-LINE.pyVERSION.….nb[ci]`.

        Code of other versions of Python is left alone, for they may share the folder.
        """
        here = self._impl.filename_base
        name, version = here.rpartition("-")[0], here.rpartition(".")[2]
        for path in Path(self.cache_path).glob(f"{escape(name)}-*.{escape(version)}.*nb[ci]"):
            if path.name.partition("-")[0] == name and not path.name.startswith(f"{here}."):
                path.unlink(missing_ok=True)


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
