"""Tests the compiled engine of Castle, the card game, against the slow one of `reference/`."""
