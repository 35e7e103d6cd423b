"""A report on an `Analysis` as one page of HTML, without scripts or external resources. Needs the extra `bench`."""

import io
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from zamek_agents.analysis import plots
from zamek_agents.analysis.judging import ALL_PHASES, RegretSummary
from zamek_agents.analysis.reading import make_printable
from zamek_agents.analysis.summary import CELLS, HIGH, LOW, Analysis, BranchingRow, CastleCardsAnalysis, Cell
from zamek_agents.arena.intervals import Estimate
from zamek_env import __version__
from zamek_env.castle_cards.components.box import MAX_QUIET_TURNS
from zamek_env.common.extras import needs_extra
from zamek_env.common.messages import show_count

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
            *(row.name, f"{row.games:,}", f"{row.wins:,}", f"{row.shared:,}", f"{row.losses:,}"),
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


def show_mean(estimate: Estimate, digits: int = 1, sign: str = "z") -> str:
    """Return a mean with its interval, as text."""
    return _show(estimate, f"{sign}.{digits}f")


def show_rate(estimate: Estimate) -> str:
    """Return a rate with its interval, as text."""
    return _show(estimate, ".1%")


def _show(estimate, form):
    mean, *ends = (format(number, form) for number in (estimate.mean, *(estimate.interval or ())))
    return f"{mean} ({' … '.join(ends)})" if ends else mean


@dataclass(frozen=True)
class Picture:
    """A picture that is drawn lazily."""

    draw: Callable[[], "plots.Figure"]
    description: str  # the same in words


@dataclass(frozen=True)
class Section:
    """A section of a report."""

    key: str  # of its anchor
    title: str
    text: tuple[str, ...]  # paragraphs
    pictures: tuple[Picture, ...] = ()
    tables: tuple[Table, ...] = ()
    details: tuple[Table, ...] = ()  # tables that a reader unfolds


def list_sections(analysis: Analysis) -> list[Section]:
    """Return the sections of the report on an `Analysis`; sections that do not apply to the ruleset are left out."""
    won = "A shared victory is half a win. "
    if analysis.players != 2:
        won = "A shared victory is shared out in equal parts. " * (analysis.players > 1)
    followers, agents = f"{won}Followers include special pieces.", tabulate_agents(analysis)
    counts = (("turns with a tile", "turns"), ("decisions", "decisions"), ("tiles discarded", "discards"))
    length = tuple((said, show_mean(getattr(analysis, field))) for said, field in counts)
    kinds = tuple(
        (row.phase, show_mean(row.decisions), f"{row.forced:.1%}", f"{row.legal:.1f}", f"{row.most:,}")
        for row in analysis.phases
    )
    of_kinds = ("decision", "a game", "with one legal action", "legal actions, on average", "at most")
    lengths = f"Games have from {analysis.fewest_turns} to {analysis.most_turns} turns in which a tile is placed."
    counted = Table("Length of a game", ("counted", "a game"), length), Table("Decisions by kind", of_kinds, kinds)
    who = "both players" if analysis.players == 2 else "all players"
    branching = f"How many placements are legal in each turn, over all games. Turns count from 1, of {who} together."
    return [
        Section("agents", "Agents", (followers,), tables=(agents,)),
        *_list_seat_sections(analysis),
        _make_source_section(analysis),
        Section("length", "Length", (lengths,), tables=counted),
        _make_branching_section(branching, analysis.branching, "legal placements"),
        *_list_tower_sections(analysis),
        _make_board_section(analysis),
        *_list_regret_sections(analysis.regrets),
    ]


def _list_seat_sections(analysis):
    """Return the sections on margins and the first player; for more than two players that on seats; for one none."""
    if analysis.players == 2:
        return [_make_margin_section(analysis), _make_first_player_section(analysis)]
    text = [f"Player 0 begins. Of {analysis.players} equal players each would win {1 / analysis.players:.1%}."]
    if not analysis.is_balanced:
        text.append(
            "The seats are not balanced: some agents sat in one seat more often than in another. So the numbers of the "
            "seats mix what a seat is worth with what the agents are worth."
        )
    shown = (tabulate_seat_shares(analysis), tabulate_agents_by_seat(analysis))
    return [Section("seats", "Seats", tuple(text), tables=shown)] if analysis.players > 2 else []


def _make_margin_section(analysis):
    text = (
        "The margin of a game is the points of one player more than the other. A box reaches from the lower to the "
        "upper quartile, with a line at the median. Its whiskers reach to the last game within one and a half times "
        "the length of the box. Games beyond are dots."
    )
    said = [f"{row.name}: {show_mean(row.margin, sign='+z')}" for row in analysis.pairings]
    picture = Picture(partial(plots.draw_margins, analysis), f"Margins of each pairing, in points. {_join(said)}")
    return Section("margins", "Margins", (text,), (picture,), (tabulate_pairings(analysis),))


