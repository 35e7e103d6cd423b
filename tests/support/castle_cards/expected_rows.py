"""The rows of an observation of Castle as the reference engine has them: what each option does, tried out anew."""

from collections.abc import Iterator

from tests.support.castle_cards.compiled_engine import CompiledCastleCards
from tests.support.castle_cards.lockstep import Lockstep
from tests.support.castle_cards.reference.board import COURT, OUTSIDE, RAMPART, SLOTS, TOWER, neighbours, zone_of
from tests.support.castle_cards.reference.reference import CastleCardsReference, Decision
from zamek_env.castle_cards.components.cards import NAMES
from zamek_env.castle_cards.layout.actions import PHASE_NAMES
from zamek_env.castle_cards.layout.rows import CARD_GROUP_OF
from zamek_env.castle_cards.notation.action_line import name_space

TAKERS = (  # whose effect lets somebody choose a card that is taken back
    "Archer", "Barbarian", "Dragon", "Black Knight", "Courtier", "Lady in Waiting", "Queen", "Traitor", "King",
)  # fmt: skip
FREE = {"towers": TOWER, "ramparts": RAMPART, "court": COURT}
BARE = FREE | {"outside": OUTSIDE}


class Reached(Exception):  # noqa: N818 - no error
    """A decision at which a trial ends."""

    def __init__(self, decision: Decision | None = None) -> None:
        self.decision = decision


class Trial(CastleCardsReference):
    """A game that takes the answers of a `script` and ends at the next decision, even one with a single option."""

    script: list[tuple] | None = None
    decision: Decision | None = None

    def ask(self, options, player=None, phase="effect"):
        """As in any game before there is a `script`."""
        is_asked = self.script is not None and options and not self._is_enchanter(phase)
        if is_asked and not self.script:
            raise Reached(Decision(self.turn_player if player is None else player, phase, frozenset(options)))
        return self.script.pop(0) if is_asked else (yield from super().ask(options, player, phase))

    def step(self, **entry):
        """The same; a turn that lapses is decided by nobody."""
        if self.script is not None and entry == {"do": "pass"}:
            raise Reached
        super().step(**entry)

    def _is_enchanter(self, phase):
        return phase == "effect" and self.last_played is not None and self.last_played.name == "Enchanter"

    def follow(self, script):
        """Carry out these options, and nothing that somebody has to choose after them."""
        self.script = list(script[1:])
        try:
            self._advance(script[0])
        except Reached as reached:
            self.decision = reached.decision
        return self


class Tried:
    """A game in lockstep with where its last action began, from which options can be tried."""

    def __init__(self, game: Lockstep) -> None:
        self.game = game
        self.note()

    def note(self) -> None:
        """Take note of where the game stands, after each decision."""
        slow = self.game.slow
        if slow.phase == "action":
            self.origin, self.chosen, self.drawn = (
                slow.position(),
                len(slow.played_options),
                len(slow.drawn_by_chance),
            )

    def follow(self, *script: tuple) -> Trial:
        """Return the game after these options."""
        slow = self.game.slow
        drawn = iter(slow.drawn_by_chance[self.drawn :])
        trial = Trial.at(self.origin, lambda hand: next(drawn, None) or hand[0])
        for option in slow.played_options[self.chosen :]:
            trial.play(option)
        return trial.follow(script)

    def expected(self, option: tuple) -> dict[str, int]:
        """Return what the row of an option says, {name of a column: value}."""
        slow, me = self.game.slow, self.game.slow.decider
        around = [(me + number) % slow.players for number in range(slow.players)]
        then, says = self.follow(option), describe(self.game.fast, slow, option)
        gains = [list(gain) for gain in zip(*self._find_gains(option, then), strict=True)]
        for number, player in enumerate(around):
            most, least = max(gains[player]), min(gains[player])
            left = len(slow.hands[player]) + len(then.decks[player]) + least
            says |= {f"most.{number}": most, f"least.{number}": least, f"left.{number}": left}
            says[f"out.{number}"] = left == 0
            says[f"board.{number}"] = then.board.pawns_of(player) - slow.board.pawns_of(player)
            for name, zone in BARE.items():
                says[f"bare_{name}.{number}"] = count_bare(then, player, zone)
        says["exchange"] = len(then.exchange) - len(slow.exchange)
        says["removed"] = len(then.removed) - len(slow.removed)
        says |= {f"free.{name}": len(then.board.free(zone)) for name, zone in FREE.items()}
        says["free.slots"] = sum(slot not in then.board.piles for slot in SLOTS)
        says["fitting"] = sum(bool(then.board.fitting(card)) for card in slow.hands[me])
        return says

    def _find_gains(self, option: tuple, then: Trial) -> Iterator[list[int]]:
        """Yield what comes to each hand in all ways in which the option can go on."""
        decision = then.decision
        if decision is not None and decision.phase == "place":
            for space in decision.options:
                yield from self._find_takes(self.follow(option, space))
        else:
            yield from self._find_takes(then)

    def _find_takes(self, then: Trial) -> Iterator[list[int]]:
        slow, decision = self.game.slow, then.decision
        gained = [len(after) - len(before) for before, after in zip(slow.hands, then.hands, strict=True)]
        takes = decision is not None and decision.phase == "effect" and decision.player == slow.decider
        if not takes or then.last_played.name not in TAKERS:
            yield gained
            return
        for _, space in decision.options:
            owner = then.board.top(space).pawn
            yield [gain + (player == owner) for player, gain in enumerate(gained)]


