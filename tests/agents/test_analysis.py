"""The analysis of game records, and the report on it."""

import gzip
import json
import re
from dataclasses import is_dataclass, replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from tests.support.games import finish, play_randomly
from zamek_agents import GreedyAgent, RandomAgent
from zamek_agents.analysis import analyse
from zamek_agents.analysis.judging import DECISION, Judge, list_decisions
from zamek_agents.analysis.page import (
    make_page,
    show_mean,
    show_rate,
    tabulate_agents,
    tabulate_agents_by_seat,
    tabulate_cells,
    tabulate_pairings,
    tabulate_regrets,
    tabulate_seat_shares,
    tabulate_seats,
    tabulate_towers,
)
from zamek_agents.analysis.plots import draw_cells, draw_sources
from zamek_agents.analysis.reading import count_lines, read_lines, replay_all
from zamek_agents.analysis.summary import GameFacts, summarise
from zamek_agents.arena.intervals import Estimate, student_interval, wilson_interval
from zamek_agents.arena.sets import Tally
from zamek_agents.workers import ThisProcess
from zamek_env import RULESETS, Game, RecordError
from zamek_env.evaluation import POINTS, PROBABILITY, Evaluation
from zamek_env.ruleset import get_ruleset
from zamek_scripts.analyse import Args, main

SMALL = "carcassonne-demo"


@pytest.fixture(scope="module")
def records():
    """Three games of two deals."""
    seats = (("a", "b"), ("b", "a"), ("a", "b"))
    return [finish(Game(SMALL, seed), seed).record(names) for seed, names in zip((1, 1, 2), seats, strict=True)]


class Last:
    """An agent that values each action by its place among the legal ones, and never looks at the second."""

    name = "last"

    def act(self, game, rng):
        return game.legal_actions()[-1]

    def evaluate(self, game, rng):
        legal = game.legal_actions()
        values = np.arange(len(legal), dtype=float)
        if len(legal) > 2:
            values[1] = np.nan
        return Evaluation(legal, values, POINTS)


# --- what is counted ---


def make_facts(names, deal, scores, decisions, towers=(), placed=(), sent=(), turns=2):
    """Return facts in which the sources of all points are roads, and each decision is (regret, turn, legal, player)."""
    rows = np.array([(*decision, phase) for *decision, phase in decisions], DECISION)
    tallies = tuple(Tally({"road": points}, 3 * player, discards=player) for player, points in enumerate(scores))
    return GameFacts(names, deal, scores, tallies, turns, rows, dict(towers), tuple(placed), tuple(sent))


PLACE, SEND = 0, 1  # phases
HAND_MADE = (
    make_facts(
        ("a", "b"), 1, (10, 4),
        [(2.0, 1, 8, 0, PLACE), (np.nan, 1, 3, 0, SEND), (0.0, 2, 5, 1, PLACE)],
        {12: (0, 2)}, [(0, (0, 1)), (1, (0, 2))], [(0, (0, 1)), (0, (0, 2)), (1, (0, 2))],
    ),
    make_facts(
        ("b", "a"), 1, (6, 6),
        [(1.0, 1, 4, 0, PLACE), (0.5, 2, 9, 1, PLACE), (0.0, 2, 1, 1, SEND)],
        {12: (1, 4)}, [(0, (0, 1)), (1, (1, 0))],
    ),
    make_facts(
        ("a", "b"), 2, (1, 3),
        [(0.0, 1, 6, 0, PLACE), (3.0, 2, 7, 1, PLACE)],
        {}, [(0, (1, 0)), (1, (0, 2))], turns=3,
    ),
)  # fmt: skip


@pytest.fixture(scope="module")
def counted():
    return summarise(HAND_MADE, get_ruleset("zamek"), judge=Judge(Last()))


def test_games_of_one_deal_are_one_observation(counted):
    assert (counted.games, counted.deals, counted.is_balanced) == (3, 2, False)
    (pairing,) = counted.pairings
    assert (pairing.agents, pairing.margins) == (("a", "b"), (6, -2, 0))  # those in which a began first
    assert (pairing.wins, pairing.shared, pairing.losses) == (1, 1, 1)
    assert pairing.margin.mean == (3 - 2) / 2  # of the deals
    assert pairing.margin.interval == student_interval([3, -2])
    assert pairing.win_rate.mean == 1.5 / 3
    assert pairing.win_rate.interval == wilson_interval(0.5, 2)


