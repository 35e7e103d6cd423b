"""Finds a player's choices on the board, with an agent's values, for `zamek_env.render.Overlay`."""

from collections.abc import Iterable

import numpy as np

from zamek_env.common.checks import check_whole
from zamek_env.core.placement import find_cell
from zamek_env.errors import IllegalActionError
from zamek_env.evaluation import PROBABILITY, Evaluation
from zamek_env.game import Game
from zamek_env.layout.actions import PLACE, SCORE, SEND
from zamek_env.notation.action_line import find_first_segment
from zamek_env.notation.position import find_locations
from zamek_env.render import Choice, Overlay
from zamek_env.render.overlay import Location

SPREAD = 6.0  # points by which a choice must be worse than the best to be drawn as faintly as the worst
MOST_LABELS = 4  # actions named in the label of one location


def find_location(game: Game, action: int | np.integer) -> Location | None:
    """Return where on the board the legal `action` happens: a cell, or a segment; None for nowhere, as sending nobody.

    For an area to score it is its first segment in reading order. Raises as `Game.step` does.
    """
    [location] = locate(game, [action]).values()
    return location


def locate(game: Game, actions: Iterable[int | np.integer]) -> dict[int, Location | None]:
    """Return {action: its location, as `find_location` finds it} of legal `actions`. Raises as `Game.step` does."""
    numbers, legal = [check_whole("action", action) for action in actions], set(game.legal_actions())
    for number in numbers:
        if number not in legal:
            raise IllegalActionError(game.why_illegal(number))
    state, ruleset = game.state[0], game.ruleset
    finders = {PLACE: _find_cell, SEND: _find_sent, SCORE: _find_scored}
    locations = find_locations(ruleset, state)
    found: dict[int, Location | None] = {}
    for action in numbers:
        finder = finders.get(ruleset.actions.phase_of(action))
        found[action] = finder and finder(ruleset, state, locations, action)
    return found


def _find_cell(ruleset, state, locations, action):
    code, _ = ruleset.actions.parse_place(action)
    number = find_cell(ruleset.tables[0], state, code)
    row, column = locations.get(number) or ruleset.components.board.cells[number]
    return row, column


def _find_sent(ruleset, state, locations, action):
    segment, _ = ruleset.actions.parse_send(action)
    if segment is None:
        return None
    row, column = locations[int(state.cell)]
    return row, column, ruleset.tile(int(state.deck[state.drawn - 1])).segments[segment].name


def _find_scored(ruleset, state, locations, action):
    slot, _ = ruleset.actions.parse_score(action)
    (row, column), name = find_first_segment(ruleset, state, int(state.to_score[state.scorer, slot]))
    return row, column, name


def find_choices(game: Game) -> dict[Location, list[int]]:
    """Return {location: legal actions there}, such as the rotations of a tile; actions without one are left out."""
    found: dict[Location, list[int]] = {}
    for action, location in locate(game, game.legal_actions()).items():
        if location is not None:
            found.setdefault(location, []).append(action)
    return found


def make_overlay(game: Game, evaluation: Evaluation | None = None, last: tuple[int, int] | None = None) -> Overlay:
    """Return an `Overlay` of all locations where the player may choose something, and of the cell laid `last`.

    With an `evaluation` of these choices a location is as good as the best action there.
    """
    choices = []
    for location, actions in find_choices(game).items():
        if evaluation is None:
            choices.append(Choice(location, "; ".join(map(game.format_action, actions[:MOST_LABELS]))))
            continue
        ranked = sorted(
            actions, key=lambda action: np.nan_to_num(evaluation.value_of(action), nan=-np.inf), reverse=True
        )
        words = [f"{game.format_action(action)} {format_value(evaluation, action)}" for action in ranked[:MOST_LABELS]]
        mark = format_value(evaluation, ranked[0])
        choices.append(Choice(location, "; ".join(words), _weigh(evaluation, ranked[0]), mark))
    return Overlay(choices, last)


def format_value(evaluation: Evaluation, action: int) -> str:
    """Return what a legal action is worth, in a few letters: points such as `+2.1`, a share such as `37%`, or `?`."""
    value = evaluation.value_of(action)
    if np.isnan(value):
        return "?"
    return f"{value:.0%}" if evaluation.unit == PROBABILITY else f"{value:+z.1f}"


def _weigh(evaluation, action):
    """Return how good an action is, from 0 to 1 for the best; None where nobody looked at it."""
    loss = evaluation.loss(action)
    if np.isnan(loss):
        return None
    most = float(np.nanmax(evaluation.values)) if evaluation.unit == PROBABILITY else SPREAD
    return max(0.0, 1 - loss / most) if most > 0 else 1.0
