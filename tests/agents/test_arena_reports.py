"""Comparisons and standings as tables, as CSV and as pictures: each number stands where its heading says."""

import csv
import io
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from tests.support.pairs import LOST, SHARED, WON, make_pair
from zamek_agents.arena import reports
from zamek_agents.arena.comparison import Sprt, compare, compare_first_player
from zamek_agents.arena.standings import Seat, Share, find_milliseconds, rank
from zamek_env.records.step_text import name_reason
from zamek_env.ruleset import get_ruleset

PAIRS = [make_pair(0, (10, 4), (7, 7)), make_pair(1, (3, 5), (9, 5))]  # `a` wins two games, and shares one
ALL = [
    *[make_pair(deal, WON, SHARED, ("a", "greedy")) for deal in range(3)],  # `a` wins 75 %
    *[make_pair(deal, LOST, LOST, ("b", "greedy")) for deal in range(3)],
    *[make_pair(deal, WON, WON, ("a", "b")) for deal in range(3)],
]


def play_oddly(result):
    """Return a result in which all that is counted of the first agent differs from all else."""
    games = []
    for game in result.games:
        first, second = game.sides
        sources = {"house": first.points - 1, "road": 1}
        first = replace(first, sources=sources, tokens_taken=3, discards=5, decisions=20, seconds=0.1)
        games.append(replace(game, sides=(first, second)))
    return replace(result, games=tuple(games))


@pytest.fixture(scope="module")
def comparisons():
    names = dict.fromkeys(result.agents for result in ALL)
    return [compare(result for result in ALL if result.agents == agents) for agents in names]


def list_rows(table):
    """Return the headings and the rows of a table."""
    cells = zip(*(column.cells for column in table.columns), strict=True)
    return [[str(column.header) for column in table.columns], *map(list, cells)]


def read_csv(write, *arguments):
    """Return the rows that `write` writes, as dicts of text."""
    file = io.StringIO()
    write(file, *arguments)
    return list(csv.DictReader(io.StringIO(file.getvalue())))


# --- tables ---


def test_the_table_of_pairings_has_a_line_for_each_agent():
    found = compare(PAIRS, Sprt(0.5, 0.6))
    (low, high), (least, most) = found.win_rate_interval, found.mean_margin_interval
    assert list_rows(reports.make_pairings_table([found])) == [
        ["agents", "games", "win rate", "shared", "won", "points", "margin", "test"],
        ["a", "4", "62.5%", "1", "2", "7.2", "+2.0", f"LLR {found.sprt.log_likelihood_ratio:+.2f}"],
        ["b", "", f"{low:.1%} … {high:.1%}", "", "1", "5.2", f"{least:+.1f} … {most:+.1f}", "open"],
    ]
    settled = compare([make_pair(deal, WON, WON) for deal in range(40)], Sprt(0.5, 0.6))
    assert list_rows(reports.make_pairings_table([settled]))[2][-1] == "H1 accepted"


def test_the_table_of_win_rates_is_read_by_rows(comparisons):
    assert list_rows(reports.make_cross_table(comparisons, rank(ALL))) == [
        ["wins against", "a", "greedy", "b"],
        ["a", "", "75.0%", "100.0%"],
        ["greedy", "25.0%", "", "100.0%"],
        ["b", "0.0%", "0.0%", ""],
    ]


def test_the_table_of_standings_has_the_best_first():
    standings = rank([play_oddly(result) for result in PAIRS])
    first, second = standings
    low, high = first.elo_interval
    assert list_rows(reports.make_standings_table(standings, {"a": 5.0, "b": 2.0})) == [
        ["agent", "Elo", "95 % interval", "win rate", "points", "ms a decision"],
        ["a", "+0", "", "62.5%", "7.2", "5"],
        [
            "b",
            f"{second.elo:+.0f}",
            f"{second.elo_interval[0]:+.0f} … {second.elo_interval[1]:+.0f}",
            "37.5%",
            "5.2",
            "2",
        ],
    ]
    assert (low, high) == (0, 0)  # that of the anchor is left out


def test_the_table_of_play_counts_each_source_of_each_agent():
    assert list_rows(reports.make_play_table(rank([play_oddly(result) for result in PAIRS]))) == [
        ["a game", "a", "b"],
        ["points by house", "6.2", "0.0"],
        ["points by road", "1.0", "5.2"],
        ["points", "7.2", "5.2"],
        ["tokens taken", "3.0", "1.0"],
        ["discards", "5.0", "0.0"],
        ["decisions", "20.0", "10.0"],
    ]


def test_tables_call_special_tokens_by_what_they_do():
    name = partial(name_reason, get_ruleset("zamek").components)
    standings = rank([play_oddly(result) for result in PAIRS])
    told = [replace(row, points_by_source={"token 6": 5.0}) for row in standings]
    assert list_rows(reports.make_play_table(told, name))[1][0] == "points by the token +5 points"
    record = {"players": ["a", "b"], "scores": [5, 0], "turns": [], "end": []}
    record["end"].append({"player": 0, "reason": "token 6", "points": 5})
    assert list_rows(reports.make_game_table(record, name))[1] == ["the token +5 points", "5", "0"]


