"""Prints text to streams that cannot encode every character: boards, tables and messages in plain ASCII.

Importing this module registers the codec error handler `ASCII_SIGNS`. A stream whose `errors` name it gets an ASCII
equivalent of each sign that its encoding lacks, and all other signs as they are.
"""

import codecs
import sys
import unicodedata
from contextlib import suppress

ASCII_SIGNS = "zamek_env.ascii_signs"  # the name of the error handler
_UNKNOWN = "?"
# Signs of the picture of the board are replaced one by one, so that its columns stay where they are. Bends of roads
# become slashes and the wall `%`, because `+` and `#` mean something on a tile; pieces are capital for player 0.
_PICTURE = {
    "█": "%", "═": "=", "║": "|", "╔": "/", "╗": "\\", "╚": "\\", "╝": "/", "╨": "|", "╥": "|", "╞": "=", "╡": "=",
    "╲": "\\", "╱": "/", "◎": "O", "·": ".", "▼": "v", "♔": "K", "♚": "k", "♕": "Q", "♛": "q", "♖": "R",
    "♗": "B", "♝": "b", "♘": "N", "♞": "n", "♙": "P", "↑": "^", "→": ">", "↓": "v", "←": "<", "▶": ">",
}  # fmt: skip
_WORDS = {
    "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "…": "...", "±": "+/-", "×": "x", "÷": "/", "⁄": "/", "≤": "<=",
    "≥": ">=", "≠": "!=", "≈": "~", "•": "*", "‘": "'", "’": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
    "ł": "l", "Ł": "L", "ß": "ss", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "AE", "đ": "d", "Đ": "D",
    "λ": "lambda", "α": "alpha", "β": "beta", "Σ": "sum", "μ": "u",
}  # fmt: skip


def to_ascii(text: str) -> str:
    """Return `text` in ASCII: known signs by their equivalents, letters without their accents, anything else as `?`."""
    return "".join(map(_replace, text))


def print_text(value: object) -> None:
    """Print `value` on the standard output, in characters that it can encode; if writing fails, nothing happens.

    The stream itself is not changed. A picture that nobody can see is no reason to end a game, so nothing is raised.
    """
    stream = sys.stdout
    if stream is None:
        return
    text = f"{value}\n"
    encoding = getattr(stream, "encoding", None)
    with suppress(OSError, ValueError):  # the other end of a pipe is gone, the disk is full, or the stream is closed
        stream.write(text if encoding is None else _fit(text, encoding))


def _fit(text: str, encoding: str) -> str:
    """Return `text` without characters that `encoding` lacks."""
    try:
        return text.encode(encoding, ASCII_SIGNS).decode(encoding)
    except LookupError:  # a custom stream with an unknown encoding
        return to_ascii(text)


def _replace(sign: str) -> str:
    known = sign if sign.isascii() else _PICTURE.get(sign) or _WORDS.get(sign)
    if known is not None:
        return known
    name = unicodedata.name(sign, "")
    if name.startswith("BOX DRAWINGS"):
        is_plain = name.endswith(("HORIZONTAL", "VERTICAL")) and " AND " not in name
        return "+" if not is_plain else "-" if name.endswith("HORIZONTAL") else "|"
    plain = unicodedata.normalize("NFKD", sign)
    parts = [] if plain == sign else [_replace(part) for part in plain if not unicodedata.combining(part)]
    return "".join(parts) or _UNKNOWN


def _replace_unencodable(error: UnicodeError) -> tuple[str, int]:
    """Handle an error of an encoder, as `codecs.register_error` describes."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return to_ascii(error.object[error.start : error.end]), error.end


codecs.register_error(ASCII_SIGNS, _replace_unencodable)
