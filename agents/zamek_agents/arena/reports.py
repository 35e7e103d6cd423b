"""Writes comparisons and standings as tables, for a terminal and as CSV, and shortens the names in them."""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TextIO

from zamek_agents.arena.comparison import Comparison, FirstPlayer, tabulate_win_rates
from zamek_agents.arena.sets import tally
from zamek_agents.arena.standings import Seat, Share, Standing
from zamek_env.common.extras import needs_extra

with needs_extra("cli", "a table"):
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

IN_TABLES = 60  # characters of a name
_PAIRING_COLUMNS = (
    "agent", "opponent", "games", "wins", "shared", "losses", "win_rate", "win_rate_low", "win_rate_high", "points",
    "opponent_points", "margin", "margin_low", "margin_high", "first_player_win_rate", "first_player_margin",
    "sprt_log_likelihood_ratio", "sprt_accepted",
)  # fmt: skip
_STANDING_COLUMNS = (
    "agent", "elo", "elo_low", "elo_high", "games", "win_rate", "points", "tokens_taken", "discards", "decisions",
    "milliseconds",
)  # fmt: skip


# --- to look at ---


def make_pairings_table(comparisons: Sequence[Comparison]) -> Table:
    """Return a table of two lines a pairing, one for each agent."""
    caption = "Win rate and margin are those of the upper agent, with 95 % intervals below."
    table = new_table("agents", ("games", "win rate", "shared", "won", "points", "margin"), caption)
    tested = any(row.sprt for row in comparisons)
    if tested:
        table.add_column("test", justify="right", overflow="fold")
    for row in comparisons:
        points, margin = [f"{score:.1f}" for score in row.mean_scores], f"{row.mean_margin:+z.1f}"
        upper = [
            shorten_name(row.agents[0]),
            str(row.games),
            f"{row.win_rate:.1%}",
            str(row.shared),
            str(row.wins),
            points[0],
            margin,
        ]
        rates, margins = _show_rates(row.win_rate_interval), _show_interval(row.mean_margin_interval)
        lower = [shorten_name(row.agents[1]), "", rates, "", str(row.losses), points[1], margins]
        if row.sprt:
            upper.append(f"LLR {row.sprt.log_likelihood_ratio:+.2f}")
            lower.append("open" if row.sprt.accepted is None else f"H{row.sprt.accepted} accepted")
        table.add_row(*upper)
        table.add_row(*lower, end_section=True)
    return table


def make_standings_table(standings: Iterable[Standing], milliseconds: Mapping[str, float]) -> Table:
    """Return a table of one line an agent, the best rating first."""
    caption = "Elo: greedy = 0, or else random, or else the agent named first."
    table = new_table("agent", ("Elo", "95 % interval", "win rate", "points", "ms a decision"), caption)
    for row in standings:
        interval = _show_interval(row.elo_interval, digits=0) if any(row.elo_interval) else ""
        numbers = (f"{row.elo:+z.0f}", interval, f"{row.win_rate:.1%}", f"{row.points:.1f}")
        table.add_row(shorten_name(row.agent), *numbers, f"{milliseconds[row.agent]:.3g}")
    return table


def make_play_table(standings: Sequence[Standing], name_source: Callable[[str], str] = str) -> Table:
    """Return a table of how each agent plays, with a column for each: points by source, and what else is counted.

    `name_source` returns how the table calls a source.
    """
    table = new_table("a game", [shorten_name(row.agent) for row in standings], None)
    for source in standings[0].points_by_source:
        _add_means(table, f"points by {name_source(source)}", [row.points_by_source[source] for row in standings])
    _add_means(table, "points", [row.points for row in standings], end_section=True)
    for counted in ("tokens_taken", "discards", "decisions"):
        _add_means(table, counted.replace("_", " "), [getattr(row, counted) for row in standings])
    return table


def make_game_table(record: Mapping[str, Any], name_source: Callable[[str], str] = str) -> Table:
    """Return a table of the finished game in `record`: the points of each player by source; `name_source` as above.

    For games whose records have `returns` it has these, too: they say who has won, where points do not.
    """
    sources = [each.sources for each in tally(record)]
    names = record.get("agents", record["players"])
    table = new_table("points by", [shorten_name(name) for name in names], None)
    for source in sorted(set().union(*sources)):
        table.add_row(name_source(source), *(str(points.get(source, 0)) for points in sources))
    table.add_section()
    table.add_row("all", *(str(sum(points.values())) for points in sources))
    if "returns" in record:
        table.add_row("result", *(f"{result:+g}" for result in record["returns"]))
    return table