def count_bare(game: CastleCardsReference, player: int, zone: str) -> int:
    """How many uncovered cards with a player's pawn could be taken back in a zone."""
    board, spaces = game.board, [space for space in game.board.piles if zone_of(space) == zone]
    return sum(board.top(space).pawn == player and not board.is_protected(space) for space in spaces)


def describe(fast: CompiledCastleCards, slow: CastleCardsReference, option: tuple) -> dict[str, int]:
    """Return what is done, with which card, and whose pawn that concerns."""
    phase, (word, *rest) = PHASE_NAMES[fast["phase"]], option
    if word in ("draw", "decline"):
        return {f"does.{word}": 1}
    says = {f"does.{word if phase == 'action' else phase}": 1}
    board, source = slow.board, name_space(fast.states[0], int(fast["source"])) if fast["source"] >= 0 else None
    card, pawns = None, []
    if word in ("give", "play", "card"):
        card = rest[0]
    elif phase == "place":
        card, pawns = NAMES[fast["card"]], [pile.pawn for pile in board.piles.get(rest[0], [])[-1:]]
    elif phase == "move to":
        card, pawns = board.top(source).name, [pile.pawn for pile in board.piles.get(rest[0], [])[-1:]]
    elif phase == "level":
        card, pawns = board.piles[source][rest[0]].name, [board.piles[source][rest[0]].pawn]
    elif phase == "pile":
        card, pawns = board.top(rest[0]).name, list_choosable(fast, slow, rest[0])
    elif word == "space":
        card, pawns = board.top(rest[0]).name, [board.top(rest[0]).pawn]
    elif word == "player":
        pawns = rest
    else:
        beside = [card.name for space in neighbours(board.find("Spy")) for card in board.piles.get(space, [])]
        card, pawns = beside[fast["progress"]], rest
    if card is not None:
        (does,) = (name.removeprefix("does.") for name in says)
        says[f"{CARD_GROUP_OF[does]}.{card}"] = 1
        if (word in ("give", "play", "card") and phase != "arrange") or phase == "place":
            says["fits"] = len(board.fitting(card))
    if phase in ("award", "steal: give"):
        pawns = [int(fast["other"])]
    for pawn in pawns:
        name = "whose.none" if pawn is None else f"whose.{(pawn - slow.decider) % slow.players}"
        says[name] = says.get(name, 0) + 1
    return says


def list_choosable(fast: CompiledCastleCards, slow: CastleCardsReference, space: tuple) -> list[int]:
    """The pawns of a pile that a Merchant, Thief or Conspirator may choose."""
    name, pile = slow.last_played.name, slow.board.piles[space]
    pawns = [(level, card.pawn) for level, card in enumerate(pile) if card.pawn is not None]
    if name == "Merchant":
        return [pawn for _, pawn in pawns if pawn != slow.turn_player]
    taken = None
    if name == "Conspirator" and fast["progress"]:
        taken = name_space(fast.states[0], int(fast["picked"][0])), int(fast["picked"][1])
    return [pawn for level, pawn in pawns if (space, level) != taken]
