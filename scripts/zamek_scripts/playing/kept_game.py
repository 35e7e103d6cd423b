"""The file in which a game in progress is kept, format `zamek-play/1`: the deal, who plays, and the actions so far.

The deal is kept as its seed, so a kept game reveals what is hidden: do not read it before the end.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from zamek_agents.plain_file import open_plain
from zamek_env import __version__
from zamek_env.base.chance import check_deal
from zamek_env.common.messages import show
from zamek_env.components.json_entry import read_object
from zamek_scripts.atomic_file import write_atomic

FORMAT = "zamek-play/1"
HUMAN = "human"  # the name of a seat at which a person sits
MOST_BYTES = 1_000_000
_TEXTS = {"seats": (1, 64), "actions": (0, 100_000)}  # lists of texts: how few and how many there may be


@dataclass(frozen=True)
class KeptGame:
    """A game in progress."""

    ruleset: str
    components: str | None  # digest; None where a game has no components
    seed: int
    seats: tuple[str, ...]  # who plays: `HUMAN`, or an agent as it is named
    actions: tuple[str, ...] = ()  # in notation
    rules: str = ""  # house rules, as `parse_rules` takes them


class Keeper:
    """Writes a game again and again into the file at `path`, but never over what others wrote there.

    `known` is the text that the file holds now; None where there is no such file.
    """

    def __init__(self, path: Path, known: str | None = None) -> None:
        self.path = path
        self._known = known

    def keep(self, game: KeptGame) -> None:
        """Write `game` to the file. Raises `OSError` where it cannot be written, or was changed by others."""
        found = _read(self.path) if self.path.exists() else None
        if found != self._known:
            changed = "was changed" if found is not None else "was removed"
            raise OSError(f"{self.path} {changed} by another program since this one wrote it")
        text = json.dumps({"format": FORMAT, "engine": f"zamek_env {__version__}"} | asdict(game), indent=1) + "\n"
        with write_atomic(self.path) as file:
            file.write(text)
        self._known = text


def open_keeper(path: Path) -> Keeper:
    """Return the keeper of a game at `path`, in place of any file there.

    Raises `OSError` where that cannot be read, or is no file or too large for a game in progress.
    """
    return Keeper(path, _read(path) if path.exists() else None)


def read_kept(path: Path) -> tuple[KeptGame, Keeper]:
    """Return the game in the file at `path`, and its keeper from now on.

    Raises `ValueError`, in one line that names the file and the field, where it holds none, `OSError` where it cannot
    be read.
    """
    text = _read(path)
    try:
        return _parse(text), Keeper(path, text)
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(f"{path} holds no game in progress: {error}") from error


def _read(path: Path) -> str:
    with open_plain(path) as file:
        held = file.read(MOST_BYTES + 1)
    if len(held) > MOST_BYTES:
        raise OSError(f"{path} is larger than {MOST_BYTES} bytes: no game in progress is")
    return held.decode("utf-8", errors="replace")


def _parse(text: str) -> KeptGame:
    try:
        fields: Any = json.loads(text, object_pairs_hook=read_object)
    except ValueError as error:
        raise ValueError(f"it is no JSON: {error}") from error
    if not isinstance(fields, dict):
        raise ValueError(f"it must be an object, not {show(fields)}")
    if fields.get("format") != FORMAT:
        raise ValueError(f"format must be {FORMAT!r}, not {show(fields.get('format'))}")
    fields.setdefault("rules", "")  # which older files do not have
    for name, kinds in {"ruleset": (str,), "components": (str, type(None)), "rules": (str,)}.items():
        if not isinstance(fields.get(name, ...), kinds):
            raise ValueError(f"{name} must be text, not {show(fields.get(name))}")
    return KeptGame(
        ruleset=fields["ruleset"],
        components=fields["components"],
        seed=check_deal("seed", fields.get("seed")),
        seats=_check_texts(fields, "seats"),
        actions=_check_texts(fields, "actions"),
        rules=fields["rules"],
    )


def _check_texts(fields: dict[str, Any], name: str) -> tuple[str, ...]:
    given, (least, most) = fields.get(name), _TEXTS[name]
    if not isinstance(given, list) or not all(isinstance(text, str) for text in given):
        raise ValueError(f"{name} must be a list of texts, not {show(given)}")
    if not least <= len(given) <= most:
        raise ValueError(f"{name} must hold {least} to {most} texts, not {len(given)}")
    return tuple(given)
