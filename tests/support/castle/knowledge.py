"""Which cards each player knows to be in each hand (K10)."""

from collections import Counter


class Knowledge:
    """`counts[observer][holder]` counts the cards of another's hand that the observer has seen going there.

    A card that leaves a hand unseen may be any of them. So nothing is then known of that hand.
    """

    def __init__(self, players: int) -> None:
        self.players = range(players)
        self.counts = [[Counter() for _ in self.players] for _ in self.players]

    def arrives(self, card: str, holder: int, seen_by: tuple[int, ...] | None = None) -> None:
        """Note a card that came into a hand before the eyes of everybody, or of some."""
        for observer in self.players:
            if observer != holder and (seen_by is None or observer in seen_by):
                self.counts[observer][holder][card] += 1

    def leaves(self, card: str, holder: int, seen_by: tuple[int, ...] | None = None) -> None:
        """Note a card that left a hand before the eyes of everybody, or of some."""
        for observer in self.players:
            if seen_by is None or observer in seen_by:
                self.counts[observer][holder] -= Counter([card])  # never below zero
            else:
                self.counts[observer][holder].clear()
