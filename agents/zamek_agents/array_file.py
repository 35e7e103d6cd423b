"""Files of arrays: an `.npz` with the arrays and `about`, a text in JSON that says what they are.

Weights, learners and checkpoints are such files. A file may come from anywhere, so it is read with care: nothing in it
is run, for no pickle is read; the header of an array is compared with what is expected before it is decompressed, so
that a small file cannot fill the memory; and numbers must be finite and no larger than expected.
"""

import json
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from zamek_agents.plain_file import open_plain
from zamek_env.common.messages import shorten, show, show_names
from zamek_env.components.json_entry import read_object

ABOUT = "about"
USUAL_LEVEL, SMALLEST = 6, 9  # of deflate
MAX_ABOUT = 2**24  # characters of `about`; a row of a curve takes a hundred
_MAGIC = b"\x93NUMPY\x01\x00"  # with which an array begins; two bytes with the length of the header follow
_HEADER = re.compile(
    r"\{'descr': '([<|][a-zA-Z][0-9]{1,9})', 'fortran_order': False, "
    r"'shape': \(((?:[0-9]{1,12}, ?)*(?:[0-9]{1,12})?)\), \} *\n"
)
_TEXTS = {"|S": (1, "ascii"), "<U": (4, "utf-32-le")}  # bytes of a character, and how a text is kept
_UNREADABLE = (  # raised when reading an invalid or damaged file of arrays
    EOFError, NotImplementedError, OSError, RecursionError, RuntimeError, ValueError, struct.error, zipfile.BadZipFile,
    zlib.error,
)  # fmt: skip