def test_who_begins_is_told_of_all_games_and_of_each_lineup(counted):
    assert counted.first_player.margin.mean == ((6 + 0) / 2 - 2) / 2
    assert counted.first_player.win_rate.mean == (1 + 0.5 + 0) / 3
    assert [row.win_rate.mean for row in counted.seats] == [0.5, 0.5]
    (seat,) = summarise([make_facts(("a", "b"), 1, (3, 5), [(0.0, 1, 2, 0, PLACE)])], get_ruleset("zamek")).seats
    assert (seat.win_rate.mean, seat.margin.mean) == (0, -2)
    assert [(row.agents, row.games, row.margin.mean) for row in counted.seats] == [
        (("a", "b"), 2, (6 - 2) / 2),
        (("b", "a"), 1, 0),
    ]


def test_agents_are_counted_in_both_seats(counted):
    agents = {agent.name: agent for agent in counted.agents}
    assert agents["a"].points.mean == ((10 + 6) / 2 + 1) / 2 == agents["a"].sources["road"].mean
    assert agents["b"].discards.mean == ((1 + 0) / 2 + 1) / 2
    assert agents["b"].tokens_taken.mean == ((3 + 0) / 2 + 3) / 2
    assert (agents["a"].followers_sent.mean, agents["b"].followers_sent.mean) == ((2 / 2 + 0) / 2, (1 / 2 + 0) / 2)
    assert counted.sent == {(0, 1): 1 / 3, (0, 2): 1 / 3}
    assert agents["a"].placed == {(0, 1): 1 / 3, (1, 0): 2 / 3}
    assert counted.placed == {(0, 1): 2 / 3, (0, 2): 2 / 3, (1, 0): 2 / 3}


def test_agents_stand_with_the_highest_win_rate_first():
    facts = [make_facts(names, 1, (2, 9), [(0.0, 1, 2, 0, PLACE)]) for names in (("a", "b"), ("c", "a"))]
    found = summarise(facts, get_ruleset("zamek"))
    assert [(agent.name, agent.win_rate.mean) for agent in found.agents] == [("b", 1), ("a", 0.5), ("c", 0)]
    assert [row[:5] for row in tabulate_pairings(found).rows] == [
        ("a − b", "1", "0", "0", "1"),
        ("a − c", "1", "1", "0", "0"),
    ]


def test_how_long_games_are_is_told(counted):
    assert (counted.fewest_turns, counted.most_turns, counted.turns.mean) == (2, 3, (2 + 3) / 2)
    assert counted.decisions.mean == (3 + 2) / 2
    assert counted.discards.mean == 1


def test_an_interval_reaches_as_far_below_and_above_a_mean_as_it_says():
    assert Estimate(2.0, (1.5, 5.0)).radii == (0.5, 3.0) and Estimate(2.0, None).radii == (0, 0)
    assert Estimate(2.0, (2.0 + 1e-16, 2.0)).radii == (0, 0)


def find_estimates(value, path=""):
    """Yield (path, estimate) of all there are in dataclasses, dicts and tuples."""
    if isinstance(value, Estimate):
        yield path, value
    elif is_dataclass(value):
        yield from find_estimates(vars(value), path)
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from find_estimates(part, f"{path}.{name}")
    elif isinstance(value, tuple):
        for part in value:
            yield from find_estimates(part, path)


