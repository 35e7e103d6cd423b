"""The components of a game, read from files and checked."""
