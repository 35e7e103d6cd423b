"""A game record as a `Story`: read, and checked whole by the rules."""

from typing import Any

import numpy as np
from tqdm import tqdm

from zamek_agents.base import Agent, Evaluating, find_evaluating
from zamek_env import Game
from zamek_env.castle_cards.game import CastleCards
from zamek_env.castle_cards.records.shape import FORMAT as CASTLE_FORMAT
from zamek_env.common.messages import escape
from zamek_env.common.player_names import label_players
from zamek_env.load import AnyComponents
from zamek_scripts.replaying.replay_castle import CastleStoryBuilder
from zamek_scripts.replaying.replay_tiles import TileStoryBuilder
from zamek_scripts.replaying.story import Story, StoryBuilder
from zamek_scripts.shared_args import check_no_components

LONGEST_NAME = 100  # characters of a player's name that are shown


def make_story(
    record: Any,
    components: AnyComponents = None,
    agent: Agent | None = None,
    blunder: float = np.inf,
    has_bar: bool = False,
) -> Story:
    """Return the `Story` of a game record.

    Args:
        components: those it was played on, as for `Game.replay`.
        agent: whose thoughts on each decision are shown, or None.
        blunder: points from which a loss, in the eyes of `agent`, is marked.
        has_bar: whether a bar counts the steps.

    Raises `RecordError` where the record breaks a rule, and `ValueError` where `agent` evaluates no choices or does not
    play the game.
    """
    builder = open_record(record, components, find_evaluating(agent) if agent else None)
    moments = list(tqdm(builder.make_moments(), total=len(builder), unit="step", disable=not has_bar))
    title = builder.make_title(moments[-1].scores)
    return Story(title, builder.about, builder.names, moments, agent.name if agent else "", blunder, builder.look)


def open_record(record: Any, components: AnyComponents, agent: Evaluating | None) -> StoryBuilder:
    """Return what makes a story of a record, which is checked whole. Raises as `make_story` does."""
    if isinstance(record, dict) and record.get("format") == CASTLE_FORMAT:
        check_no_components(components, f"records of the format {CASTLE_FORMAT}")
        cards = CastleCards.replay(record)
        return CastleStoryBuilder(cards, read_names(record.get("agents"), cards.num_players), agent)
    tiles = Game.replay(record, components)
    return TileStoryBuilder(tiles, read_names(record.get("players"), tiles.num_players), agent)


def read_names(names: object, count: int) -> tuple[str, ...]:
    """Return the `names` of `count` players that a record holds, on one line and not at any length, no two alike.

    Where it names none they are called by their seats, as `zamek_env.common.player_names` does.
    """
    given = [""] * count
    if isinstance(names, list) and len(names) == count and all(isinstance(name, str) for name in names):
        given = ["" if name == f"player {player}" else name.strip() for player, name in enumerate(names)]
    shown = map(escape, given)
    return label_players([name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…" for name in shown])
