"""Both engines of Castle, the card game, side by side through one game: everything compared after every decision.

    python -m tests.support.castle_cards.lockstep --games 200     random games of each number of players
    python -m tests.support.castle_cards.lockstep --update        the games of `STORED`, whose records are written anew

A deal, its chance and its rules are what they were as long as both engines play the stored games as they are recorded.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from tqdm import tqdm

from tests.support.castle_cards.compiled_engine import CompiledCastleCards
from tests.support.castle_cards.reference.board import DEALT
from tests.support.castle_cards.reference.reference import CastleCardsReference, as_lists, without_order

FILE = Path(__file__).parent / "records.jsonl"
STORED = ((2, 1), (2, 3), (3, 2), (3, 5), (4, 4), (4, 6), (5, 7), (5, 8))  # players, deal


class Lockstep:
    """One deal on both engines. The reference is given what chance draws on the compiled one."""

    def __init__(self, players: int, number: int):
        self.fast = CompiledCastleCards.deal(players, number)
        self._drawn: list[str] = []
        dealt = (self.fast.hands, self.fast.decks, self.fast.exchange)
        self.fast.pass_over()
        self.slow = CastleCardsReference(players, *dealt, draw=lambda hand: self._drawn.pop(0))
        self.compare("at the beginning")

    def play(self, option: tuple) -> None:
        """Choose an option on both engines, and compare them."""
        where = f"decision {len(self.slow.played_options)}, {option}"
        self.fast.play(option)
        self._drawn += self.fast.drawn_since()
        self.slow.play(option)
        assert not self._drawn, f"{where}: only the compiled engine drew {self._drawn}"
        self.compare(where)

    def compare(self, where: str) -> None:
        """Raise an `AssertionError` that names the first thing in which the engines differ."""
        for what, ours, theirs in zip(WHAT, describe(self.fast), describe(self.slow), strict=True):
            assert ours == theirs, f"{where}: {what} is {ours} in the compiled engine, {theirs} in the reference"


WHAT = (
    "what has happened", "the board", "the hands", "the decks", "the exchange", "the removed cards", "the supply",
    "who decides", "whose turn it is", "the phase", "the options", "what is known", "the end", "the winners",
    "the returns",
)  # fmt: skip


def describe(game: CompiledCastleCards | CastleCardsReference) -> tuple:
    """Return all that is compared, in the order of `WHAT`."""
    return (
        without_order(as_lists(game.turns[-2:])),
        game.piles,
        [sorted(hand) for hand in game.hands],
        game.decks,
        sorted(game.exchange),
        sorted(game.removed),
        [game.supply(player) for player in range(game.players)],
        game.decider,
        game.turn_player,
        game.phase,
        game.options(),
        game.known,
        game.end,
        list(game.winners),
        list(game.returns),
    )


def random_game(players: int, number: int) -> Iterator[Lockstep]:
    """Yield a deal at each of its decisions and at its end; each deal has a taste of its own for playing cards."""
    rng = random.Random(number)
    taste, game = rng.choice((0.2, 0.5, 0.8, 1.0)), Lockstep(players, number)
    while options := sorted(game.slow.options(), key=str):
        yield game
        plays = [option for option in options if option[0] == "play"] if rng.random() < taste else []
        game.play(rng.choice(plays or options))
    yield game


def play_at_random(players: int, number: int) -> dict:
    """Play a deal to its end on both engines, and return its record."""
    *_, game = random_game(players, number)
    turns = as_lists(game.fast.turns)
    assert without_order(turns) == without_order(as_lists(game.slow.turns))
    return game.slow.record(number) | {"turns": turns}


def load() -> list[dict]:
    """Return the stored records, in the order of `STORED`."""
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    """Play random games of each number of players, or those stored; stop at the first in which the engines differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100, help="how many of each number of players")
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    parser.add_argument("--update", action="store_true", help="write the stored games anew, and play no others")
    args = parser.parse_args()
    if args.update:
        records = [json.dumps(play_at_random(*game), ensure_ascii=False) for game in tqdm(STORED, unit="game")]
        FILE.write_text("\n".join(records) + "\n", encoding="utf-8")
        return
    numbers = range(args.first, args.first + args.games)
    for players, number in tqdm([(players, number) for number in numbers for players in DEALT], unit="game"):
        try:
            play_at_random(players, number)
        except AssertionError as difference:
            sys.exit(f"{players} players, deal {number}: {difference}")


if __name__ == "__main__":
    main()
