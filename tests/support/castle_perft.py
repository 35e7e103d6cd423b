"""Counts the sequences of decisions from fixed positions of Castle, the card game, by both of its engines.

    python -m tests.support.castle_perft                count with both engines and compare with what is stored
    python -m tests.support.castle_perft --update       store it anew, where both engines agree

`tests/support/data/perft_castle.json` holds the positions. A sequence ends after `depth` decisions or, before that,
with the game. Chance is not branched upon: it takes the first card of a hand in the order of the box, but the Village
Idiot last, who may be the card just played.
"""

import argparse
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from tests.support.castle.board import ZONE
from tests.support.castle.reference import CastleReference, Position
from tests.support.castle_fast import FastCastle
from tests.support.castle_lockstep import random_game
from zamek_env.castle_cards.components.cards import KIND_OF
from zamek_env.castle_cards.core.state import NONE

FILE = Path(__file__).parent / "data" / "perft_castle.json"
LUCK = {card: number for number, card in enumerate([card for card in ZONE if card != "Village Idiot"])}


@dataclass(frozen=True)
class Origin:
    """A position: the last one before some decision of a random game at which an action is due."""

    players: int
    deal: int
    decision: int
    depth: int


ORIGINS = (
    Origin(2, 1, 0, 4),
    Origin(2, 2, 60, 4),
    Origin(2, 3, 110, 4),
    Origin(3, 1, 0, 4),
    Origin(3, 2, 70, 5),
    Origin(3, 3, 100, 5),
    Origin(4, 1, 40, 4),
    Origin(4, 2, 90, 5),
    Origin(5, 1, 30, 4),
    Origin(5, 2, 80, 5),
)


def first_card(hand: list[str]) -> str:
    """The card that chance takes from a hand."""
    return min(hand, key=lambda card: LUCK.get(card, len(LUCK)))


# --- the compiled engine ---


class FastWithoutChance(FastCastle):
    """The compiled engine, given before each decision what chance will take."""

    def _before(self) -> None:
        self.states["forced"] = NONE
        for player, hand in enumerate(self.hands):
            if hand:
                self.states["forced"][0, player] = KIND_OF[first_card(hand)]

    def pass_over(self) -> None:
        """Go on to the next decision with more than one option, and give chance what to take before each."""
        self._before()
        while self.pass_one_over():
            self._before()


def count(game: FastCastle | CastleReference, depth: int) -> int:
    """Return how many sequences of up to `depth` decisions begin in a game."""
    options = game.options()
    if depth == 1 or not options:
        return max(1, len(options))
    return sum(count(after(game, option), depth - 1) for option in options)


def after(game: FastCastle | CastleReference, option: tuple) -> FastCastle | CastleReference:
    """Return a game one decision on; the one given stays as it is."""
    twin = game.copy()
    twin.play(option)
    return twin


# --- comparing ---


def reach(entry: dict[str, Any]) -> dict[str, FastCastle | CastleReference]:
    """Return the position of an entry on both engines."""
    position = read_position(entry["position"])
    return {"engine": FastWithoutChance.at(position), "reference": CastleReference.at(position, first_card)}


def compare(entry: dict[str, Any], depth: int) -> str:
    """Return what is wrong with the counts of an entry to `depth`, "" if nothing."""
    games = reach(entry)
    for number, stored in enumerate(entry["counts"][:depth], start=1):
        found = {name: count(game, number) for name, game in games.items()}
        if set(found.values()) != {stored}:
            head = f"{entry['name']}, depth {number}: stored {stored}, found {found}"
            return "\n".join([head, *list_split(games, number)])
    return ""


def list_split(games: dict[str, FastCastle | CastleReference], depth: int) -> list[str]:
    """Return one line a first decision: how many sequences each engine finds after it, marked where they differ."""
    split = [
        {option: count(after(game, option), depth - 1) if depth > 1 else 1 for option in game.options()}
        for game in games.values()
    ]
    lines = []
    for option in sorted(split[0] | split[1], key=str):
        ours, theirs = (counts.get(option, 0) for counts in split)
        lines.append(f"{'  ' if ours == theirs else '! '}{ours:8} {theirs:8}  {option}")
    return ["    engine reference  first decision", *lines]


# --- the stored file ---


def load() -> list[dict[str, Any]]:
    """Return the stored entries, in the order of `ORIGINS`."""
    return json.loads(FILE.read_text(encoding="utf-8"))["positions"]


def make_entry(origin: Origin) -> dict[str, Any]:
    """Play to the position of `origin` and return its entry, without counts."""
    reached = None
    for number, game in enumerate(random_game(origin.players, origin.deal)):
        if game.slow.phase == "action" and number <= origin.decision:
            reached = game.slow.position()
    name = f"{origin.players} players, deal {origin.deal}, decision {origin.decision}"
    return {"name": name, "position": write_position(reached)}


def write_position(position: Position) -> dict[str, Any]:
    """Return a position as JSON has it."""
    return {**asdict(position), "piles": [[space, pile] for space, pile in position.piles.items()]}


def read_position(entry: dict[str, Any]) -> Position:
    """Return a position from JSON."""
    piles = {tuple(space): [(card, pawn) for card, pawn in pile] for space, pile in entry["piles"]}
    last = entry["last_played"]
    return Position(**{**entry, "piles": piles, "last_played": None if last is None else tuple(last)})


def update() -> None:
    """Write the file anew. Exits where the engines disagree."""
    entries = []
    for origin in tqdm(ORIGINS, unit="position"):
        entry = make_entry(origin)
        game = reach(entry)["engine"]
        entry["counts"] = [count(game, depth) for depth in range(1, origin.depth + 1)]
        if problem := compare(entry, origin.depth):
            sys.exit(problem)
        entries.append(entry)
    content = {"command": "python -m tests.support.castle_perft --update", "positions": entries}
    FILE.write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> None:
    """Update the file, or compare it with both engines to the full depth."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="store all positions anew")
    if parser.parse_args().update:
        update()
        return
    for entry in tqdm(load(), unit="position"):
        if problem := compare(entry, len(entry["counts"])):
            sys.exit(problem)


if __name__ == "__main__":
    main()
