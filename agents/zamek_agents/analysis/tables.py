"""The numbers of an `Analysis` as tables of text."""

from collections.abc import Sequence
from dataclasses import dataclass

from zamek_agents.analysis.judging import RegretSummary
from zamek_agents.analysis.summary import HIGH, LOW, Analysis, BranchingRow, Cell
from zamek_agents.arena.intervals import Estimate

SIGNS = {"lead": "+z"}  # of means that may be below 0


@dataclass(frozen=True)
class Table:
    """A table; the first entry of a row names it."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tabulate_agents(analysis: Analysis) -> Table:
    """Return a table of one row an agent; tokens only where there are towers."""
    counted = {"points": "points"}
    if analysis.players > 2:
        counted["points ahead"] = "lead"
    counted |= {"followers sent": "followers_sent", "tiles discarded": "discards"}
    if analysis.towers:
        counted["tokens taken"] = "tokens_taken"
    rows = (
        (
            agent.name,
            f"{agent.games:,}",
            *([show_rate(agent.win_rate)] if analysis.players > 1 else []),
            *(show_mean(getattr(agent, field), sign=SIGNS.get(field, "z")) for field in counted.values()),
        )
        for agent in analysis.agents
    )
    first, won = ("the highest win rate", ["win rate"]) if analysis.players > 1 else ("the most points", [])
    caption = f"Agents, {first} first; points and what follows are means of a game"
    if analysis.players > 2:
        caption += ", points ahead those more than the best other has"
    return Table(caption, ("agent", "games", *won, *counted), tuple(rows))


def tabulate_pairings(analysis: Analysis) -> Table:
    """Return a table of one row a pairing."""
    columns = ("pairing", "games", "won", "shared", "lost", "win rate", "margin")
    rows = (
        (
            *(name_pairing(row.agents), f"{row.games:,}", f"{row.wins:,}", f"{row.shared:,}", f"{row.losses:,}"),
            *(show_rate(row.win_rate), show_mean(row.margin, sign="+z")),
        )
        for row in analysis.pairings
    )
    return Table("Pairings, seen from the agent named first; margins in points", columns, tuple(rows))


def tabulate_seats(analysis: Analysis) -> Table:
    """Return a table of results by who began."""
    everyone = [("all games", analysis.first_player)] if analysis.first_player else []
    lineups = [(f"{row.agents[0]}, then {row.agents[1]}", row) for row in analysis.seats]
    rows = (
        (name, f"{row.games:,}", show_rate(row.win_rate), show_mean(row.margin, sign="+z"))
        for name, row in everyone + lineups
    )
    return Table("Who began, and what the first player made of it", ("seats", "games", "wins", "margin"), tuple(rows))


def tabulate_seat_shares(analysis: Analysis) -> Table:
    """Return a table of the results of each seat, over all players who sat there."""
    rows = (
        (f"player {row.player}", show_rate(row.win_rate), show_mean(row.points), show_mean(row.lead, sign="+z"))
        for row in analysis.seat_shares
    )
    return Table("What a seat is worth", ("seat", "win rate", "points", "points ahead"), tuple(rows))


def tabulate_agents_by_seat(analysis: Analysis) -> Table:
    """Return a table of one row an agent, of its win rate in each seat."""
    rows = (
        (agent.name, *("" if rate is None else show_rate(rate) for rate in agent.win_rates))
        for agent in analysis.agents
    )
    columns = ("agent", *(f"as player {player}" for player in range(analysis.players)))
    return Table("Win rate of each agent by seat", columns, tuple(rows))


def tabulate_sources(analysis: Analysis) -> Table:
    """Return a table of one row a source of points, and one column an agent."""
    rows = [(source, *(show_mean(agent.sources[source]) for agent in analysis.agents)) for source in analysis.sources]
    rows.append(("all", *(show_mean(agent.points) for agent in analysis.agents)))
    return Table("Points a game", ("source", *(agent.name for agent in analysis.agents)), tuple(rows))


def tabulate_lengths(analysis: Analysis) -> Table:
    """Return a table of how long games are."""
    rows = (
        ("turns with a tile", show_mean(analysis.turns)),
        ("decisions", show_mean(analysis.decisions)),
        ("tiles discarded", show_mean(analysis.discards)),
    )
    return Table("Length of a game", ("counted", "a game"), rows)


def tabulate_phases(analysis: Analysis) -> Table:
    """Return a table of one row a kind of decision."""
    rows = (
        (row.phase, show_mean(row.decisions), f"{row.forced:.1%}", f"{row.legal:.1f}", f"{row.most:,}")
        for row in analysis.phases
    )
    columns = ("decision", "a game", "with one legal action", "legal actions, on average", "at most")
    return Table("Decisions by kind", columns, tuple(rows))


def tabulate_branching(branching: Sequence[BranchingRow], counted: str) -> Table:
    """Return a table of what is `counted`, one row a turn."""
    rows = (
        (
            str(row.turn),
            f"{row.games:,}",
            f"{row.mean:.1f}",
            *(f"{value:.0f}" for value in (row.low, row.median, row.high)),
        )
        for row in branching
    )
    columns = ("turn", "games", "mean", f"{LOW} % are below", "median", f"{100 - HIGH} % are above")
    return Table(f"{counted.capitalize()} by turn", columns, tuple(rows))


def tabulate_towers(analysis: Analysis) -> Table:
    """Return a table of one row a tower."""
    names = [agent.name for agent in analysis.agents]
    rows = (
        (
            *(str(row.field), show_rate(row.taken), "" if row.turn is None else show_mean(row.turn)),
            *(f"{row.by_agent[name]:.0%}" for name in names),
        )
        for row in analysis.towers
    )
    columns = ("tower at field", "games in which its token was taken", "turn", *(f"by {name}" for name in names))
    return Table("Tokens by tower; of each agent the share of its games", columns, tuple(rows))


def tabulate_cells(caption: str, cells: Sequence[Cell], shares: dict[Cell, float]) -> Table:
    """Return a table laid out as the board, of the share of games in percent; empty where there is no cell."""
    known = set(cells)
    rows, columns = ([*range(min(line), max(line) + 1)] for line in zip(*cells, strict=True))
    body = (
        (
            str(row),
            *(f"{100 * shares.get((row, column), 0):.0f}" if (row, column) in known else "" for column in columns),
        )
        for row in rows
    )
    return Table(caption, ("row", *map(str, columns)), tuple(body))


def tabulate_regrets(regrets: RegretSummary) -> Table:
    """Return a table of one row an agent and kind of decision."""
    digits = 3 if regrets.unit == "probability" else 2
    rows = (
        (
            *(row.agent, row.phase, f"{row.decisions:,}", f"{row.unvalued:,}"),
            "" if row.regret is None else show_mean(row.regret, digits),
            "" if row.best is None else show_rate(row.best),
        )
        for row in regrets.rows
    )
    columns = ("agent", "decision", "valued", "not valued", f"regret, {regrets.unit} a decision", "cost nothing")
    return Table(f"Regret as {regrets.judge} sees it", columns, tuple(rows))


def name_pairing(agents: tuple[str, str]) -> str:
    """Return the name of a pairing."""
    first, second = agents
    return f"{first} − {second}" if first != second else f"{first}: who begins − who answers"


def show_mean(estimate: Estimate, digits: int = 1, sign: str = "z") -> str:
    """Return a mean with its interval, as text."""
    return _show(estimate, f"{sign}.{digits}f")


def show_rate(estimate: Estimate) -> str:
    """Return a rate with its interval, as text."""
    return _show(estimate, ".1%")


def _show(estimate, form):
    mean, *ends = (format(number, form) for number in (estimate.mean, *(estimate.interval or ())))
    return f"{mean} ({' … '.join(ends)})" if ends else mean