def _make_first_player_section(analysis):
    row = analysis.first_player
    text = [f"Who begins wins {show_rate(row.win_rate)}, by {show_mean(row.margin, sign='+z')} points."]
    if not analysis.is_balanced:
        text.append(
            "The seats are not balanced: of some pairing one agent began more often than the other. So the number "
            "above mixes what it is worth to begin with what the agents are worth."
        )
    picture = Picture(
        partial(plots.draw_seats, analysis), f"What the first player gains. {text[0]} The table lists every lineup."
    )
    return Section("first-player", "First player", tuple(text), (picture,), (tabulate_seats(analysis),))


def _make_source_section(analysis):
    text = (
        "Areas count by their feature, and payments at the end by their reason, as game records name them. The sources "
        "of an agent add up to its points."
    )
    said = []
    for agent in analysis.agents:
        most = max(analysis.sources, key=lambda source: agent.sources[source].mean, default=None)
        if most is not None:
            said.append(f"{agent.name} scores most by {most}, {agent.sources[most].mean:.1f} points a game")
    rows = [(source, *(show_mean(agent.sources[source]) for agent in analysis.agents)) for source in analysis.sources]
    rows.append(("all", *(show_mean(agent.points) for agent in analysis.agents)))
    table = Table("Points a game", ("source", *(agent.name for agent in analysis.agents)), tuple(rows))
    picture = Picture(partial(plots.draw_sources, analysis), f"Points a game by source, of each agent. {_join(said)}")
    pictures = (picture,) if analysis.sources else ()  # none where nobody ever scored
    return Section("sources", "Points by source", (text,), pictures, (table,))


def _make_branching_section(text, branching, counted):
    widest = max(branching, key=lambda row: row.median)
    said = f"{counted.capitalize()} by turn. The median is highest in turn {widest.turn}, with {widest.median:.0f}."
    picture = Picture(partial(plots.draw_branching, branching, counted), said)
    details = (tabulate_branching(branching, counted),)
    return Section("branching", "Branching", (text,), (picture,), details=details)


def _list_tower_sections(analysis):
    """Return the section on towers, or none where the ruleset has none."""
    if not analysis.towers:
        return []
    text = "How often, and when, the token of each tower was taken. A tower is called by its first field."
    often, seldom = (choose(analysis.towers, key=lambda row: row.taken.mean) for choose in (max, min))
    said = (
        f"How often the token of each tower was taken, by agent. Most often at {often.field}, in "
        f"{often.taken.mean:.0%} of the games, and least often at {seldom.field}, in {seldom.taken.mean:.0%}."
    )
    picture = Picture(partial(plots.draw_towers, analysis), said)
    return [Section("towers", "Tokens by tower", (text,), (picture,), (tabulate_towers(analysis),))]


def _make_board_section(analysis):
    text = (
        "The share of the games in which a tile was laid on each space, and in which a follower was sent there. The "
        "darkest space is the most frequent one of its picture."
    )
    named = (
        "Row 0, column 0 holds the start tile." if analysis.is_open else "Rows and columns count from the north-west."
    )
    cells = analysis.cells
    maps = [("A tile was laid here", analysis.placed), ("A follower was sent here", analysis.sent)]
    maps += [(f"{agent.name} laid a tile here", agent.placed) for agent in analysis.agents if len(analysis.agents) > 1]
    pictures, details = [], []
    for caption, shares in maps:
        said = "nowhere."
        if shares:
            (row, column), share = max(shares.items(), key=lambda item: item[1])
            said = f"most often on row {row}, column {column}, in {share:.0%} of the games."
        pictures.append(Picture(partial(plots.draw_cells, cells, shares), f"{caption}: {said}"))
        details.append(tabulate_cells(f"{caption}, in % of the games", cells, shares))
    return Section("board", "Placements", (f"{text} {named}",), tuple(pictures), details=tuple(details))


def _list_regret_sections(regrets: RegretSummary | None) -> list[Section]:
    """Return the section on the costs of decisions, or none without a judge."""
    if regrets is None:
        return []
    text = [
        f"The regret of a decision is the value of the best choice less that of the one made, as {regrets.judge} sees "
        f"it. Decisions with one legal action do not count.",
        "What the judge did not look at has no value. Such decisions are counted as not valued, and left out.",
    ]
    if regrets.unit == "probability":
        text.append("The judge says how probably it would play each action, not what they are worth.")
    said = [
        f"{row.agent}: {row.regret.mean:.2f} {regrets.unit} a decision"
        for row in regrets.rows
        if row.phase == ALL_PHASES and row.regret
    ]
    picture = Picture(partial(plots.draw_regrets, regrets), f"Mean regret of a decision by turn. {_join(said)}")
    return [Section("regret", "Regret", tuple(text), (picture,), (tabulate_regrets(regrets),))]


