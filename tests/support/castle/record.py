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


def without_order(turns: list[dict]) -> list[dict]:
    """Return turns with a fixed order in the lists whose order is free."""
    return [{**turn, "steps": [sort_lists(step) for step in turn["steps"]]} for turn in turns]


def sort_lists(step: dict) -> dict:
    """Return a step with its lists in a fixed order, spaces as they are."""
    free = [key for key in ("set", "give", "take") if isinstance(step.get(key), list)]
    return step | {key: sorted(step[key], key=str) for key in free}