def make_cross_table(comparisons: Iterable[Comparison], standings: Iterable[Standing]) -> Table:
    """Return a table of win rates, of the agent of the row against that of the column."""
    rates, names = tabulate_win_rates(comparisons), [row.agent for row in standings]
    table = new_table("wins against", [shorten_name(name) for name in names], None)
    for agent in names:
        table.add_row(shorten_name(agent), *(f"{rates[agent, other]:.1%}" if agent != other else "" for other in names))
    return table


def describe_first_player(found: FirstPlayer) -> str:
    """Return a sentence on the advantage of beginning."""
    margins = _show_interval(found.mean_margin_interval)
    return (
        f"Who begins wins {found.win_rate:.1%} ({_show_rates(found.win_rate_interval)}), "
        f"by {found.mean_margin:+z.1f} points ({margins})."
    )


def make_shares_table(shares: Iterable[Share], milliseconds: Mapping[str, float]) -> Table:
    """Return a table of one line an agent, most wins first, for games of any number of players."""
    caption = "Wins and places a game, with 95 % intervals; place 1 is the best."
    table = new_table("agent", ("games", "wins", "95 % interval", "place", "95 % interval", "ms a decision"), caption)
    for row in shares:
        wins, places = row.wins_interval, row.place_interval
        numbers = (str(row.games), f"{row.wins:.1%}", _show_rates(wins) if wins else "unknown", f"{row.place:.2f}")
        shown = f"{places[0]:.2f} … {places[1]:.2f}" if places else "unknown"
        table.add_row(shorten_name(row.agent), *numbers, shown, f"{milliseconds[row.agent]:.3g}")
    return table


def describe_seats(seats: Sequence[Seat], length: float) -> str:
    """Return a sentence on the results of each seat, and the length of games."""
    rates = [
        f"player {seat.player} wins {seat.wins:.1%}"
        + (f" ({_show_rates(seat.wins_interval)})" if seat.wins_interval else "")
        for seat in seats
    ]
    return f"By seat, in games of {len(seats)} players, {', '.join(rates)}. A game has {length:.1f} decisions."


def new_table(first: str, headings: Iterable[str], caption: str | None) -> Table:
    """Return an empty table: of a column of texts, headed `first`, and columns of numbers."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True, caption=caption, caption_justify="left")
    table.add_column(first, overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right", overflow="fold")
    return table


def _add_means(table, name, means, **options):
    table.add_row(name, *(f"{mean:.1f}" for mean in means), **options)


def _show_rates(interval):
    return f"{interval[0]:.1%} … {interval[1]:.1%}"


def _show_interval(interval, digits=1):
    return f"{interval[0]:+z.{digits}f} … {interval[1]:+z.{digits}f}" if interval else "unknown"


# --- for other programs ---


def write_pairings_csv(file: TextIO, comparisons: Iterable[Comparison]) -> None:
    """Write one line a pairing; unknown entries are left empty."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(_PAIRING_COLUMNS)
    for row in comparisons:
        margins, begins = row.mean_margin_interval or (None, None), row.first_player
        test = (row.sprt.log_likelihood_ratio, row.sprt.accepted) if row.sprt else (None, None)
        writer.writerow(
            (
                *(*row.agents, row.games, row.wins, row.shared, row.losses, row.win_rate, *row.win_rate_interval),
                *(*row.mean_scores, row.mean_margin, *margins, begins.win_rate, begins.mean_margin, *test),
            )
        )


def write_standings_csv(file: TextIO, standings: Sequence[Standing], milliseconds: Mapping[str, float]) -> None:
    """Write one line an agent, with a column for each source of points."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*_STANDING_COLUMNS, *(f"points by {source}" for source in standings[0].points_by_source)])
    for row in standings:
        writer.writerow(
            (
                *(row.agent, row.elo, *row.elo_interval, row.games, row.win_rate, row.points, row.tokens_taken),
                *(row.discards, row.decisions, milliseconds[row.agent], *row.points_by_source.values()),
            )
        )


# --- names, of which there is little room for ---


def shorten_name(name: str, length: int = IN_TABLES) -> str:
    """Return a name in at most `length` characters: of a longer one the beginning and more of the end.

    The beginning says what kind of agent it is, and the end tells two paths apart.
    """
    if len(name) <= length:
        return name
    end = 2 * length // 3
    return f"{name[: length - end - 1]}…{name[-end:]}"


def label_line(name: str, length: int = IN_TABLES) -> str:
    """Return a shortened name that a legend of matplotlib shows: legends leave out names that begin with `_`."""
    shown = shorten_name(name, length)
    return f" {shown}" if shown.startswith("_") else shown


def add_legend(axes: Any, **options: Any) -> None:
    """Add a legend to `axes` that shows what `label_line` returned literally: a dollar sign begins no formula."""
    for text in axes.legend(frameon=False, **options).get_texts():
        text.set_parse_math(False)
