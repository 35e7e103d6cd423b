"""What sources and files held, as digests: results say by what they were made."""

import hashlib
import re
import sys
from pathlib import Path

from zamek_env.common.messages import show
from zamek_env.core.jit import fingerprint

_SHA256 = re.compile("[0-9a-f]{64}")


def digest_files(*paths: Path) -> str:
    """Return a digest of the contents of files, one after another."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16]


def is_sha256(value: object) -> bool:
    """Return whether `value` is a SHA-256 digest as text."""
    return isinstance(value, str) and _SHA256.fullmatch(value) is not None


def check_sha256(name: str, value: object) -> None:
    """Raise `ValueError` unless `value` is a SHA-256 digest as text."""
    if not is_sha256(value):
        raise ValueError(f"{name} must be a digest of 64 hexadecimal digits, not {show(value)}")


def digest_module(name: str) -> str:
    """Return a digest of the source of an imported module and of what it imports of its own kind and of this package.

    They are read once in a process.
    """
    source = getattr(sys.modules[name], "__file__", None) or ""
    if source.endswith(".py"):
        return fingerprint(name)[:16]
    return digest_files(*([Path(source)] if source else []))  # of what is written in C, or was typed in
