"""Kinds of decisions in suites."""

from zamek_agents.search.solver import count_left
from zamek_env import Game

PLACE, SEND, SCORE, CHOOSE = "place", "send", "score", "choose"
ENDGAME, ENDGAME_OF_4 = "endgame", "endgame of 4"
KINDS = (PLACE, SEND, SCORE, ENDGAME, ENDGAME_OF_4, CHOOSE)
PHASES = (PLACE, SEND, SCORE, CHOOSE)  # kinds of which choices are played on from
ENDGAME_TILES = {ENDGAME: 3, ENDGAME_OF_4: 4}  # the last ones, that to be placed included


def is_of(kind: str, game: Game) -> bool:
    """Return whether the decision in `game` is of that kind."""
    if kind in ENDGAME_TILES:
        return game.phase == PLACE and 1 + count_left(game) == ENDGAME_TILES[kind]
    return game.phase == kind


def find_kind(game: Game, is_endgame: bool) -> str | None:
    """Return of which kind of endgame, or of which other, the decision in `game` is; None where it is of none.

    All decisions with at most so many tiles left are of the endgame, not placements alone.
    """
    if is_endgame:
        return next((kind for kind, tiles in ENDGAME_TILES.items() if 1 + count_left(game) <= tiles), None)
    return game.phase if game.phase in PHASES else None
