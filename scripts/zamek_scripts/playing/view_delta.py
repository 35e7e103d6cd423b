"""What is new in a view for a page that has seen an earlier one: most of a picture stays as it was."""

import threading
from collections.abc import Mapping, Sequence
from typing import Any

MOST_TOLD = 32  # views that are remembered; a page that knows an older one is told everything

View = dict[str, Any]  # as of `zamek_scripts.playing.session`


class ViewDelta:
    """Remembers what pages were told, and tells the rest. All methods may be called from any thread.

    Lines of pictures are told as numbers, the same for the same line, with the lines that the page does not know.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}  # of each line of a picture that was told
        self._told: dict[str, View] = {}  # by revision, the last ones
        self._lock = threading.Lock()

    def tell(self, view: View, known: str | None) -> View:
        """Return `view` for a page that was told the revision `known`; None: it knows nothing yet.

        `pictures` becomes lists of numbers, and `lines` holds {number: line} of those that are new. `moves` begins with
        move number `first` of all: those before it are known.
        """
        with self._lock:
            before = self._told.get(known or "")
            self._told[view["revision"]] = view
            while len(self._told) > MOST_TOLD:
                del self._told[next(iter(self._told))]
            first = _count_same(view["moves"], before["moves"]) if before else 0
            pictures = self._tell_pictures(view, before)
        return view | pictures | {"moves": view["moves"][first:], "first": first}

    def tell_past(self, view: View, known: str | None) -> View:
        """Return the `view` of a position of the past, of which no page is told twice, as `tell` does."""
        with self._lock:
            return view | self._tell_pictures(view, self._told.get(known or ""))

    def _tell_pictures(self, view: View, before: Mapping[str, Any] | None) -> View:
        known = {line for picture in (before or {}).get("pictures") or () for line in picture.splitlines()}
        pictures, lines = [], {}
        for picture in view["pictures"] or ():
            numbers = []
            for line in picture.splitlines():
                number = self._numbers.setdefault(line, len(self._numbers))
                numbers.append(number)
                if line not in known:
                    lines[number] = line
            pictures.append(numbers)
        return {"pictures": pictures, "lines": lines}


def _count_same(these: Sequence[object], those: Sequence[object]) -> int:
    """Return how many items two lists begin with in common."""
    pairs = enumerate(zip(these, those, strict=False))
    return next((number for number, (one, other) in pairs if one != other), min(len(these), len(those)))
