"""Games of Castle, the card game, in which all players help one of them to use up all pawns (K3)."""

import random

from tests.support.castle.reference import CastleReference
from tests.support.castle_lockstep import Lockstep

WITHOUT_GAIN = ("Courtesan", "Conspirator", "Spy", "Thief", "Alchemist")
HELPFUL = (
    "Witch", "Fool", "Village Idiot", "King", "Queen", "Courtier", "Barbarian", "Soldier", "Herald", "Knight",
    "Traitor", "Archer", "Dragon", "Lady in Waiting",
)  # fmt: skip


def hoard(game: Lockstep, hoarder: int, rng: random.Random, decisions: int) -> bool:
    """Play until the hoarder may play a card without having a pawn; return whether that came within the decisions."""
    for _ in range(decisions):
        slow = game.slow
        if not slow.options():
            return False
        plays = [option for option in slow.options() if option[0] == "play"]
        if slow.decider == hoarder and plays and slow.supply(hoarder) == 0:
            return True
        game.play(choose(slow, hoarder, rng))
    return False


def choose(game: CastleReference, hoarder: int, rng: random.Random) -> tuple:
    """Return an option that brings the hoarder more cards in play."""
    options = sorted(game.options(), key=str)
    if game.phase == "action" and game.decider == hoarder:
        return choose_own_action(game, options, rng)
    if game.phase == "action":
        return choose_others_action(game, options, rng)
    wanted = ("card", "Merchant" if game.decider == hoarder else "Witch")
    if wanted in options:
        return wanted
    if ("player", hoarder) in options:
        return ("player", hoarder)
    worth = {option: judge_space(game, option, hoarder) for option in options}
    return rng.choice([option for option in options if worth[option] == max(worth.values())])


def choose_own_action(game: CastleReference, options: list[tuple], rng: random.Random) -> tuple:
    """The hoarder plays cards, and keeps one in the deck so as not to win."""
    plays = [option for option in options if option[0] == "play" and option[1] not in WITHOUT_GAIN]
    if plays:
        return rng.choice(plays)
    if len(game.decks[game.turn_player]) > 1:
        return ("draw",)
    return rng.choice([option for option in options if option[0] == "give"] or options)


def choose_others_action(game: CastleReference, options: list[tuple], rng: random.Random) -> tuple:
    """The others play the Witch, now and then another card, and keep their decks."""
    if ("play", "Witch") in options:
        return ("play", "Witch")
    plays = [option for option in options if option[0] == "play" and option[1] in HELPFUL]
    if plays and len(game.hands[game.turn_player]) > 2 and rng.random() < 0.4:
        return rng.choice(plays)
    draws = [("draw",)] if len(game.decks[game.turn_player]) > 1 else []
    return rng.choice(draws + [option for option in options if option[0] == "give"] or options)


def judge_space(game: CastleReference, option: tuple, hoarder: int) -> int:
    """What it is worth that the uncovered card of a space is chosen; it mostly goes back to its owner."""
    pile = game.board.piles.get(option[1]) if option[0] == "space" and game.phase == "effect" else None
    if not pile:
        return 0
    card = pile[-1]
    if card.pawn == hoarder:
        return 5 if card.name == "Merchant" else -3
    return 4 if card.name == "Witch" and card.pawn is not None else 1
