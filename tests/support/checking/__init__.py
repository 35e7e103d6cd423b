"""Rebuilds states from scratch and compares them with those of the engine."""