@pytest.mark.parametrize("unit", [POINTS, PROBABILITY])
def test_an_interval_of_few_games_holds_nothing_that_cannot_be(unit):
    """Two observations spread so far that Student's interval is thirteen times as wide."""
    decisions = [[(regret, 1, 8, 0, PLACE)] for regret in (0.0, 1.0)]
    facts = [
        make_facts(("a", "b"), deal, (99 * deal, 40 * deal), decisions[deal], {12: (0, 2 + 40 * deal)}, turns=60 * deal)
        for deal in range(2)
    ]
    judge = Judge(Last(), unit=unit)
    ruleset = get_ruleset("zamek")
    found = dict(find_estimates(summarise(facts, ruleset, judge=judge)))
    counts = {path: found[path].interval for path in found if not path.endswith(("margin", "lead"))}
    assert len(counts) > 10 and all(low >= 0 for low, _ in counts.values())
    assert counts[".regrets.rows.regret"][1] == (1 if unit == PROBABILITY else pytest.approx(6.85, abs=0.01))
    tiles = len(ruleset.components.tiles)
    assert counts[".turns"][1] == counts[".towers.turn"][1] == tiles and counts[".towers.turn"][0] == 1
    assert found[".pairings.margin"].interval[0] < 0  # which can be


def test_towers_tell_who_took_the_token_and_when(counted):
    first, *others = counted.towers
    assert (first.field, first.taken.mean, first.turn.mean) == (12, 2 / 3, 3)
    assert first.by_agent == {"a": 2 / 3, "b": 0}
    assert [(row.taken.mean, row.turn) for row in others] == [(0, None)] * 12


def test_branching_is_of_placements_only(counted):
    assert [(row.turn, row.games, row.mean, row.median) for row in counted.branching] == [(1, 3, 6, 6), (2, 3, 7, 7)]
    assert [(row.low, row.high) for row in counted.branching] == [(4.4, 7.6), (5.4, 8.6)]  # of 4, 6, 8 and 5, 7, 9
    place, send = counted.phases
    assert (place.phase, place.decisions.mean, place.forced, place.most) == ("place", 2, 0, 9)
    assert (send.phase, send.decisions.mean, send.forced, send.legal) == ("send", (1 + 0) / 2, 1 / 2, 2)
    few = [(0.0, turn, legal, 0, PLACE) for turn, legal in enumerate((1, 2, 2, 3), 1)]
    (place,) = summarise([make_facts(("a", "b"), 1, (4, 2), few)], get_ruleset("zamek")).phases
    assert (place.forced, place.legal, place.most) == (1 / 4, 2, 3)


def test_regrets_leave_out_what_nobody_valued_and_what_was_no_choice(counted):
    rows = {(row.agent, row.phase): row for row in counted.regrets.rows}
    assert rows["a", "place"].regret.mean == ((2.0 + 0.5) / 2 + 0.0) / 2
    assert rows["a", "place"].regret.interval[0] == 0  # of two values it would begin far below
    assert rows["a", "place"].best.mean == 1 / 3
    assert (rows["a", "send"].decisions, rows["a", "send"].unvalued, rows["a", "send"].regret) == (0, 1, None)
    assert ("b", "send") not in rows
    assert counted.regrets.by_turn == {"a": ((1, 1.0), (2, 0.5)), "b": ((1, 1.0), (2, 1.5))}


def test_the_chance_of_a_judge_is_another_in_every_decision_and_repeats():
    drawn = []

    class Drawing(Last):
        def evaluate(self, game, rng):
            drawn.append(rng.random())
            return super().evaluate(game, rng)

    def draw(seed, *numbers):
        drawn.clear()
        for number in numbers:
            Judge(Drawing(), seed).find_regret(game, game.legal_actions()[0], number)
        return [*drawn]

    game = Game(SMALL, seed=1)
    numbers = [(game_number, decision) for game_number in range(2) for decision in range(2)]
    first = draw(3, *numbers)
    assert len({*first, *draw(4, *numbers)}) == 8
    assert draw(3, numbers[2]) == first[2:3]  # the same without the others


