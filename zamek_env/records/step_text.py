"""Describes the outcome of a step in sentences: what was scored and why."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from zamek_env.base.records import NONE
from zamek_env.common.messages import show_count
from zamek_env.common.player_names import name_player, tell_player
from zamek_env.components.house_rules import CITY
from zamek_env.components.model import Components, Feature
from zamek_env.components.token_text import name_token
from zamek_env.core.scoring import SMALL
from zamek_env.notation.action_line import write_segment
from zamek_env.notation.position import find_tiles
from zamek_env.records.write import Recorder
from zamek_env.ruleset import Ruleset


def describe_news(recorder: Recorder[Any], news: Sequence[tuple[str, Any]], names: Sequence[str] = ()) -> Iterator[str]:
    """Yield a sentence for each item of `recorder.news`; `names` are those of the players, if they have some."""
    for kind, item in news:
        if kind == "discarded":
            yield f"{item} fits nowhere and leaves the game."
        elif kind == "put back":
            yield f"{item} fits nowhere and goes back into the bag."
        elif kind == "scored":
            yield _describe_scored(recorder.game.ruleset, recorder.game.state[0], item, names)
        else:
            who, paid = name_player(item["player"], names), show_count(item["points"], "point")
            reason = name_reason(recorder.game.ruleset.components, item["reason"])
            yield f"At the end {who}: {paid} for {reason}{_name_area(item)}."


def name_reason(components: Components, reason: str) -> str:
    """Return in words the `reason` of a payment at the end, as in records."""
    kind = reason.removeprefix("token ")
    return f"the token {name_token(components, int(kind))}" if kind != reason else reason


def _name_area(payment):
    """Return the location of the area of a payment; "" where there is no area."""
    if "at" not in payment:
        return ""
    row, column, segment = payment["at"]
    return f" {write_segment((row, column), segment)} of {show_count(payment['tiles'], 'tile')}"


def _describe_scored(ruleset, state, entry, names):
    row, column, segment = entry["at"]
    reason = explain_points(ruleset, state, entry)
    why = f" ({reason})" if reason else ""
    took = f"the token {name_token(ruleset.components, entry['took'])} from a tower" if entry["took"] else ""
    gained = [took, show_count(entry["nests"], "nest") if entry["nests"] else ""]
    more = f", with {' and '.join(filter(None, gained))}" if any(gained) else ""
    return (
        f"{tell_player(entry['player'], names, 'scores')} {entry['feature']} {write_segment((row, column), segment)}: "
        f"{show_count(entry['points'], 'point')}{why}, {entry['score']} in all{more}."
    )


def explain_points(ruleset: Ruleset, state: np.record, entry: dict[str, Any]) -> str:
    """Return how the points of an area that was `scored` in a record add up; "" where no known rule explains them.

    `state` is that of the game after the area was scored.
    """
    components, tiles = ruleset.components, entry["tiles"]
    feature = components.feature(entry["feature"])
    if entry["token"] is not None:
        token = next(token for token in components.tokens if token.kind == entry["token"])
        how = f"{show_count(tiles, 'tile')} × {token.points} by the token {name_token(components, token.kind)}"
        base, words = tiles * token.points, how
    else:
        marks = _count_marks(ruleset, state, entry["at"])
        is_small = components.house.small_city and feature.name == CITY and tiles == SMALL
        if is_small:  # pays less (rule H9)
            more = f" + {marks} × 1 for {feature.mark}" if marks else ""
            base, words = tiles + marks, f"{show_count(tiles, 'tile')} × 1{more}"
        else:
            base, words = _explain_feature(feature, tiles, marks)
    if entry["points"] == base:
        return words
    return f"{words}, doubled by the prince" if entry["points"] == 2 * base else ""


def _explain_feature(feature: Feature, tiles: int, marks: int) -> tuple[int, str]:
    """Return (points, words) of a completed area."""
    size = show_count(tiles, "tile")
    each = max(feature.points, feature.marked_points) if marks else feature.points
    points, words = tiles * each, f"{size} × {each}"
    if feature.size_points:
        points = feature.size_points[min(tiles, len(feature.size_points)) - 1]
        words = f"{points} by its size, {size}" if marks and feature.completed_mark_points else f"by its size, {size}"
    elif each != feature.points:
        words += f" with {feature.mark}"
    if marks and feature.completed_mark_points:
        points += marks * feature.completed_mark_points
        words += f" + {marks} × {feature.completed_mark_points} for {feature.mark}"
    return points, words


def _count_marks(ruleset, state, at):
    """Return how many marks the area of [row, column, segment] has."""
    (tile,) = [tile for tile, where in find_tiles(ruleset, state).items() if where == tuple(at[:2])]
    for node in ruleset.tables[0].tile_node[tile].tolist():
        if node != NONE and ruleset.segment_of_node(node).name == at[2]:
            return int(state.area_marks[state.area[node]])
    raise AssertionError(f"no tile has the segment {at}")
