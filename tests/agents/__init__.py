"""Tests of agents, the arena, and what learns."""