def test_tables_hold_each_number_under_its_heading(counted):
    tables = [tabulate_pairings(counted), tabulate_agents(counted), tabulate_towers(counted)]
    tables += [tabulate_seats(counted), tabulate_regrets(replace(counted.regrets, unit="points"))]
    rows = [dict(zip(table.columns, table.rows[-1 if "Who" in table.caption else 0], strict=True)) for table in tables]
    (pairing,), (agent, _) = counted.pairings, counted.agents
    assert {name: rows[0][name] for name in ("pairing", "games", "won", "shared", "lost")} == {
        "pairing": "a − b", "games": "3", "won": "1", "shared": "1", "lost": "1"
    }  # fmt: skip
    assert (rows[0]["win rate"], rows[0]["margin"]) == (show_rate(pairing.win_rate), show_mean(pairing.margin, 1, "+z"))
    assert rows[1] == {
        "agent": "a", "games": "3", "win rate": show_rate(agent.win_rate), "points": show_mean(agent.points),
        "followers sent": show_mean(agent.followers_sent), "tiles discarded": show_mean(agent.discards),
        "tokens taken": show_mean(agent.tokens_taken),
    }  # fmt: skip
    taken, turn = counted.towers[0].taken, counted.towers[0].turn
    assert [*rows[2].values()] == ["12", show_rate(taken), show_mean(turn), "67%", "0%"]
    seat = counted.seats[1]
    assert [*rows[3].values()] == ["b, then a", "1", show_rate(seat.win_rate), "+0.0"]
    row = counted.regrets.rows[0]
    assert [*rows[4].values()] == ["a", "all", "3", "1", show_mean(row.regret, 2), show_rate(row.best)]
    assert [*rows[4]][4] == "regret, points a decision"


def test_a_number_is_shown_with_its_interval():
    assert show_mean(Estimate(1.25, (-0.04, 2.0))) == "1.2 (0.0 … 2.0)"
    assert show_mean(Estimate(-0.5, None), 2, "+z") == "-0.50"
    assert show_rate(Estimate(0.5, (0.25, 0.75))) == "50.0% (25.0% … 75.0%)"


def test_the_board_is_shown_with_row_0_on_top_and_column_0_to_the_left():
    cells, shares = [(0, 0), (0, 1), (1, 1), (1, 2)], {(0, 1): 0.25, (1, 2): 1.0}
    table = tabulate_cells("here", cells, shares)
    assert table.columns == ("row", "0", "1", "2")
    assert table.rows == (("0", "0", "25", ""), ("1", "", "0", "100"))
    (axes,) = draw_cells(cells, shares).axes
    darkness = {tuple(patch.get_center()): patch.get_facecolor()[3] for patch in axes.patches}
    assert darkness == {(0, 0): 0, (1, 0): 0.25, (1, 1): 0, (2, 1): 1}  # by column and row
    assert axes.get_xlim() == (-0.5, 2.5) and axes.get_ylim() == (1.5, -0.5)


def test_a_regret_that_comes_of_rounding_is_none():
    facts = [make_facts(("a", "b"), 4, (4, 0), [(1e-12, 1, 2, 0, PLACE), (1e-6, 1, 2, 0, PLACE)])]
    row = summarise(facts, get_ruleset("zamek"), judge=Judge(Last())).regrets.rows[0]
    assert (row.agent, row.decisions, row.regret.mean, row.best.mean) == ("a", 2, 1e-6 / 2, 0.5)


def test_an_agent_that_meets_itself_is_seen_from_the_one_who_begins():
    facts = [make_facts(("a", "a"), deal, (deal, 0), [(0.0, 1, 2, 0, PLACE)]) for deal in (4, 6)]
    found = summarise(facts, get_ruleset("zamek"))
    (agent,), (pairing,) = found.agents, found.pairings
    assert (agent.games, agent.win_rate.mean, agent.points.mean) == (4, 0.5, 2.5)
    assert (pairing.margin.mean, found.is_balanced) == (5, True)


THREE = get_ruleset("carcassonne", players=3)
OF_THREE = (
    make_facts(("a", "b", "c"), 1, (10, 4, 10), [(0.0, 1, 2, 0, PLACE)]),
    make_facts(("b", "c", "a"), 1, (6, 9, 2), [(0.0, 1, 2, 0, PLACE)]),
    make_facts(("c", "a", "b"), 2, (5, 5, 5), [(0.0, 1, 2, 0, PLACE)]),
)


