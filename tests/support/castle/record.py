"""Records of games of the reference engine."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.support.castle_reference import CastleReference


def write_record(game: "CastleReference", seed: int | None, agents: list[str]) -> dict:
    """The game as `castle-record/1`."""
    return {
        "format": "castle-record/1",
        "ruleset": "castle-cards",
        "players": game.players,
        "seed": seed,
        "agents": agents,
        "hands": as_lists(game.origin.hands),
        "decks": as_lists(game.origin.decks),
        "exchange": as_lists(game.origin.exchange),
        "turns": as_lists(game.turns),
        "end": game.end,
        "hands_left": [len(hand) for hand in game.hands],
        "decks_left": [len(deck) for deck in game.decks],
        "winners": list(game.winners),
        "returns": game.returns,
    }


def as_lists(entry: Any) -> Any:
    """A record's entry as JSON gives it back: lists for tuples."""
    if isinstance(entry, dict):
        return {key: as_lists(value) for key, value in entry.items()}
    return [as_lists(value) for value in entry] if isinstance(entry, (list, tuple)) else entry
