"""The numbered rules of the game, one after another, each shown in drawn positions (see `tests.support.drawn`)."""
