"""Castle, the card game: `CastleCards`. The rules begin in `core/rules.py`."""

from zamek_env.castle_cards.game import CastleCards

__all__ = ["CastleCards"]
