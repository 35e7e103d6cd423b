"""A game of Carcassonne whose turns are known beforehand, with what is hidden as the record tells it."""

from tests.support.reference import Box, ReferenceCarcassonne


class ToldGame(ReferenceCarcassonne):
    """The reference game that goes as far as it can as the turns of a record do.

    Nobody can tell what is in the bag from what others hold before it is shown (H1, H2). So tiles are exchanged among
    them until then, and a player holds what the record says that he shows.
    """

    def __init__(self, box: Box, told: list[dict], start: str | None, ends: bool):
        self.told, self.ends = told, ends
        self.shown, self.laid = [], None  # what the player parts with in this turn, and lays
        deck = box.drawn
        if start in deck:
            deck.remove(start)
            deck.insert(0, start)
        super().__init__(box.board, box.tiles, deck, {}, box.rules)

    def _begin_turn(self, player: int) -> None:
        turn = self.told[len(self.turns)] if len(self.turns) < len(self.told) else None
        self.shown, self.laid = [], None
        if turn is None:
            self._settle(player)
        elif turn["player"] == player:
            self.shown, self.laid = [*turn["discarded"], *turn.get("put_back", [])], turn["tile"]
        if self.draws_at_the_end:
            self._show(player)
        super()._begin_turn(player)

    def _draw(self, player: int) -> None:
        super()._draw(player)
        self._show(player)

    def _show(self, player: int) -> None:
        """Let the player hold what he parts with next or, where there is no more of that, what he lays."""
        hand = self.hands[player]
        held = [slot for slot, tile in enumerate(hand) if tile is not None]
        wanted = [] if self.laid in hand else [self.laid]
        if self.shown and len(self.shown) >= len(held):
            wanted, self.shown = self.shown[: len(held)], self.shown[len(held) :]
        for slot, tile in zip(held, wanted, strict=False):
            self._bring(tile, hand, slot)

    def _bring(self, tile: str | None, place: list, number: int) -> None:
        """Exchange what is at a place for a tile, if that is in the bag or in a hand, but not before the place."""
        for other in (place, self.remaining, *self.hands):
            first = number if other is place else 0
            if tile is not None and tile in other[first:]:
                there = other.index(tile, first)
                place[number], other[there] = tile, place[number]
                return

    def _put_back(self, shown: list[str]) -> bool:
        # what comes out of the bag in vain, and what is laid; of a hand it is enough that this is in the bag
        coming = [self.laid] if self.house.hand else [*self.shown, self.laid]
        for number, tile in enumerate(coming[: len(self.remaining)]):
            self._bring(tile, self.remaining, number)
        return super()._put_back(shown)

    def _settle(self, player: int) -> None:
        """Let the game end where the record ends or go on, whatever the others hold (H3)."""
        places = [(place, number) for place in (self.hands[player], self.remaining) for number in range(len(place))]
        places += [
            (hand, slot) for other, hand in enumerate(self.hands) if other != player for slot in range(len(hand))
        ]
        places = [(place, number) for place, number in places if place[number] is not None]
        tiles = sorted((place[number] for place, number in places), key=self._can_go_on_with)
        for (place, number), tile in zip(places, tiles, strict=True):
            place[number] = tile

    def _can_go_on_with(self, tile: str) -> bool:
        """Whether a tile should be far from the player who has the next turn."""
        return bool(self.table.placements(tile)) == self.ends