class Arrays:
    """The arrays of an open file: their `names`, and the dict of what is noted `about` them."""

    def __init__(self, archive: zipfile.ZipFile, formats: Sequence[str]) -> None:
        self._archive = archive
        members = [(member.filename.removesuffix(".npy"), member) for member in archive.infolist()]
        self._members = dict(members)
        if len(self._members) < len(members):
            raise ValueError(f"an array is given twice in {show_names(sorted(name for name, _ in members))}")
        self.names = self._members.keys() - {ABOUT}
        self.about = self._read_about()
        found = self.about.get("format")
        if not isinstance(found, str) or found not in formats:
            raise ValueError(f"the format is not {' or '.join(formats)}, but {show(found)}")

    def find_shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of an array, as its header says."""
        with self._open(name) as member:
            return _read_header(name, member)[1]

    def read(
        self, name: str, dtype: npt.DTypeLike, shape: Sequence[int], least: float = -math.inf, most: float = math.inf
    ) -> npt.NDArray[Any]:
        """Return the array of that name, whose dtype and shape must be these, with all numbers in `least` to `most`.

        Raises `ValueError` for any other array, or numbers that are not finite.
        """
        array = self._read_numbers(name, dtype, shape)
        check_numbers(name, array, least, most)
        return array

    def read_with_gaps(self, name: str, dtype: npt.DTypeLike, shape: Sequence[int]) -> npt.NDArray[Any]:
        """Return an array as `read` does, where missing numbers are NaN."""
        array = self._read_numbers(name, dtype, shape)
        if np.isinf(array).any():
            raise ValueError(f"{name} holds numbers that are infinite")
        return array

    def read_texts(self, name: str, count: int, longest: int) -> npt.NDArray[np.str_]:
        """Return the `count` texts of that name, of at most `longest` characters. Raises `ValueError` for others."""
        with self._open(name) as member:
            descr, shape = _read_header(name, member)
            width = int(descr[2:])
            if descr[:2] != "<U" or not 1 <= width <= longest or shape != (count,):
                raise ValueError(
                    f"{name} must be {count} texts of at most {longest} characters, not {descr} of {shape}"
                )
            data = _read_exactly(name, member, 4 * width * count)
        signs = np.frombuffer(data, "<u4")
        if not ((signs < 0xD800) | ((signs > 0xDFFF) & (signs < 0x110000))).all():
            raise ValueError(f"{name} holds signs that are no text")
        return np.frombuffer(data, descr).copy()

    def _read_numbers(self, name, dtype, shape):
        with self._open(name) as member:
            found = _read_header(name, member)
            wanted = np.dtype(dtype).str, tuple(shape)
            if found != wanted:
                raise ValueError(f"{name} must be {wanted[0]} of shape {wanted[1]}, not {found[0]} of {found[1]}")
            data = _read_exactly(name, member, math.prod(shape) * np.dtype(dtype).itemsize)
        return np.frombuffer(data, dtype).reshape(shape).copy()

    def _open(self, name):
        if name not in self._members:
            raise ValueError(f"there is no {show(name)} in it")
        member = self._members[name]
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"{name} is packed in another way than numpy's")
        return self._archive.open(member)

    def _read_about(self):
        with self._open(ABOUT) as member:
            descr, shape = _read_header(ABOUT, member)
            kind, length = descr[:2], int(descr[2:])
            if kind not in _TEXTS or shape != () or length > MAX_ABOUT:
                raise ValueError(f"{ABOUT} must be a text of at most {MAX_ABOUT} characters, not {descr} of {shape}")
            width, encoding = _TEXTS[kind]
            text = _read_exactly(ABOUT, member, width * length).decode(encoding)
        about = json.loads(text, parse_constant=_read_float, parse_float=_read_float, object_pairs_hook=read_object)
        if not isinstance(about, dict):
            raise ValueError(f"{ABOUT} must be a JSON object, not {show(about)}")
        return about


@contextmanager
def open_arrays(path: PathLike[str] | str, content: str, *formats: str) -> Iterator[Arrays]:
    """Open the file `path`, of one of these `formats`, as `Arrays`.

    Errors in the block become a `ValueError` which says that the file holds no such `content`, and why.
    """
    try:
        with open_plain(path) as opened, zipfile.ZipFile(opened) as archive:
            yield Arrays(archive, formats)
    except _UNREADABLE as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else _describe(error)
        raise ValueError(f"{path} holds no {content}: {reason}") from error


def _describe(error):
    """Return what is wrong with a file; messages of other libraries may hold bytes of the file."""
    return error if isinstance(error, ValueError) else shorten(str(error))


def write_arrays(
    file: PathLike[str] | str | IO[bytes],
    about: Mapping[str, Any],
    arrays: Mapping[str, npt.ArrayLike],
    level: int = USUAL_LEVEL,
) -> None:
    """Write arrays, by name, and the dict of what is noted `about` them, to a path or an open binary file.

    They are compressed by deflate of that `level`: 0 stores them uncompressed, 9 is smallest and slowest. Raises
    `ValueError` where `about` is too long to be read again.
    """
    text = np.array(json.dumps(about, allow_nan=False).encode("ascii"))
    if text.itemsize > MAX_ABOUT:
        raise ValueError(f"{ABOUT} must be at most {MAX_ABOUT} characters long, not {text.itemsize}")
    kind = zipfile.ZIP_DEFLATED if level else zipfile.ZIP_STORED
    with zipfile.ZipFile(file, "w", kind, compresslevel=level) as archive:
        for name, array in {ABOUT: text, **arrays}.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asarray(array, order="C"), allow_pickle=False)


def check_numbers(name: str, array: npt.NDArray[Any], least: float = -math.inf, most: float = math.inf) -> None:
    """Raise `ValueError` unless all numbers of an array of that `name` are finite and lie in `least` to `most`."""
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds numbers that are not finite")
    if array.size and not (least <= array.min() and array.max() <= most):
        raise ValueError(f"{name} must lie in {least:g} to {most:g}, not {array.min():g} to {array.max():g}")


def read_number(about: Mapping[str, Any], name: str, least: float, most: float, whole: bool = False) -> Any:
    """Return the number of that name in a dict `about`. Raises `ValueError` unless it lies in `least` to `most`."""
    value: Any = about.get(name)
    kinds = (int,) if whole else (int, float)
    if type(value) not in kinds or not least <= value <= most:
        due = f"a whole number in {least} to {most}" if whole else f"a number in {least:g} to {most:g}"
        raise ValueError(f"{name} must be {due}, not {show(value)}")
    return value


def _read_float(text):
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{ABOUT} holds {text[:20]}, which is not finite")
    return value


def _read_header(name, member):
    """Return (dtype as numpy writes it, shape) of the array that begins here."""
    start = member.read(len(_MAGIC) + 2)
    text = member.read(int.from_bytes(start[-2:], "little")).decode("latin-1")
    header = _HEADER.fullmatch(text)
    if start[: len(_MAGIC)] != _MAGIC or header is None:
        raise ValueError(f"{name} is no array of numbers")
    return header[1], tuple(int(length) for length in header[2].split(",") if length.strip())


def _read_exactly(name, member, count):
    """Return the `count` bytes that are left, exactly."""
    data = member.read(count)
    if len(data) != count or member.read(1):
        raise ValueError(f"{name} is shorter or longer than it says")
    return data
