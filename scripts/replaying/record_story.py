"""A game record as a `Story`: read, checked whole by the rules, and told."""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any, TypeAlias

import numpy as np

from zamek_agents.base import Agent, find_evaluating
from zamek_env import Game
from zamek_env.components.model import Components
from zamek_env.shown import shorten
from zamek_scripts.replaying.story import Moment, Story
from zamek_scripts.replaying.tile_story import TileTeller

LONGEST_NAME = 100  # characters of a player's name that are shown
Watch: TypeAlias = Callable[[Iterable[Moment], int], Iterable[Moment]]  # what may show how far it is of so many moments


def tell_record(
    record: Any,
    components: Components | PathLike[str] | str | None = None,
    agent: Agent | None = None,
    blunder: float = np.inf,
    watch: Watch = lambda moments, count: moments,
) -> Story:
    """Return the `Story` of a game record.

    Args:
        components: those it was played on, as for `Game.replay`.
        agent: whose thoughts on each decision are told, or None.
        blunder: points from which a loss, in the eyes of `agent`, is marked.

    Raises `RecordError` where the record breaks a rule, and `ValueError` where `agent` evaluates no choices or does not
    play the game.
    """
    evaluating = find_evaluating(agent) if agent else None
    game = Game.replay(record, components)
    teller = TileTeller(game, evaluating)
    moments = list(watch(teller.tell(), len(teller)))
    names = read_names(record, game.num_players)
    scores = ":".join(map(str, game.scores))
    seed = "" if game.seed is None else f", seed {game.seed}"
    state = "" if game.is_terminal else ", not over"
    title = f"{' – '.join(names)} {scores}"
    thinker = agent.name if agent else ""
    return Story(title, f"{game.ruleset.name}{seed}{state}", names, moments, thinker, blunder)


def read_names(record: dict[str, Any], count: int) -> tuple[str, ...]:
    """Return the names of `count` players in a record; where it names none, `player 0` and so on."""
    names: Sequence[object] | object = record.get("players")
    if not isinstance(names, list) or len(names) != count or not all(isinstance(name, str) for name in names):
        return tuple(f"player {player}" for player in range(count))
    return tuple(shorten(name)[:LONGEST_NAME] for name in names)