def test_of_three_a_victory_is_shared_out():
    """As rule C11 has it."""
    found = summarise(OF_THREE, THREE)
    agents = {agent.name: agent for agent in found.agents}
    assert {name: agent.win_rate.mean for name, agent in agents.items()} == {
        "a": pytest.approx((1 / 2 + 0 + 1 / 3) / 3),
        "b": pytest.approx((0 + 0 + 1 / 3) / 3),
        "c": pytest.approx((1 / 2 + 1 + 1 / 3) / 3),
    }
    assert agents["a"].lead.mean == ((0 - 7) / 2 + 0) / 2 and agents["c"].lead.mean == ((0 + 3) / 2 + 0) / 2
    assert agents["a"].points.mean == ((10 + 2) / 2 + 5) / 2
    assert [rate.mean for rate in agents["a"].win_rates] == [1 / 2, pytest.approx(1 / 3), 0]
    assert [agent.name for agent in found.agents] == ["c", "a", "b"]
    assert (found.players, found.played, found.is_balanced) == (3, "carcassonne for 3", True)
    assert (found.pairings, found.first_player, found.seats) == ((), None, ())


def test_of_three_each_seat_has_its_share():
    found = summarise(OF_THREE, THREE)
    assert [seat.win_rate.mean for seat in found.seat_shares] == [
        pytest.approx((1 / 2 + 0 + 1 / 3) / 3), pytest.approx((0 + 1 + 1 / 3) / 3), pytest.approx((1 / 2 + 1 / 3) / 3)
    ]  # fmt: skip
    assert [seat.points.mean for seat in found.seat_shares] == [(8 + 5) / 2, (6.5 + 5) / 2, (6 + 5) / 2]
    assert [seat.lead.mean for seat in found.seat_shares] == [-1.5 / 2, -1.5 / 2, (0 - 7) / 2 / 2]
    assert not summarise(OF_THREE[:2], THREE).is_balanced
    (first, *_), agents = (table(found).rows for table in (tabulate_seat_shares, tabulate_agents_by_seat))
    share = found.seat_shares[0]
    assert first == ("player 0", show_rate(share.win_rate), show_mean(share.points), show_mean(share.lead, 1, "+z"))
    assert agents[0] == ("c", *map(show_rate, found.agents[0].win_rates))
    twice = summarise([make_facts(("a", "a", "b"), 1, (1, 2, 3), [(0.0, 1, 2, 0, PLACE)])], THREE)
    assert [[rate and rate.mean for rate in agent.win_rates] for agent in twice.agents] == [
        [None, None, 1],
        [0, 0, None],
    ]


def test_who_plays_alone_wins_nothing_and_stands_by_points():
    alone = get_ruleset("carcassonne", players=1)
    facts = [make_facts((name,), 1, (points,), [(0.0, 1, 2, 0, PLACE)]) for name, points in (("a", 3), ("b", 8))]
    found = summarise(facts, alone)
    assert [(agent.name, agent.points.mean, agent.lead.mean) for agent in found.agents] == [("b", 8, 8), ("a", 3, 3)]
    assert found.played == "carcassonne for one"
    assert tabulate_agents(found).columns == ("agent", "games", "points", "followers sent", "tiles discarded")


VARIANTS = [
    (1, {}),
    (2, {"hand": "hidden", "back_into_bag": True}),
    (3, {"draw_ahead": True, "start_in_bag": True}),
    (5, {"hand": "open", "hole_plays_again": True}),
]


@pytest.mark.compiles
@pytest.mark.parametrize(("players", "rules"), VARIANTS)
def test_games_of_any_number_of_players_by_house_rules_are_analysed(players, rules):
    """A turn begins where a tile is chosen, or placed; the sources of points add up to all."""
    rules = rules | {"table": (3, 5)}  # which is soon full
    names = [f"agent {player}" for player in range(players)]
    game = finish(Game(SMALL, 3, players=players, rules=rules), 3)
    again, turns, last = Game(SMALL, 3, players=players, rules=rules), [0], ""
    for action in game.history:
        turns.append(turns[-1] + (again.phase == "choose" or (again.phase == "place" and last != "choose")))
        last = again.phase
        again.step(action)
    assert list_decisions(game, 0)["turn"].tolist() == turns[1:]
    found = analyse([game.record(names)], agent=Last())
    assert found.turns.mean == turns[-1] and found.decisions.mean == len(game.history)
    for player, name in enumerate(names):
        (agent,) = (agent for agent in found.agents if agent.name == name)
        assert agent.points.mean == game.scores[player] == sum(each.mean for each in agent.sources.values())
        assert agent.win_rate.mean == pytest.approx((game.scores[player] == max(game.scores)) / winners_of(game))
    kinds = {"choose", "place", "send"} if "hand" in rules else {"place", "send"}
    assert {row.phase for row in found.regrets.rows} == {"all", *kinds}
    page = Page(make_page(found, "games.jsonl"))
    assert found.played in page.text and ("Seats" in page.text) == (players > 2)
    assert ("First player" in page.text) == (players == 2)


