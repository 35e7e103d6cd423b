"""Cards of Castle dealt one by one, as chance deals them at the root (K3).

A pile is dealt in ascending order. So there is one way to deal each hand, not one for each order of its cards. The
chances are such that every hand comes as often as from a shuffled pack.
"""

from collections.abc import Callable, Sequence
from math import comb
from typing import TypeAlias

from zamek_env.castle_cards.components.cards import NAMES
from zamek_env.castle_cards.components.kinds import NUM_KINDS
from zamek_env.openspiel.node import ChanceNode, Node, Outcomes

Pile: TypeAlias = tuple[int, ...]  # kinds in ascending order
Finish: TypeAlias = Callable[[Sequence[Pile], Pile], Node]  # (piles, what is left) -> the first node of a player


class DealNode(ChanceNode):
    """A node at which chance deals the next card of the pile `piles[-1]`, from the cards that were left before it.

    `sizes` says how many cards each pile is to have, by name.
    """

    before = None

    def __init__(
        self, num_players: int, sizes: dict[str, int], piles: Sequence[Pile], left: Pile, finish: Finish
    ) -> None:
        self.num_players = num_players
        self._sizes, self._piles, self._left, self._finish = sizes, piles, left, finish

    def chance_outcomes(self) -> Outcomes:
        missing = list(self._sizes.values())[len(self._piles) - 1] - len(self._piles[-1])
        return list_next(self._left, self._piles[-1], missing)

    def _draw_outcome(self, action: int) -> Node:
        piles = (*self._piles[:-1], (*self._piles[-1], action))
        return deal_on(self.num_players, self._sizes, piles, self._left, self._finish)

    def format_action(self, action: int) -> str:
        return f"{NAMES[action]} to {list(self._sizes)[len(self._piles) - 1]}"

    def __str__(self) -> str:
        piles = (", ".join(NAMES[kind] for kind in pile) for pile in self._piles)
        return "; ".join(f"{name}: {cards}" for name, cards in zip(self._sizes, piles, strict=False))


def deal_on(num_players: int, sizes: dict[str, int], piles: Sequence[Pile], left: Pile, finish: Finish) -> Node:
    """Return the node after the cards of `piles`: of chance, or what `finish` makes of them where all are complete.

    `left` are the cards that were left before the last of the piles.
    """
    wanted = list(sizes.values())
    if len(piles[-1]) < wanted[len(piles) - 1]:
        return DealNode(num_players, sizes, piles, left, finish)
    rest = list(left)
    for kind in piles[-1]:
        rest.remove(kind)
    if len(piles) == len(wanted):
        return finish(piles, tuple(rest))
    return deal_on(num_players, sizes, (*piles, ()), tuple(rest), finish)


def list_next(left: Pile, pile: Pile, missing: int) -> Outcomes:
    """Return which kind may come next to `pile` with which probability, where so many cards of it are `missing`.

    `left` are the cards from which the whole pile comes.
    """
    counts = [left.count(kind) for kind in range(NUM_KINDS)]
    last = pile[-1] if pile else 0
    taken = pile.count(last)
    ways = {last: _count_more(counts, last, taken, missing)}
    for kind in range(last + 1, NUM_KINDS):
        above = sum(counts[kind + 1 :])
        others = comb(above + counts[kind], missing) - comb(above, missing)
        ways[kind] = comb(counts[last], taken) * others
    total = sum(ways.values())
    return [(kind, number / total) for kind, number in ways.items() if number]


def _count_more(counts, kind, taken, missing):
    """Return in how many ways a pile can have more than `taken` cards of `kind`, and beyond them only greater kinds."""
    above = sum(counts[kind + 1 :])
    most = min(counts[kind], taken + missing)
    return sum(
        comb(counts[kind], number) * comb(above, missing + taken - number) for number in range(taken + 1, most + 1)
    )
