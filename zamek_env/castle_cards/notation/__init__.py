"""Positions and options of Castle in notation, to be read and typed by people."""