def winners_of(game):
    return game.scores.count(max(game.scores))


@pytest.mark.compiles
def test_games_of_other_numbers_of_players_or_other_house_rules_are_refused():
    tables = [(3, {}), (2, {}), (3, {"draw_ahead": True, "small_city": True})]
    ends = [finish(Game(SMALL, 3, players=players, rules=rules | {"table": (3, 3)}), 3) for players, rules in tables]
    first, two, ahead = (game.record() for game in ends)
    for other, name in ((two, "by table=3x3"), (ahead, "for 3 by draw_ahead,table=3x3,small_city")):
        with pytest.raises(
            RecordError, match=rf"are of {SMALL} for 3 by table=3x3, and this one is of {SMALL} {name};"
        ):
            analyse([first, other])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_game_is_counted_as_it_was_played(ruleset):
    """Legal actions, towers and cells, found here by looking at the game while it is played."""
    legal, towers, turns, cells, sent = [], {}, 0, set(), set()
    left = set(Game(ruleset, 3).position().towers)
    last = Game(ruleset, 3)
    laid = set(last.position().board)  # before the tile of this turn
    for game in play_randomly(Game(ruleset, 3), 3):
        if last.phase == "send" and last.format_action(game.history[-1]) != "-":
            sent |= set(game.position().board) - laid
        if game.phase == "place":
            laid = set(game.position().board)
        last = game.copy()
        for tower in left - game.position().towers:
            towers[tower] = turns
        left &= game.position().towers
        if game.phase == "place":
            turns += 1
            legal.append(len(game.legal_actions()))
        cells |= set(game.position().board)
    found = analyse([game.record()])
    assert [row.mean for row in found.branching] == legal
    assert {row.field: row.turn.mean for row in found.towers if row.turn} == towers
    assert set(found.placed) == cells - ({(0, 0)} if ruleset.startswith("carcassonne") else set())
    assert found.turns.mean == turns == found.fewest_turns == found.most_turns
    assert found.decisions.mean == len(game.history)
    assert set(found.sent) == sent


def test_the_judge_values_what_was_played():
    game, costs = Game(SMALL, seed=5), []
    rng = np.random.default_rng(0)
    while not game.is_terminal:
        legal = game.legal_actions()
        place = int(rng.integers(len(legal)))
        if len(legal) > 1:
            costs.append(np.nan if place == 1 and len(legal) > 2 else len(legal) - 1 - place)
        game.step(legal[place])
    found = analyse([game.record(("same", "same"))], agent=Last()).regrets
    assert (found.judge, found.unit) == ("last", "points")
    total = found.rows[0]
    assert (total.decisions, total.unvalued) == (np.isfinite(costs).sum(), np.isnan(costs).sum())
    assert total.regret.mean == pytest.approx(np.nanmean(costs))


VALUING = """
import numpy as np
from zamek_env.evaluation import POINTS, PROBABILITY, Evaluation

class Valuing:
    def __init__(self, path):
        with open(path) as file:
            self.worth = float(file.read())

    def act(self, game, rng):
        return game.legal_actions()[0]

    def evaluate(self, game, rng):
        legal = game.legal_actions()
        return Evaluation(legal, self.worth * np.arange(len(legal)), POINTS)
"""


def test_workers_ask_the_agent_as_its_files_are_when_they_begin(tmp_path, records):
    (tmp_path / "valuing.py").write_text(VALUING)
    spec, found = f"{tmp_path}/valuing.py:Valuing({str(tmp_path / 'worth')!r})", []
    for worth in ("1", "10"):
        (tmp_path / "worth").write_text(worth)
        found.append(analyse(records[:1], agent=spec, workers=ThisProcess()).regrets.rows[0].regret.mean)
    assert found[1] == pytest.approx(10 * found[0]) and found[0] > 0


