"""Plays games of which only the moves are known, as those are that people played elsewhere."""

from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from urllib.parse import unquote

import numpy as np

from zamek_env.common.messages import show
from zamek_env.core.log import DISCARDED, LOGGED_EVENT, LOGGED_SUBJECT
from zamek_env.layout.actions import CHOOSE, PHASE_NAMES, SEND
from zamek_env.records.notation import CHOSEN, NOTHING, TILE_AT, word
from zamek_env.records.tile_game import TileGame
from zamek_env.records.told_deal import Shown, TilesLeft, fill_order, order_tiles
from zamek_env.ruleset import Ruleset

DISCARD = "discard "  # begins the move that tells of a tile that fitted nowhere
START = "start "  # begins the one that tells of the tile in the middle, where that is drawn (rule H4)


def play_moves(ruleset: Ruleset, moves: Iterable[str], seed: int | None) -> TileGame:
    """Return the game that comes of `moves`, as `Game.from_moves` describes."""
    if isinstance(moves, str | bytes | Mapping | Set) or not isinstance(moves, Iterable):
        raise TypeError(f"moves must be a row of texts, not {show(moves)}")
    texts = list(moves)
    game = TileGame.from_deal(ruleset, _order(ruleset, texts, seed), seed=seed)
    discarded = _list_discarded(game)
    for number, text in enumerate(texts, 1):
        with _numbered(number, text):
            if text.startswith(DISCARD):
                tile = text.removeprefix(DISCARD)
                if discarded[:1] != [tile]:
                    raise ValueError(f"{discarded[0]} was discarded first" if discarded else f"{tile} fits somewhere")
                discarded.pop(0)
            elif not text.startswith(START):
                if (placed := TILE_AT.fullmatch(text)) and placed[1] in discarded:
                    raise ValueError(f"{placed[1]} fits nowhere and leaves the game")
                discarded += _play(game, text)
    return game


def _order(ruleset, texts, seed):
    """Return the first tiles of the deck, so that they come as the moves tell."""
    left, shown, start = TilesLeft(ruleset), [], None
    for number, text in enumerate(texts, 1):
        if not isinstance(text, str):
            raise TypeError(f"moves must be texts, and move {number} is {show(text)}")
        placed = TILE_AT.fullmatch(text)
        with _numbered(number, text):
            if placed:
                shown.append(Shown(left.take(unquote(placed[1])), (int(placed[2]), int(placed[3]))))
            elif text.startswith(CHOSEN) and number == len(texts):  # its placement is not told
                shown.append(Shown(left.take(unquote(text.removeprefix(CHOSEN)))))
            elif text.startswith(DISCARD):
                shown.append(Shown(left.take(unquote(text.removeprefix(DISCARD)))))
            elif text.startswith(START):
                if number > 1 or not ruleset.sizes.starts_in_bag:
                    raise ValueError("it can only be the first move, where the start tile is drawn (H4)")
                start = left.take(unquote(text.removeprefix(START)))
    rest = left.list_numbers()
    if start is None and ruleset.sizes.starts_in_bag and rest:
        start = rest.pop(int(np.random.default_rng(seed).integers(len(rest))))
    return fill_order(order_tiles(ruleset, shown, start), np.random.default_rng(seed).permutation(rest).tolist())


@contextmanager
def _numbered(number: int, text: str) -> Iterator[None]:
    """Let errors of the block begin with the number of the move and its text."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"move {number}, {show(text)}: {error}") from error


def _list_discarded(game):
    """Return the words of the tiles that left the game in the last step."""
    events = game.last_events
    subjects = events[events[:, LOGGED_EVENT] == DISCARDED, LOGGED_SUBJECT]
    return [word(game.ruleset.tile(tile).id) for tile in subjects.tolist()]


def _play(game, text):
    """Play a move, and before it what was left out: that nobody is sent, which tile is chosen; return the discarded."""
    phase, placed = game.phase, TILE_AT.fullmatch(text)
    if (text == NOTHING and phase != PHASE_NAMES[SEND]) or (text.startswith(CHOSEN) and phase != PHASE_NAMES[CHOOSE]):
        return []
    discarded = []
    if placed and phase == PHASE_NAMES[SEND]:
        discarded += _play(game, NOTHING)
    if placed and game.phase == PHASE_NAMES[CHOOSE]:
        discarded += _play(game, f"{CHOSEN}{placed[1]}")
    game.step(game.parse_action(text))
    return discarded + _list_discarded(game)
