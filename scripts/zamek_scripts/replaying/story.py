"""A game as a page shows it, moment by moment. It suits any game: nothing here knows rules or a board."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zamek_agents.base import Evaluating
from zamek_env.choices import SPREAD
from zamek_env.evaluation import Evaluation
from zamek_env.fair_play import ask_evaluation
from zamek_env.game_protocol import GameProtocol
from zamek_env.render import palette


@dataclass(frozen=True)
class Outline:
    """The place of a choice in the first view: a square, or the disc in it, in units of that SVG."""

    left: float
    top: float
    side: float
    is_round: bool = False


@dataclass(frozen=True)
class Option:
    """Something that could be chosen."""

    text: str  # in notation
    value: float  # NaN where the agent did not look
    outline: Outline | None = None
    is_played: bool = False


@dataclass(frozen=True)
class Thoughts:
    """The thoughts of an agent on a decision."""

    unit: str  # of `zamek_env.evaluation`
    options: Sequence[Option]
    loss: float  # by which what was played is worth less than the best; NaN where that is not known


@dataclass(frozen=True)
class Moment:
    """The game after one decision; the first moment is the game before any.

    In `views`, elements of the class `revealed` are shown only where the viewer asks for what is hidden, and elements
    with an attribute `data-at` are described by `areas`. A view with one element a line makes the page smaller.
    """

    views: tuple[str, ...]  # SVG documents, such as the board and what lies next to it; as many in all moments
    scores: tuple[int, ...]  # one a player
    turn: int = 0  # from 1; 0 before the first
    player: int | None = None  # who decided
    action: str = ""  # in notation
    sentences: tuple[str, ...] = ()  # what it did, and what it brought
    hidden: tuple[str, ...] = ()  # sentences on what players do not see
    areas: Mapping[str, str] = field(default_factory=dict)  # `data-at` -> a key of its area, a `|`, and its words
    thoughts: Thoughts | None = None


@dataclass(frozen=True)
class Look:
    """Shows games of one kind on a page."""

    measure: str = "points"  # what the scores count
    shares: tuple[float, ...] = (3, 1)  # relative widths of the views side by side
    pawns: Sequence[tuple[str, str]] = ()  # colours of each player in the views: of the pawn and of the number on it
    has_hands: bool = False  # what could be chosen is shown only where the viewer asks for choices
    choices: tuple[str, str] = palette.CHOICES  # colours of the worst choice and of the best
    choice_inks: tuple[str, str] = palette.CHOICE_INKS  # of words on faint choices and on strong ones
    choice_edge: str = palette.CHOICE_EDGE
    legend: Mapping[str, Any] | None = None  # of `zamek_env.castle_cards.render.picture`
    spread: float = SPREAD  # points by which a choice is worse than the best where it is drawn as the worst


@dataclass(frozen=True)
class Story:
    """A whole game. Raises `ValueError` where there is no moment, or moments do not fit together."""

    title: str
    about: str  # a line below the title
    players: Sequence[str]  # names
    moments: Sequence[Moment]
    agent: str = ""  # whose thoughts are shown
    blunder: float = np.inf  # points from which a loss is marked
    look: Look = field(default_factory=Look)

    def __post_init__(self) -> None:
        if not self.moments:
            raise ValueError("moments must hold one moment or more, not none")
        shapes = {(len(moment.views), len(moment.scores)) for moment in self.moments}
        if shapes != {(len(self.moments[0].views), len(self.players))}:
            raise ValueError(
                f"moments must have as many views each, and a score for each of {len(self.players)} players"
            )


class StoryBuilder:
    """Replays the game of a record, and makes a story of it, moment by moment.

    Args:
        about: which game it is, in a line.
        actions: those played.
        names: how sentences call the players.
        agent: whose thoughts on each decision are shown, or None.
    """

    look: Look = Look()

    def __init__(self, about: str, actions: Sequence[int], names: Sequence[str], agent: Evaluating | None) -> None:
        self.about, self.names = about, names
        self._actions, self._agent, self._rng = actions, agent, np.random.default_rng(0)

    def __len__(self) -> int:
        """Return the number of moments of the game."""
        return 1 + len(self._actions)

    def make_moments(self) -> Iterator[Moment]:
        """Yield the moments, the first before any decision."""
        raise NotImplementedError

    def make_title(self, scores: Sequence[int]) -> str:
        """Return a title that says who played, and how it ended."""
        raise NotImplementedError

    def think(self, game: GameProtocol, action: int) -> Thoughts | None:
        """Return the agent's view of the decision in `game`, where `action` was played; None without an agent."""
        if self._agent is None:
            return None
        evaluation = ask_evaluation(self._agent.evaluate, game, self._rng)
        choices = self.describe_choices(game, evaluation.actions)
        options = [
            Option(choices[other][0], evaluation.value_of(other), choices[other][1], other == action)
            for other in rank(evaluation)
        ]
        return Thoughts(evaluation.unit, options, evaluation.loss(action))

    def describe_choices(self, game: Any, actions: Sequence[int]) -> dict[int, tuple[str, Outline | None]]:
        """Return {action: its notation, and where it is drawn} of the legal `actions`."""
        raise NotImplementedError


def rank(evaluation: Evaluation) -> list[int]:
    """Return the actions, the best first; those that the agent did not look at come last."""
    order = np.argsort(-np.nan_to_num(evaluation.values, nan=-np.inf), kind="stable")
    return [evaluation.actions[number] for number in order]