def _join(parts):
    return f"{'; '.join(parts)}." if parts else ""


def list_castle_sections(analysis: CastleCardsAnalysis) -> list[Section]:
    """Return the sections of the report on an analysis of Castle, the card game."""
    left = "A shared victory is shared out. Cards left are those in hand and deck at the end."
    agents = [
        (agent.name, f"{agent.games:,}", show_rate(agent.win_rate), show_mean(agent.left), show_mean(agent.played))
        for agent in analysis.agents
    ]
    of_agents = ("agent", "seats taken", "wins", "cards left", "cards played")
    begins = f"Player 0 begins. Of {analysis.players} equal players each would win {1 / analysis.players:.1%}."
    seats = [(f"player {seat}", show_rate(rate)) for seat, rate in enumerate(analysis.seats)]
    length = (
        f"A game has {show_mean(analysis.turns)} turns, of all players together. It ends when a player is out of cards "
        f"(empty), when no card can be played (stalled), or after {MAX_QUIET_TURNS} turns without a card played "
        "(quiet)."
    )
    ends = [(end, f"{count:,}", f"{count / analysis.games:.1%}") for end, count in analysis.ends.items()]
    branching = "How many actions are legal when a player may act, by the number of the player's turn, over all games."
    played = "How often each agent played each card in a game. What comes back to a hand may be played again."
    often = {
        card: max(agent.cards.get(card, 0) for agent in analysis.agents)
        for agent in analysis.agents
        for card in agent.cards
    }
    cards = [
        (card, *(f"{agent.cards.get(card, 0):.2f}" for agent in analysis.agents))
        for card in sorted(often, key=lambda card: (-often[card], card))
    ]
    of_cards = ("card", *(agent.name for agent in analysis.agents))
    placed = "The share of the games in which a card was placed on each space. Row 0 lies in the north."
    caption = "A card was placed here, in % of the games"
    most = max(analysis.placed, key=lambda cell: analysis.placed[cell], default=None)
    said = f"{caption}. " + (f"Most often at {most}." if most else "Nowhere.")
    castle = Picture(partial(plots.draw_cells, CELLS, analysis.placed), said)
    cells = tabulate_cells(caption, CELLS, analysis.placed)

    def tabulate(caption: str, columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> tuple[Table]:
        return (Table(caption, columns, tuple(rows)),)

    return [
        Section("agents", "Agents", (left,), (), tabulate("Agents, the highest win rate first", of_agents, agents)),
        Section("seats", "Seats", (begins,), (), tabulate("Wins by seat", ("seat", "wins"), seats)),
        Section("length", "Length and end", (length,), (), tabulate("Ends", ("end", "games", "share"), ends)),
        _make_branching_section(branching, analysis.branching, "legal actions"),
        Section("cards", "Cards", (played,), (), tabulate("Cards played in a game", of_cards, cards)),
        Section("castle", "The castle", (placed,), (castle,), details=(cells,)),
        *_list_regret_sections(analysis.regrets),
    ]


with needs_extra("bench", "a report"):
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

_TEMPLATE = "report.html"
# Colours of the pictures -> those of the page, which has others where it is dark.
_COLOURS = {plots.INK: "currentColor", plots.GRID: "var(--grid)"} | {
    colour: f"var(--series-{number})" for number, colour in enumerate(plots.SERIES)
}
_NAMED = re.compile(r'(?<=\sid=")|(?<=href="#)|(?<=url\(#)')  # where a name within a picture stands
_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))  # none


def make_page(analysis: Analysis | CastleCardsAnalysis, source: str) -> str:
    """Return the report on an analysis of games from `source`, a file's name, as HTML."""
    sections = list_castle_sections(analysis) if isinstance(analysis, CastleCardsAnalysis) else list_sections(analysis)
    drawn = {
        section.key: [_draw(picture, f"{section.key}-{number}") for number, picture in enumerate(section.pictures)]
        for section in sections
    }
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.globals["show_count"] = show_count
    return environment.get_template(_TEMPLATE).render(
        analysis=analysis, source=make_printable(source), sections=sections, drawn=drawn, version=__version__
    )


def _draw(picture: Picture, key: str) -> Markup:
    """Return a picture as an SVG element, all names in it beginning with `key`, its colours those of the page.

    The element `key` of the page says the same in words.
    """
    file = io.StringIO()
    with plots.style(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # of a name; the reader's font may have it
        figure = picture.draw()
        figure.savefig(file, format="svg", bbox_inches="tight", transparent=True, metadata=_METADATA)
    svg = _NAMED.sub(f"{key}-", file.getvalue()[file.getvalue().index("<svg") :])
    for colour, own in _COLOURS.items():
        svg = svg.replace(colour, own)
    return Markup(f'<svg role="img" aria-labelledby="{key}"' + svg.removeprefix("<svg"))
