"""Comparisons and standings as pictures. Needs matplotlib, of the extra `bench`."""

from collections.abc import Sequence

import numpy as np

from zamek_agents.arena.comparison import Comparison, tabulate_win_rates
from zamek_agents.arena.reports import add_legend, label_line, shorten_name
from zamek_agents.arena.standings import Standing
from zamek_env.common.extras import needs_extra

with needs_extra("bench", "drawing"):
    from matplotlib.figure import Figure  # without pyplot: no window, nothing global

_INCHES_AN_AGENT = 0.45
_NAME_LENGTH = 24  # characters


def draw_all(comparisons: Sequence[Comparison], standings: Sequence[Standing]) -> dict[str, Figure]:
    """Return all figures, by the names of their files."""
    return {
        "ratings.svg": draw_ratings(standings),
        "wins.svg": draw_win_rates(comparisons, standings),
        "points.svg": draw_sources(standings),
    }


def draw_ratings(standings: Sequence[Standing]) -> Figure:
    """Return a figure of all ratings with their intervals."""
    figure, axes = _new_figure(standings)
    elo = np.array([row.elo for row in standings])
    ends = np.array([row.elo_interval for row in standings]).T
    radii = np.maximum(0, [elo - ends[0], ends[1] - elo])
    axes.errorbar(elo, range(len(standings)), xerr=radii, fmt="o", capsize=3)
    axes.set_xlabel("Elo, with 95 % intervals")
    axes.grid(axis="x", alpha=0.3)
    return figure


def draw_sources(standings: Sequence[Standing]) -> Figure:
    """Return a figure of the points a game of each agent, by what they were scored for."""
    figure, axes = _new_figure(standings)
    left = np.zeros(len(standings))
    for source in standings[0].points_by_source:
        points = np.array([row.points_by_source[source] for row in standings])
        axes.barh(range(len(standings)), points, left=left, label=label_line(source))
        left += points
    axes.set_xlabel("points a game")
    add_legend(axes, loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def draw_win_rates(comparisons: Sequence[Comparison], standings: Sequence[Standing]) -> Figure:
    """Return a figure of win rates, of the agent of the row against that of the column."""
    figure, axes = _new_figure(standings, columns=len(standings))
    rates, names = tabulate_win_rates(comparisons), [row.agent for row in standings]
    table = np.array([[rates.get((agent, other), np.nan) for other in names] for agent in names])
    axes.imshow(table, cmap="RdYlGn", vmin=0, vmax=1, aspect="auto")
    for row, column in zip(*np.nonzero(~np.isnan(table)), strict=True):
        axes.text(column, row, f"{100 * table[row, column]:.0f}", ha="center", va="center", fontsize="small")
    axes.set_xticks(range(len(names)), _shorten(names), rotation=45, ha="right", parse_math=False)
    axes.set_title("wins against, %", fontsize="medium")
    return figure


def _new_figure(standings, columns=12):
    """Return a figure and its axes with a line for each agent, the best on top."""
    figure = Figure(figsize=(2 + _INCHES_AN_AGENT * columns, 1.2 + _INCHES_AN_AGENT * len(standings)))
    axes = figure.add_subplot()
    names = _shorten(row.agent for row in standings)
    axes.set_yticks(range(len(standings)), names, parse_math=False)  # they may hold a dollar sign
    axes.set_ylim(len(standings) - 0.5, -0.5)
    return figure, axes


def _shorten(names):
    return [shorten_name(name, _NAME_LENGTH) for name in names]
