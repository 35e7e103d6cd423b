"""Tests of the rules as the engine plays them, and of components and rulesets."""
