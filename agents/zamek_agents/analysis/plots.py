"""An `Analysis` as pictures. Needs matplotlib, of the extra `bench`.

Colours are few and named, so that a page can replace them by its own, light or dark. Agents differ by marker as well as
by colour.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from zamek_agents.analysis.judging import RegretSummary
from zamek_agents.analysis.summary import HIGH, LOW, Analysis, BranchingRow, Cell
from zamek_agents.arena.reports import label_line, shorten_name
from zamek_env.common.extras import needs_extra

with needs_extra("bench", "drawing"):
    from matplotlib import rc_context
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure  # without pyplot: no window, nothing global
    from matplotlib.patches import Rectangle

INK, GRID = "#1f2328", "#d0d7de"
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#4b3fa7")  # of agents, in their order
_MARKERS = ("o", "s", "^", "D", "v")  # as many as share no factor with the colours
_STYLE: dict[Any, Any] = {
    "text.parse_math": False,  # names may hold a dollar sign
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "analysis",  # pictures of equal numbers are equal
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": GRID,
    "legend.frameon": False,
    "lines.markersize": 5,
}
_WIDTH, _LINE = 7.5, 0.34  # inches: of a figure, and the height of a row in it
_NAME_LENGTH = 32  # characters of a label
_CELL = 0.42  # inches, the side of a cell of the board
_WIDEST = 10.0  # inches


@contextmanager
def style() -> Iterator[None]:
    """Draw and save in the block as all pictures here are drawn."""
    with rc_context(_STYLE):
        yield


def draw_margins(analysis: Analysis) -> Figure:
    """Return a figure of the margins of each pairing: a box from the lower to the upper quartile, and all beyond."""
    with style():
        figure, axes = _new_rows([row.name for row in analysis.pairings])
        boxes = axes.boxplot(
            [row.margins for row in analysis.pairings],
            orientation="horizontal",
            positions=range(len(analysis.pairings)),
            widths=0.6,
            manage_ticks=False,
            patch_artist=True,
            flierprops={"markersize": 2, "markeredgecolor": SERIES[0]},
        )
        for box in boxes["boxes"]:
            box.set(facecolor=SERIES[0], alpha=0.35, edgecolor=SERIES[0])
        for line in (*boxes["medians"], *boxes["whiskers"], *boxes["caps"]):
            line.set_color(INK)
        axes.axvline(0, color=INK, linewidth=0.8, linestyle=":")
        axes.set_xlabel("margin of a game, points")
        return figure


def draw_seats(analysis: Analysis) -> Figure:
    """Return a figure of the first player's advantage, in all games and in each lineup."""
    rows = [("all games", analysis.first_player)] if analysis.first_player else []
    rows += [(f"{row.agents[0]}, then {row.agents[1]}", row) for row in analysis.seats]
    with style():
        figure, axes = _new_rows([name for name, _ in rows])
        for place, (_, row) in enumerate(rows):
            radii = np.array(row.margin.radii)[:, None]
            axes.errorbar([row.margin.mean], [place], xerr=radii, fmt="o", capsize=3, color=SERIES[0])
        axes.axvline(0, color=INK, linewidth=0.8, linestyle=":")
        axes.set_xlabel("points of the first player more than the second, with 95 % intervals")
        return figure


def draw_sources(analysis: Analysis) -> Figure:
    """Return a figure of the points a game by source, with a mark for each agent."""
    agents = analysis.agents
    with style():
        figure, axes = _new_rows(analysis.sources, lines=max(1.0, 0.5 * len(agents)))
        shifts = 0.6 * (np.arange(len(agents)) - (len(agents) - 1) / 2) / len(agents)
        for number, (agent, shift) in enumerate(zip(agents, shifts, strict=True)):
            found = [agent.sources[source] for source in analysis.sources]
            axes.errorbar(
                [estimate.mean for estimate in found],
                np.arange(len(found)) + shift,
                xerr=np.array([estimate.radii for estimate in found]).T,
                fmt=_marker(number),
                color=_colour(number),
                capsize=2,
                label=label_line(agent.name, _NAME_LENGTH),
            )
        axes.set_xlabel("points a game, with 95 % intervals")
        _add_legend(axes)
        return figure


