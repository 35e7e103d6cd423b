"""Positions and actions in words and in notation, to be read and typed by people."""
