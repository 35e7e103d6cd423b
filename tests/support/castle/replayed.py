"""A game of Castle as its record has it: what was recorded is applied step by step, and judged by the rules.

Effects read the recorded steps rather than ask for decisions. `ComplaintError` says what is wrong first.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from tests.support.castle.board import RAMPARTS, SLOTS, Board, Card, Space, neighbours, rampart_of, zone_of
from tests.support.castle.cards import PAWNS, RAMPART, SOLDIERS, ZONE
from tests.support.castle.complaints import as_text, is_number, read_space, require
from tests.support.castle.replayed_effects import CASTLE, EFFECTS

WITHOUT_EFFECT = ("Ambassador", "Captain", "Herald", "Knight", "Priest", "Prince", "Siege Engine", "Soldier")


class Replayed:
    """The state that the steps of one record lead to. `steps` are those of the turn that are still to come."""

    def __init__(self, hands: list[list[str]], decks: list[list[str]], exchange: list[str]):
        self.hands, self.decks = [Counter(hand) for hand in hands], [list(deck) for deck in decks]
        self.exchange = Counter(exchange)
        self.board = Board()
        self.player, self.actions_left = 0, 0
        self.last: Card | None = None
        self.before: Card | None = None
        self.steps: list[dict] = []

    # --- reading steps ---

    def peek(self) -> dict:
        """The next step of the turn, {} if there is none."""
        return self.steps[0] if self.steps else {}

    def take_step(self, do: str, keys: str) -> dict:
        """Go past the next step, which must be of this kind and have these keys and no others."""
        require(bool(self.steps), f"the turn ends where {do!r} is due")
        step = self.steps.pop(0)
        require(step.get("do") == do, f"{step} stands where {do!r} is due")
        require(set(step) == {"do", *keys.split()}, f"{step} must have the keys do {keys}")
        return step

    def expect(self, due: dict) -> None:
        """Go past the next step, which leaves no choice."""
        step = self.take_step(due["do"], " ".join(key for key in due if key != "do"))
        require(as_text(step) == as_text(due), f"{step} is recorded where the rules give {due}")

    def take_card(self, cards: Counter, name: Any, where: str) -> None:
        """Take a recorded card away from a hand or the exchange."""
        require(isinstance(name, str) and cards[name] > 0, f"{name!r} is not {where}")
        cards[name] -= 1

    # --- the board ---

    def exposed(self, own: Card, zones: tuple[str, ...], names: Iterable[str] = tuple(ZONE)) -> list[Space]:
        """Spaces of the zones whose uncovered card bears one of the names, is unprotected and not `own`."""
        return [space for space in self.board.exposed(own, zones) if self.board.top(space).name in names]

    def near(self, own: Card, at: Space, zones: tuple[str, ...] = CASTLE, names: Iterable[str] = tuple(ZONE)):
        """The same next to a space."""
        return [space for space in self.exposed(own, zones, names) if space in neighbours(at)]

    def returned(self, space: Space, level: int = -1, **more: Any) -> None:
        """A card goes back to the owner of its pawn; the step says so."""
        card = self.board.piles[space].pop(level)
        if not self.board.piles[space]:
            del self.board.piles[space]
        to = "exchange" if card.pawn is None else card.pawn
        (self.exchange if card.pawn is None else self.hands[card.pawn])[card.name] += 1
        self.expect({"do": "take_back", "at": list(space), "card": card.name, "to": to, **more})

    def one_returned(self, spaces: list[Space], by: int | None = None) -> bool:
        """One of these cards goes back, if there is any; returns whether."""
        if spaces:
            require(self.peek().get("do") == "take_back", f"{self.peek()} stands where a card is to be taken back")
            at = read_space(self.peek().get("at"))
            require(at in spaces, f"{self.peek()}: no target lies there")
            self.returned(at, **({} if by is None or by == self.player else {"by": by}))
        return bool(spaces)

    def one_moved(self, spaces: list[Space], is_optional: bool = False) -> bool:
        """One of these cards is moved to where it may go, or that is declined; returns whether there was any."""
        if not spaces:
            return False
        if is_optional and self.peek().get("do") == "decline":
            self.take_step("decline", "")
            return True
        step = self.take_step("move", "at to")
        at, to = read_space(step["at"]), read_space(step["to"])
        require(at in spaces, f"{step}: no card that may be moved lies there")
        require(to in self.board.destinations(at), f"{step}: the card may not be moved there")
        card = self.board.lift(at)
        self.board.put(card, to)
        self.filled(card, to)
        return True

    def filled(self, card: Card, at: Space) -> None:
        """K8: who fills a rampart takes back the engine before it."""
        side = rampart_of(at)
        if card.name in SOLDIERS and side and all(space in self.board.piles for space in RAMPARTS[side]):
            slot = ("siege", side)
            if slot in self.board.piles and self.board.top(slot).name == "Siege Engine":
                self.returned(slot, why="siege")

    def closed(self) -> None:
        """K8: the fourth engine takes back the soldiers on all ramparts."""
        soldiers = [
            space
            for space in sorted(space for space in self.board.piles if zone_of(space) == RAMPART)
            if self.board.top(space).name in SOLDIERS and not self.board.is_protected(space)
        ]
        for space in soldiers if all(slot in self.board.piles for slot in SLOTS) else []:
            self.returned(space, why="siege")

    # --- playing a card ---

    def play_card(self, source: Counter, keys: str, legal: int | None = None) -> None:
        """A card is played from the hand or the exchange, with all that follows from it."""
        step = self.take_step("play", keys)
        name, at = step["card"], read_space(step["at"])
        require(step.get("from", "exchange") == "exchange", f"{step}: a card is played from the hand or the exchange")
        require(legal is None or as_text(step["legal"]) == as_text(legal), f"{step}: legal is {legal}")
        self.take_card(source, name, "there to be played")
        require(at in self.board.fitting(name), f"{step}: the card does not fit there")
        has_pawn = source is not self.exchange and self.pawns_left() > 0
        card = Card(name, self.player if has_pawn else None)
        self.board.put(card, at)
        self.before, self.last = self.last, card
        self.filled(card, at)
        if name == "Siege Engine":
            self.closed()
        if name not in WITHOUT_EFFECT and not EFFECTS[name](self, card, at):
            self.expect({"do": "void", "of": name})

    def pawns_left(self) -> int:
        """How many pawns the player of the turn has left."""
        return PAWNS[self.player] - self.board.pawns_of(self.player)

    def clockwise(self) -> list[int]:
        """All players from the player of the turn on."""
        return [*range(self.player, len(self.hands)), *range(self.player)]

    # --- effects on pawns ---

    def pawns_set(self) -> list[tuple[Card, int | None]]:
        """The cards whose pawns change, and the pawns that they have then; `pawns` is applied."""
        step = self.take_step("pawns", "set")
        changed: dict[Card, int | None] = {}
        for entry in step["set"]:
            require(isinstance(entry, list) and len(entry) == 4, f"{entry} must be space, level, card and pawn")
            space, level, name, pawn = entry
            pile = self.board.piles.get(read_space(space), [])
            require(
                is_number(level) and level < len(pile) and pile[level].name == name, f"{entry}: no such card lies there"
            )
            require(pawn is None or (is_number(pawn) and pawn < len(self.hands)), f"{entry}: {pawn!r} is no player")
            require(pile[level] not in changed, f"{entry}: the card is named twice")
            require(pile[level].pawn != pawn, f"{entry}: the pawn was the same before")
            changed[pile[level]] = pawn
        return list(changed.items())

    def marked(self, own: Card, spaces: Iterable[Space] | None = None) -> list[Card]:
        """Cards in play, or at these spaces, that have a pawn, without `own`."""
        within = None if spaces is None else list(spaces)
        return [
            card
            for space, _, card in self.board.cards()
            if card.pawn is not None and card is not own and (within is None or space in within)
        ]
