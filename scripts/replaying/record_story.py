"""A game record as a `Story`: read, and checked whole by the rules."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np

from zamek_agents.base import Agent, Evaluating, find_evaluating
from zamek_env import Game
from zamek_env.castle_cards.game import CastleCards
from zamek_env.castle_cards.records.shape import FORMAT as CASTLE_FORMAT
from zamek_env.load import AnyComponents
from zamek_env.messages import escape
from zamek_scripts.replaying.castle_story import CastleTeller
from zamek_scripts.replaying.story import Look, Moment, Story
from zamek_scripts.replaying.tile_story import TileTeller
from zamek_scripts.which_ruleset import check_no_components

LONGEST_NAME = 100  # characters of a player's name that are shown
Watch: TypeAlias = Callable[[Iterable[Moment], int], Iterable[Moment]]  # what may show how far it is of so many moments


def make_story(
    record: Any,
    components: AnyComponents = None,
    agent: Agent | None = None,
    blunder: float = np.inf,
    watch: Watch = lambda moments, count: moments,
) -> Story:
    """Return the `Story` of a game record.

    Args:
        components: those it was played on, as for `Game.replay`.
        agent: whose thoughts on each decision are shown, or None.
        blunder: points from which a loss, in the eyes of `agent`, is marked.

    Raises `RecordError` where the record breaks a rule, and `ValueError` where `agent` evaluates no choices or does not
    play the game.
    """
    teller = open_record(record, components, find_evaluating(agent) if agent else None)
    moments = list(watch(teller.make_moments(), len(teller)))
    scores = moments[-1].scores
    names = read_names(record.get(teller.name_key), len(scores))
    title = teller.make_title(names, scores)
    return Story(title, teller.about, names, moments, agent.name if agent else "", blunder, teller.look)


class Teller(Protocol):
    """What makes a story of a game of some kind."""

    about: str  # which game it is, in a line
    look: Look
    name_key: str  # of the record, under which the names of the players stand

    def __len__(self) -> int:
        """Return how many moments the game has."""
        ...

    def make_moments(self) -> Iterator[Moment]:
        """Yield the moments, the first before any decision."""
        ...

    def make_title(self, names: Sequence[str], scores: Sequence[int]) -> str:
        """Return who played, and how it ended."""
        ...


def open_record(record: Any, components: AnyComponents, agent: Evaluating | None) -> Teller:
    """Return what makes a story of a record, which is checked whole. Raises as `make_story` does."""
    if isinstance(record, dict) and record.get("format") == CASTLE_FORMAT:
        check_no_components(components, f"records of the format {CASTLE_FORMAT}")
        return CastleTeller(CastleCards.replay(record), agent)
    return TileTeller(Game.replay(record, components), agent)


def read_names(names: object, count: int) -> tuple[str, ...]:
    """Return the `names` of `count` players that a record holds, on one line and not at any length.

    Where it names none they are `player 0` and so on.
    """
    given = [""] * count
    if isinstance(names, list) and len(names) == count and all(isinstance(name, str) for name in names):
        given = names
    return tuple(_shorten(escape(name)) if name.strip() else f"player {player}" for player, name in enumerate(given))


def _shorten(name):
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