def test_a_page_holds_any_name_of_a_judge(records):
    judge = Last()
    judge.name = "value:\udcff.npz"  # a path whose bytes are no text
    page = make_page(analyse(records, agent=judge), "games.jsonl").encode()
    assert rb"Regret as value:\udcff.npz sees it" in page


def test_games_that_are_not_over_are_left_out(records):
    game = Game(SMALL, 9)
    for _ in range(4):
        game.step(game.legal_actions()[0])
    found = analyse([game.record(), *records])
    assert (found.games, found.unfinished) == (3, 1)
    with pytest.raises(RecordError, match="no record of a finished game"):
        analyse([game.record()])


def test_games_in_which_nobody_scores_are_reported():
    game = Game(SMALL, 1)
    while not game.is_terminal:
        game.step(game.legal_actions()[0])  # which sends nobody
    page = make_page(analyse([game.record()]), "games.jsonl")
    assert game.scores == (0, 0) and "Points by source" in page


def test_deals_without_a_seed_are_all_different(records):
    assert analyse([record | {"seed": None} for record in records]).deals == 3


@pytest.mark.compiles
def test_games_on_components_of_ones_own_are_analysed_on_these():
    river = Path(__file__).parents[2] / "examples" / "river"
    records = [finish(Game("river", seed, river), seed).record() for seed in (1, 2)]
    assert analyse(records, river).ruleset == "river"
    with pytest.raises(RecordError, match="a game on components of your own needs these, by components=, or by --comp"):
        analyse(records)


# --- what is refused ---


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda record: record | {"turns": record["turns"][1:]}, "record 2: turns[0]"),
        (lambda record: record | {"players": None}, "record 2: record, players: must be 2 names, not None"),
        (lambda record: record | {"players": ["a", 1]}, "record 2: record, players: must be names, not 1"),
        (lambda record: [record], "record 2: record: must be an object"),
        (lambda record: record | {"scores": [0, 999]}, "record 2: record, scores: must be"),
    ],
)
def test_a_wrong_record_is_named(records, spoil, message):
    with pytest.raises(RecordError, match=re.escape(message)):
        analyse([records[0], spoil(records[1])])


@pytest.mark.plays("carcassonne")
def test_games_of_two_rulesets_are_refused(records):
    other = finish(Game("carcassonne", 0)).record()
    with pytest.raises(RecordError, match=r"record 4: .* are of carcassonne-demo, and this one is of carcassonne; all"):
        analyse([*records, other])


@pytest.mark.parametrize("line", [b"{", b"\xff\xfe", b"[" * 100_000, b"1" * 5000])
def test_what_is_no_json_is_refused_by_its_line(tmp_path, line):
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\n\n" + line + b"\n")
    assert count_lines(path) == 1
    with pytest.raises(RecordError, match=r"^line 3: record"):
        list(replay_all(read_lines(path)))


@pytest.mark.parametrize("agent", [RandomAgent(), GreedyAgent()])
def test_an_agent_that_evaluates_nothing_is_refused(records, agent):
    with pytest.raises(ValueError, match="does not evaluate choices"):
        analyse(records, agent=agent)


# --- the page ---


