"""Records of random games of Castle, the card game, kept in `tests/support/data/castle_records.jsonl`.

python -m tests.support.castle_golden --update     play the games of `GAMES` and write the file anew

A deal, its chance and its rules are what they were as long as both engines play these games as they are recorded.
"""

import argparse
import json
from pathlib import Path

from tqdm import tqdm

from tests.support.castle_lockstep import play_at_random

FILE = Path(__file__).parent / "data" / "castle_records.jsonl"
GAMES = ((2, 1), (2, 3), (3, 2), (3, 5), (4, 4), (4, 6), (5, 7), (5, 8))  # players, deal


def load() -> list[dict]:
    """Return the stored records, in the order of `GAMES`."""
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def find_difference(stored: dict, found: dict) -> str:
    """Return a sentence on the first thing in which two records differ, "" if there is none."""
    for number, (old, new) in enumerate(zip(stored["turns"], found["turns"], strict=False)):
        if old != new:
            return f"turns[{number}] was {old}, now it is {new}"
    keys = [key for key in stored | found if stored.get(key) != found.get(key)]
    return f"{keys} differ" if keys else ""


def main() -> None:
    """Write the file anew."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", required=True, help="play all games anew")
    parser.parse_args()
    records = [play_at_random(players, number) for players, number in tqdm(GAMES, unit="game")]
    lines = [json.dumps(record, ensure_ascii=False) for record in records]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