def draw_branching(rows: Sequence[BranchingRow], counted: str) -> Figure:
    """Return a figure of what is `counted` by turn: the median, and the range from percentile `LOW` to `HIGH`."""
    turns = [row.turn for row in rows]
    with style():
        figure, axes = _new_figure(3.2)
        axes.fill_between(
            turns,
            [row.low for row in rows],
            [row.high for row in rows],
            color=SERIES[0],
            alpha=0.25,
            linewidth=0,
            label=f"the middle {HIGH - LOW} %",
        )
        axes.plot(turns, [row.median for row in rows], color=SERIES[0], label="median")
        axes.set(xlabel="turn", ylabel=counted)
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.6)
        _add_legend(axes)
        return figure


def draw_towers(analysis: Analysis) -> Figure:
    """Return a figure of how often the token of each tower was taken, and by whom."""
    with style():
        figure, axes = _new_figure(3.0)
        places = np.arange(len(analysis.towers))
        width = 0.8 / len(analysis.agents)
        for number, agent in enumerate(analysis.agents):
            shares = [100 * row.by_agent[agent.name] for row in analysis.towers]
            shift = width * (number - (len(analysis.agents) - 1) / 2)
            axes.bar(places + shift, shares, width, color=_colour(number), label=label_line(agent.name, _NAME_LENGTH))
        axes.set_xticks(places, [str(row.field) for row in analysis.towers])
        axes.set(xlabel="tower, by its first field", ylabel="token taken, % of the agent's games")
        _add_legend(axes)
        return figure


def draw_cells(cells: Sequence[Cell], shares: dict[Cell, float]) -> Figure:
    """Return a figure of the board, in which the `shares` of games make `cells` darker; row 0 lies in the north."""
    rows, columns = (np.arange(min(line), max(line) + 2) for line in zip(*cells, strict=True))
    with style():
        size = min(_CELL, _WIDEST / len(columns))
        figure = Figure(figsize=(size * len(columns) + 1.2, size * len(rows) + 0.8))
        axes = figure.add_subplot()
        most = max(shares.values(), default=0) or 1
        for row, column in cells:
            share = shares.get((row, column), 0)
            square = Rectangle((column - 0.5, row - 0.5), 1, 1, edgecolor=GRID, linewidth=0.5)
            square.set_facecolor((SERIES[0], share / most))
            axes.add_patch(square)
        axes.set(xlim=(columns[0] - 0.5, columns[-1] - 0.5), ylim=(rows[-1] - 0.5, rows[0] - 0.5), aspect="equal")
        axes.set(xlabel="column", ylabel="row", xticks=_find_even(columns[:-1]), yticks=_find_even(rows[:-1]))
        return figure


def draw_regrets(regrets: RegretSummary) -> Figure:
    """Return a figure of the mean regret of a decision by turn, with a line for each agent."""
    with style():
        figure, axes = _new_figure(3.2)
        for number, (agent, found) in enumerate(regrets.by_turn.items()):
            turns, means = zip(*found, strict=True) if found else ((), ())
            marks = {"marker": _marker(number), "markersize": 3, "linewidth": 1}
            axes.plot(turns, means, color=_colour(number), label=label_line(agent, _NAME_LENGTH), **marks)
        axes.set(xlabel="turn", ylabel=f"regret of a decision, {regrets.unit}")
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.6)
        _add_legend(axes)
        return figure


def _new_figure(height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(_WIDTH, height))
    return figure, figure.add_subplot()


def _new_rows(names: Sequence[str], lines: float = 1.0) -> tuple[Figure, Axes]:
    """Return a figure with a row for each name, the first on top, each of `lines` lines."""
    figure, axes = _new_figure(0.9 + _LINE * lines * len(names))
    axes.set_yticks(range(len(names)), [shorten_name(name, _NAME_LENGTH) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(axis="x", alpha=0.6)
    return figure, axes


def _find_even(numbers):
    return numbers[numbers % 2 == 0]


def _add_legend(axes: Axes) -> None:
    """Add a legend next to the picture, where it hides nothing."""
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))


def _marker(number):
    return _MARKERS[number % len(_MARKERS)]


def _colour(number):
    return SERIES[number % len(SERIES)]
