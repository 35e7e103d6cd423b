"""The sections of a report on games of Castle, the card game."""

from functools import partial

from zamek_agents.analysis import plots
from zamek_agents.analysis.castle_summary import CELLS, CastleAnalysis
from zamek_agents.analysis.sections import Picture, Section, make_regret_section
from zamek_agents.analysis.tables import Table, show_mean, show_rate, tabulate_branching, tabulate_cells
from zamek_env.castle_cards.components.sizes import MAX_QUIET_TURNS

LEGAL_ACTIONS = "legal actions"


def list_castle_sections(analysis: CastleAnalysis) -> list[Section]:
    """Return the sections of the report on a `CastleAnalysis`."""
    sections = [
        _make_agent_section(analysis),
        _make_seat_section(analysis),
        _make_length_section(analysis),
        _make_branching_section(analysis),
        _make_card_section(analysis),
        _make_castle_section(analysis),
    ]
    return [*sections, make_regret_section(analysis.regrets)] if analysis.regrets else sections


def _make_agent_section(analysis):
    text = "A shared victory is shared out. Cards left are those in hand and deck at the end."
    rows = tuple(
        (agent.name, f"{agent.games:,}", show_rate(agent.win_rate), show_mean(agent.left), show_mean(agent.played))
        for agent in analysis.agents
    )
    columns = ("agent", "seats taken", "wins", "cards left", "cards played")
    return Section("agents", "Agents", (text,), tables=(Table("Agents, the highest win rate first", columns, rows),))


def _make_seat_section(analysis):
    text = f"Player 0 begins. Of {analysis.players} equal players each would win {1 / analysis.players:.1%}."
    rows = tuple((f"player {seat}", show_rate(rate)) for seat, rate in enumerate(analysis.seats))
    return Section("seats", "Seats", (text,), tables=(Table("Wins by seat", ("seat", "wins"), rows),))


def _make_length_section(analysis):
    text = (
        f"A game has {show_mean(analysis.turns)} turns, of all players together. It ends when a player is out of cards "
        f"(empty), when no card can be played (stalled), or after {MAX_QUIET_TURNS} turns without a card played "
        "(quiet)."
    )
    rows = tuple((end, f"{count:,}", f"{count / analysis.games:.1%}") for end, count in analysis.ends.items())
    return Section("length", "Length and end", (text,), tables=(Table("Ends", ("end", "games", "share"), rows),))


def _make_branching_section(analysis):
    text = "How many actions are legal when a player may act, by the number of the player's turn, over all games."
    widest = max(analysis.branching, key=lambda row: row.median)
    said = f"Legal actions by turn. The median is highest in turn {widest.turn}, with {widest.median:.0f}."
    picture = Picture(partial(plots.draw_branching, analysis.branching, LEGAL_ACTIONS), said)
    details = (tabulate_branching(analysis.branching, LEGAL_ACTIONS),)
    return Section("branching", "Branching", (text,), (picture,), details=details)


def _make_card_section(analysis):
    text = "How often each agent played each card in a game. What comes back to a hand may be played again."
    often = {
        card: max(agent.cards.get(card, 0) for agent in analysis.agents)
        for agent in analysis.agents
        for card in agent.cards
    }
    rows = tuple(
        (card, *(f"{agent.cards.get(card, 0):.2f}" for agent in analysis.agents))
        for card in sorted(often, key=lambda card: (-often[card], card))
    )
    columns = ("card", *(agent.name for agent in analysis.agents))
    return Section("cards", "Cards", (text,), tables=(Table("Cards played in a game", columns, rows),))


def _make_castle_section(analysis):
    text = "The share of the games in which a card was placed on each space. Row 0 lies in the north."
    caption = "A card was placed here, in % of the games"
    most = max(analysis.placed, key=lambda cell: analysis.placed[cell], default=None)
    description = f"{caption}. " + (f"Most often at {most}." if most else "Nowhere.")
    picture = Picture(partial(plots.draw_cells, CELLS, analysis.placed), description)
    return Section(
        "castle", "The castle", (text,), (picture,), details=(tabulate_cells(caption, CELLS, analysis.placed),)
    )