def test_a_sentence_says_what_it_is_worth_to_begin():
    found = compare_first_player([make_pair(0, WON, LOST), make_pair(1, WON, SHARED)])
    (low, high), (least, most) = found.win_rate_interval, found.mean_margin_interval
    assert reports.describe_first_player(found) == (
        f"Who begins wins 87.5% ({low:.1%} … {high:.1%}), by +6.0 points ({least:+.1f} … {most:+.1f})."
    )


def test_games_of_more_players_have_a_line_for_each_agent_and_a_sentence_on_seats():
    shares = [Share("a", 6, 0.5, (0.25, 0.75), 1.5, (1.25, 1.75)), Share("b", 3, 0.125, None, 2.5, None)]
    assert list_rows(reports.make_shares_table(shares, {"a": 5.0, "b": 2.0})) == [
        ["agent", "games", "wins", "95 % interval", "place", "95 % interval", "ms a decision"],
        ["a", "6", "50.0%", "25.0% … 75.0%", "1.50", "1.25 … 1.75", "5"],
        ["b", "3", "12.5%", "unknown", "2.50", "unknown", "2"],
    ]
    seats = [Seat(0, 6, 0.75, (0.5, 1.0)), Seat(1, 6, 0.25, None)]
    assert reports.describe_seats(seats, 40.25) == (
        "By seat, in games of 2 players, player 0 wins 75.0% (50.0% … 100.0%), player 1 wins 25.0%. "
        "A game has 40.2 decisions."
    )


# --- CSV ---


def test_each_column_of_pairings_holds_what_it_says():
    found = compare([play_oddly(result) for result in PAIRS], Sprt(0.5, 0.6))
    (row,) = read_csv(reports.write_pairings_csv, [found])
    assert row == {
        "agent": "a", "opponent": "b", "games": "4", "wins": "2", "shared": "1", "losses": "1", "win_rate": "0.625",
        "win_rate_low": str(found.win_rate_interval[0]), "win_rate_high": str(found.win_rate_interval[1]),
        "points": "7.25", "opponent_points": "5.25", "margin": "2.0",
        "margin_low": str(found.mean_margin_interval[0]), "margin_high": str(found.mean_margin_interval[1]),
        "first_player_win_rate": "0.375", "first_player_margin": "0.0",
        "sprt_log_likelihood_ratio": str(found.sprt.log_likelihood_ratio), "sprt_accepted": "",
    }  # fmt: skip
    (row,) = read_csv(reports.write_pairings_csv, [compare(PAIRS[:1])])  # a single pair, and no test
    unknown = [name for name, value in row.items() if value == ""]
    assert unknown == ["margin_low", "margin_high", "sprt_log_likelihood_ratio", "sprt_accepted"]


def test_each_column_of_agents_holds_what_it_says():
    results = [play_oddly(result) for result in PAIRS]
    standings = rank(results)
    first, second = read_csv(reports.write_standings_csv, standings, find_milliseconds(results))
    assert first == {
        "agent": "a", "elo": "0.0", "elo_low": "0.0", "elo_high": "0.0", "games": "4", "win_rate": "0.625",
        "points": "7.25", "tokens_taken": "3.0", "discards": "5.0", "decisions": "20.0", "milliseconds": "5.0",
        "points by house": "6.25", "points by road": "1.0",
    }  # fmt: skip
    assert float(second["elo_low"]) < float(second["elo"]) < float(second["elo_high"])
    assert (second["points by house"], second["points by road"], second["milliseconds"]) == ("0.0", "5.25", "2.0")


# --- pictures ---


def test_pictures_show_the_numbers_of_their_agents(comparisons):
    pytest.importorskip("matplotlib")
    from zamek_agents.arena import plots

    standings = rank(ALL)
    names = [standing.agent for standing in standings]
    (axes,) = plots.draw_win_rates(comparisons, standings).axes
    shown = {
        (names[round(y)], names[round(x)]): text.get_text() for text in axes.texts for x, y in [text.get_position()]
    }
    assert shown == {
        ("a", "greedy"): "75", ("greedy", "a"): "25", ("b", "greedy"): "0", ("greedy", "b"): "100",
        ("a", "b"): "100", ("b", "a"): "0",
    }  # fmt: skip
    (axes,) = plots.draw_ratings(standings).axes
    (bars,) = axes.containers[0].lines[2]
    for place, (segment, standing) in enumerate(zip(bars.get_segments(), standings, strict=True)):
        assert segment[:, 0] == pytest.approx(standing.elo_interval) and (segment[:, 1] == place).all()
    odd = rank([play_oddly(result) for result in PAIRS])
    (axes,) = plots.draw_sources(odd).axes
    widths = {bars.get_label(): [bar.get_width() for bar in bars] for bars in axes.containers}
    assert widths == {"house": [6.25, 0.0], "road": [1.0, 5.25]}
    ends = np.array([[bar.get_x() + bar.get_width() for bar in bars] for bars in axes.containers])
    assert ends.max(axis=0) == pytest.approx([7.25, 5.25])  # one after the other
