"""Tests of environments, observations and what else stands around a game."""