class Page(HTMLParser):
    """The tags of a page, whether they are closed, and its text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.text = [], [], ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag != "meta":  # which has no end
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_report_on_any_ruleset_is_whole_and_fetches_nothing(ruleset):
    records = [finish(Game(ruleset, seed), seed).record(("a", "b")) for seed in (1, 2)]
    found = analyse(records, agent=Last())
    text = make_page(found, "games.jsonl")
    page = Page(text)
    names = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(names) == len(set(names))
    for tag, attributes in page.tags:
        assert tag not in ("script", "link", "img", "image", "iframe", "object", "base", "form")
        assert not {"src", "srcset", "data", "action"} & attributes.keys()
        assert not any(key.startswith("on") for key in attributes)
        for key in ("href", "xlink:href"):
            assert attributes.get(key, "#").startswith("#")
            assert attributes.get(key, "#")[1:] in ["", *names]
        if "aria-labelledby" in attributes:
            assert attributes["aria-labelledby"] in names
    assert not re.search(r"@import|url\((?!#)", text)
    pictures = [attributes for tag, attributes in page.tags if tag == "svg"]
    assert len(pictures) == 9 + bool(found.towers)
    assert all(picture["role"] == "img" and picture["aria-labelledby"] for picture in pictures)
    assert not re.search(r"#[0-9a-f]{6}", re.sub(r"<style>\n:root.*?</style>", "", text, count=1, flags=re.DOTALL))
    assert ("Tokens by tower" in page.text) == (not ruleset.startswith("carcassonne"))


@pytest.mark.long
def test_the_same_games_make_the_same_page(counted):
    assert make_page(counted, "games.jsonl") == make_page(counted, "games.jsonl")


def test_names_of_players_are_only_ever_text(records):
    names = ["<script>alert(1)</script>", '"><b onclick="x">&amp;', "$x^{2", "{{ 1 + 1 }}", "n" * 5000, ""]
    unprintable = "\ud800\x00\u202e\n"
    seats = zip(names, [*names[1:], unprintable], strict=True)
    page = Page(make_page(analyse([records[0] | {"players": [*pair]} for pair in seats]), unprintable))
    assert not {"script", "b"} & {tag for tag, _ in page.tags}
    assert all(name[:300] in page.text for name in names)
    assert r"\ud800\x00\u202e\n" in page.text
    assert "\x00" not in page.text and "\u202e" not in page.text
    page.text.encode()


def test_a_legend_tells_agents_whose_names_begin_with_an_underscore(records):
    (axes,) = draw_sources(analyse([records[0] | {"players": ["_mine", "greedy"]}])).axes
    assert sorted(text.get_text().strip() for text in axes.get_legend().get_texts()) == ["_mine", "greedy"]


# --- the command ---


def write_lines(path, records):
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return path


def test_the_command_writes_a_page_and_says_what_it_is_of(tmp_path, capsys, records):
    path, out = write_lines(tmp_path / "games <b>.jsonl", records), tmp_path / "new" / "report.html"
    main(Args(path, out=out))
    printed = capsys.readouterr()
    assert printed.out == f"3 games of carcassonne-demo: {out}\n"
    assert "3/3" in printed.err
    assert "From games &lt;b&gt;.jsonl: 2 deals, 2 agents." in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"records": "none.jsonl"}, "analyse: there is no file 'none.jsonl' of records"),
        ({"records": "empty.jsonl"}, "analyse: empty.jsonl: there is no record of a finished game"),
        ({"records": "bad.jsonl"}, "analyse: bad.jsonl: line 2: record: is not JSON: "),
        ({"records": "packed.jsonl"}, "analyse: packed.jsonl: line 1: record: must be text in UTF-8, not packed: "),
        ({"out": "bad.jsonl"}, "analyse: --out: bad.jsonl exists; name another file, or say --overwrite"),
        ({"out": "games.jsonl", "overwrite": True}, "analyse: the records and --out must be two files"),
        ({"out": "games.jsonl/report.html"}, "analyse: --out: games.jsonl/report.html cannot be written: what"),
        ({"agent": "greedy"}, "analyse: the agent 'greedy' does not evaluate choices"),
        ({"agent": "deepest"}, "analyse: an agent must be one of random, greedy, "),
        ({"seed": -1}, "analyse: --seed must be 0 or more, not -1"),
        ({"components": "none"}, "analyse: --components: none: is not a folder with component files"),
    ],
)
def test_bad_input_is_refused_and_nothing_is_written(tmp_path, monkeypatch, refused, records, wrong, message):
    monkeypatch.chdir(tmp_path)
    good = write_lines(tmp_path / "games.jsonl", records)
    (tmp_path / "empty.jsonl").write_text("\n")
    (tmp_path / "packed.jsonl").write_bytes(gzip.compress(good.read_bytes()))
    (tmp_path / "bad.jsonl").write_text(good.read_text().partition("\n")[0] + "\n{\n")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    given = {"records": "games.jsonl", "out": "report.html"} | wrong
    paths = {key: Path(given[key]) for key in ("records", "out", "components") if key in given}
    assert refused(main, Args(**(given | paths))).splitlines()[-1].startswith(message)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
