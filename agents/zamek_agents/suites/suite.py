"""A suite: positions with the worth of every choice, in a file that is checked completely.

A file is one of `array_file.py`. It also notes the ruleset and the digest of its components, the recipe that made
it, the positions as lines (`docs/notation.md`), and digests of all choices and of everything in the file. Its arrays:

    counts  int32 (positions,)    how many choices there are
    values  int16 (choices, 2)    what each is worth to the player to decide, in hundredths of a point, by the even
                                  deals and by the odd ones; those of one position stand together, in ascending order
    errors  int16 (choices,)      standard error of the distance to the best choice, in hundredths of a point
    deals   int16 (choices,)      how many each has met; 0 where values are exact

The suites of the benchmark, which never change, have the previous format, `BY_HALVES`: there `values` are
`(2, choices)`.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from zamek_agents.array_file import SMALLEST, open_arrays, write_arrays
from zamek_agents.named_ruleset import name_table
from zamek_agents.plain_file import check_sha256, find_version
from zamek_agents.search.base import count_left
from zamek_env import Game
from zamek_env.common.messages import show
from zamek_env.ruleset import Ruleset

PLACE, SEND, SCORE, CHOOSE = "place", "send", "score", "choose"
ENDGAME, ENDGAME_OF_4 = "endgame", "endgame of 4"
KINDS = (PLACE, SEND, SCORE, ENDGAME, ENDGAME_OF_4, CHOOSE)
PHASES = (PLACE, SEND, SCORE, CHOOSE)  # kinds of which choices are played on from
ENDGAME_TILES = {ENDGAME: 3, ENDGAME_OF_4: 4}  # the last ones, that to be placed included
FORMAT, BY_HALVES = "zamek-suite/2", "zamek-suite/1"
FOLDER = Path(__file__).parent / "positions"
CHOICES, ENDGAMES = "choices", "endgames"  # what suites are of: choices played on from, endgames solved
STEMS = (CHOICES, ENDGAMES, "endgames-of-4")  # what files that come with the package begin with
MAX_POSITIONS, MAX_CHOICES, MAX_LINE = 10_000, 10**6, 10_000  # of a file; characters of a line
MOST = 32_000  # hundredths of a point


def is_of(kind: str, game: Game) -> bool:
    """Return whether the decision in `game` is of that kind."""
    if kind in ENDGAME_TILES:
        return game.phase == PLACE and 1 + count_left(game) == ENDGAME_TILES[kind]
    return game.phase == kind


def find_kind(game: Game, is_endgame: bool) -> str | None:
    """Return the kind of the decision in `game`, one of the endgame or another; None where it has none.

    Every decision with no more tiles left than `ENDGAME_TILES` says is of the endgame, not placements alone.
    """
    if is_endgame:
        return next((kind for kind, tiles in ENDGAME_TILES.items() if 1 + count_left(game) <= tiles), None)
    return game.phase if game.phase in PHASES else None


@dataclass(frozen=True)
class Worth:
    """The values of the choices in one position for the player to decide; all arrays are in ascending order of actions.

    `values` are points, float64 `(2, choices)`, by the even and the odd deals.
    """

    line: str
    values: npt.NDArray[np.float64]
    errors: npt.NDArray[np.float64]
    deals: npt.NDArray[np.int64]

    @property
    def regrets(self) -> npt.NDArray[np.float64]:
        """The loss of each choice against the best one, in points, float64 `(choices,)`."""
        means = self.values.mean(0)
        return means.max() - means

    @property
    def excess(self) -> float:
        """Upper bound of the mean error of `regrets`, which are too high: the best choice is in part the luckiest one.

        The best choice by the even deals is judged by the odd ones, and the other way round.
        """
        even, odd = self.values
        return float(self.values.mean(0).max() - (odd[even.argmax()] + even[odd.argmax()]) / 2)


@dataclass(frozen=True)
class Suite:
    """Positions of one ruleset, of the kind `CHOICES` or `ENDGAMES`; `recipe` says what made them."""

    kind: str
    ruleset: str
    components: str  # their digest
    recipe: dict[str, Any]
    choices: str  # digest of the texts of all choices
    worths: tuple[Worth, ...]

    def games(self) -> list[Game]:
        """Return the games at the positions.

        Raises `ValueError` where one is of another ruleset or kind, or the engine finds other choices there.
        """
        games = [Game.parse_position(worth.line, seed=0) for worth in self.worths]
        for game, worth in zip(games, self.worths, strict=True):
            if game.ruleset.components.digest != self.components:
                raise ValueError(f"a position is not one of {self.ruleset!r} with its components: {worth.line}")
            if find_kind(game, self.kind == ENDGAMES) is None:
                raise ValueError(f"a position is of no kind that suites of {self.kind} have: {worth.line}")
            if len(game.legal_actions()) != worth.errors.size:
                raise ValueError(
                    f"there are {worth.errors.size} choices, not {len(game.legal_actions())}: {worth.line}"
                )
        if digest_choices(games) != self.choices:
            raise ValueError("the choices are called, or ordered, otherwise than when the suite was made")
        return games


def digest_choices(games: Sequence[Game]) -> str:
    """Return a digest of the texts of all legal actions of `games`, in their order."""
    digest = hashlib.sha256()
    for game in games:
        digest.update("\n".join([*map(game.format_action, game.legal_actions()), ""]).encode())
    return digest.hexdigest()


# --- files ---


def find_suites(ruleset: str) -> list[Path]:
    """Return the files of the suites that come with the package for the ruleset of that name."""
    return [path for stem in STEMS if (path := FOLDER / f"{stem}-{ruleset}.npz").exists()]


def write_suite(file: PathLike[str] | str | IO[bytes], suite: Suite) -> None:
    """Write a suite to a path or an open binary file. Raises `ValueError` where a value is beyond the format."""
    arrays = {
        "counts": np.array([worth.errors.size for worth in suite.worths], np.int32),
        "values": _pack(np.concatenate([worth.values.T for worth in suite.worths])),
        "errors": _pack(np.concatenate([worth.errors for worth in suite.worths])),
        "deals": np.concatenate([worth.deals for worth in suite.worths]).astype(np.int16),
    }
    about = {
        "format": FORMAT, "kind": suite.kind, "ruleset": suite.ruleset, "components": suite.components,
        "recipe": suite.recipe, "choices": suite.choices, "positions": [worth.line for worth in suite.worths],
    }  # fmt: skip
    write_arrays(file, {**about, "digest": digest_file(about, arrays)}, arrays, SMALLEST)


def read_suite(path: PathLike[str] | str) -> Suite:
    """Return the suite in the file `path`; it is read once, as long as the file does not change.

    Raises `FileNotFoundError` where there is no such file, `ValueError` where it holds no suite or one that is damaged.
    """
    if not Path(path).is_file():
        raise FileNotFoundError(f"there is no suite {str(path)!r}")
    return _read(str(path), find_version(path))


@lru_cache(maxsize=4)
def _read(path: str, version: tuple[int, ...]) -> Suite:
    """Do as `read_suite` does for that version of the file."""
    with open_arrays(path, "suite", FORMAT, BY_HALVES) as file:
        about = file.about
        is_by_halves = about["format"] == BY_HALVES
        lines = _check_about(about)
        counts = file.read("counts", np.int32, (len(lines),), 2, MAX_CHOICES)
        total = int(counts.sum(dtype=np.int64))
        if total > MAX_CHOICES:
            raise ValueError(f"counts must add up to at most {MAX_CHOICES}, not {total}")
        arrays = {
            "counts": counts,
            "values": file.read("values", np.int16, (2, total) if is_by_halves else (total, 2), -MOST, MOST),
            "errors": file.read("errors", np.int16, (total,), 0, MOST),
            "deals": file.read("deals", np.int16, (total,), 0),
        }
        if file.names != arrays.keys():
            raise ValueError(f"the arrays must be {', '.join(arrays)}, not {', '.join(sorted(file.names))}")
        digested = {name: value for name, value in about.items() if name != "digest"}
        if about.get("digest") != digest_file(digested, arrays):
            raise ValueError("digest: it is not that of what the file holds, which was changed")
    ends = np.cumsum(counts)
    all_values = arrays["values"].T if is_by_halves else arrays["values"]
    worths = tuple(
        Worth(line, values.T / 100, errors / 100, deals.astype(np.int64))
        for line, values, errors, deals in zip(
            lines,
            np.split(all_values, ends[:-1]),
            np.split(arrays["errors"], ends[:-1]),
            np.split(arrays["deals"], ends[:-1]),
            strict=True,
        )
    )
    return Suite(about["kind"], about["ruleset"], about["components"], about["recipe"], about["choices"], worths)


def check_suite(path: PathLike[str] | str, suite: Suite, ruleset: Ruleset) -> None:
    """Raise `ValueError` unless the `suite` of the file `path` is of this `Ruleset`."""
    if suite.ruleset != ruleset.name:
        raise ValueError(f"{path} is a suite of the ruleset {suite.ruleset!r}, not of {ruleset.name!r}")
    if suite.components != ruleset.components.digest:
        raise ValueError(f"{path} was made with other components, players or house rules than {name_table(ruleset)!r}")


def _check_about(about):
    """Return the lines of the positions. Raises `ValueError` where `about` cannot be right."""
    keys = {"format", "kind", "ruleset", "components", "recipe", "choices", "positions", "digest"}
    if about.keys() != keys:
        raise ValueError(f"about must hold {', '.join(sorted(keys))}, not {', '.join(map(show, sorted(about)))}")
    if about["kind"] not in (CHOICES, ENDGAMES):
        raise ValueError(f"kind must be {CHOICES} or {ENDGAMES}, not {show(about['kind'])}")
    for name in ("components", "choices", "digest"):
        check_sha256(name, about[name])
    for name, kind, due in (("ruleset", str, "a name"), ("recipe", dict, "an object"), ("positions", list, "a list")):
        if not isinstance(about[name], kind):
            raise ValueError(f"{name} must be {due}, not {show(about[name])}")
    lines = about["positions"]
    if not 1 <= len(lines) <= MAX_POSITIONS:
        raise ValueError(f"positions must be 1 to {MAX_POSITIONS}, not {len(lines)}")
    for line in lines:
        if not isinstance(line, str) or not line.isascii() or len(line) > MAX_LINE:
            raise ValueError(f"positions must be lines of at most {MAX_LINE} ASCII characters, not {show(line)}")
    return lines


def _pack(points):
    hundredths = np.rint(points * 100)
    if not (np.abs(hundredths) <= MOST).all():
        raise ValueError(f"values must lie within {MOST / 100:g} points, not {np.abs(points).max():g}")
    return hundredths.astype(np.int16)


def digest_file(about: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> str:
    """Return a digest of everything in a file."""
    digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode())
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].shape}".encode() + np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()


def new_suite(kind: str, ruleset: str, recipe: dict[str, Any], worths: Sequence[Worth]) -> Suite:
    """Return a suite of these `worths`, of positions of a packaged ruleset, all with the same players and rules."""
    games = [Game.parse_position(worth.line, seed=0) for worth in worths]
    return Suite(kind, ruleset, games[0].ruleset.components.digest, recipe, digest_choices(games), tuple(worths))
