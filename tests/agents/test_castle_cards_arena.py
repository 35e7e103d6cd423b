"""The arena and the commands play castle-cards."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tests.support.castle_cards.record_checker import check_record
from zamek_agents import RandomAgent
from zamek_agents.arena.comparison import compare
from zamek_agents.arena.intervals import student_interval, wilson_interval
from zamek_agents.arena.sets import GameResult, SetResult, Side, line_up
from zamek_agents.arena.standings import find_length, find_seats, find_shares
from zamek_agents.registry import list_untrained
from zamek_env.castle_cards import CastleCards
from zamek_scripts import cli, evaluate, show


def test_an_agent_that_fails_among_several_fails_where_it_can_be_found(monkeypatch):
    monkeypatch.setattr(RandomAgent, "act", lambda self, game, rng: 1 // 0)
    (lineup,) = line_up([RandomAgent()] * 3, 5, "castle-cards", players=3)
    with pytest.raises(ZeroDivisionError) as failed:
        lineup.play_set(0)
    assert failed.value.__notes__ == ["in set 0 of random #1 and random #2 and random #3, seed 5"]


def make_result(*wins):
    """Return a set of games of three agents with those wins, where all have the same points."""
    sides = tuple(Side(-1, {}, 0, 0, 4, 0.1) for _ in range(3))
    return SetResult(("a", "b", "c"), 0, 7, tuple(GameResult(sides, None, won) for won in wins))


def test_every_agent_plays_every_deal_from_every_seat():
    (lineup,) = line_up([RandomAgent()] * 4, 0, "castle-cards", True, None, 4)
    for result in lineup.play(2):
        assert [game.record["agents"].index("random #1") for game in result.games] == [0, 1, 2, 3]
        for game in result.games:
            check_record(game.record)
            assert game.record["seed"] == result.deal
            agents = [game.record["agents"].index(name) for name in result.agents]
            assert [side.points for side in game.sides] == [
                -game.record["hands_left"][player] - game.record["decks_left"][player] for player in agents
            ]
            winners = [number for number, share in enumerate(game.find_wins()) if share]
            assert [agents[number] for number in winners] == game.record["winners"] or len(winners) > 1
            assert sum(side.decisions for side in game.sides) == len(CastleCards.replay(game.record).history)


def test_wins_are_those_of_the_game_where_points_do_not_tell():
    results = [make_result((1, 0, 0), (0, 1, 0), (0.5, 0.5, 0))]
    assert {share.agent: share.wins for share in find_shares(results)} == {"a": 0.5, "b": 0.5, "c": 0}
    assert {share.agent: share.place for share in find_shares(results)} == {
        "a": pytest.approx((1 + 2.5 + 1.5) / 3),
        "b": pytest.approx((2.5 + 1 + 1.5) / 3),
        "c": pytest.approx((2.5 + 2.5 + 3) / 3),
    }


def test_of_agents_that_won_nothing_more_points_give_the_better_place():
    sides = tuple(Side(points, {}, 0, 0, 4, 0.1) for points in (-9, -5, -1, -9))
    result = SetResult(("a", "b", "c", "d"), 0, 7, (GameResult(sides, None),))
    assert {share.agent: share.place for share in find_shares([result])} == {"a": 3.5, "b": 2, "c": 1, "d": 3.5}


def test_the_margin_of_a_game_is_that_over_the_best_of_the_others():
    sides = tuple(Side(points, {}, 0, 0, 4, 0.1) for points in (-5, -9, -2))
    assert GameResult(sides, None).margin == -3


def test_a_comparison_counts_the_wins_of_the_game_where_points_do_not_tell():
    stalled = (Side(-9, {}, 0, 0, 4, 0.1), Side(-8, {}, 0, 0, 4, 0.1))  # the first has fewer cards in hand, and won
    games = tuple(GameResult(stalled, None, wins) for wins in ((1.0, 0.0), (0.5, 0.5)))
    found = compare([SetResult(("a", "b"), 0, 7, games)])
    assert (found.wins, found.shared, found.losses, found.win_rate) == (1, 1, 0, 0.75)
    assert (found.mean_margin, found.pairs_by_wins) == (-1, (0, 0, 0, 1, 0))


def play_pairs(agents, wins):
    """Return sets of two agents on the deals 0, 1 and so on, where the first has so many wins of two games."""
    sides = (Side(-1, {}, 0, 0, 4, 0.1),) * 2
    shares = {0: [0, 0], 1: [1, 0], 2: [1, 1]}
    return [
        SetResult(agents, deal, deal, tuple(GameResult(sides, None, (won, 1 - won)) for won in shares[count]))
        for deal, count in enumerate(wins)
    ]


def test_lineups_weigh_the_same_however_many_deals_they_play():
    results = play_pairs(("a", "b"), [2, 1] * 20) + play_pairs(("a", "c"), [0, 0, 1, 1])
    found = {share.agent: share for share in find_shares(results)}
    assert {agent: share.wins for agent, share in found.items()} == {"a": 0.5, "b": 0.25, "c": 0.75}
    assert {agent: share.games for agent, share in found.items()} == {"a": 88, "b": 80, "c": 8}
    assert {agent: share.place for agent, share in found.items()} == {"a": 1.5, "b": 1.75, "c": 1.25}
    spread = np.sqrt(1 / 16 / 40 + 1 / 16 / 4) / 2  # of the mean of two means of shares that differ by a half
    low, high = found["a"].wins_interval
    assert (low + high) / 2 == pytest.approx(0.5)
    assert (high - low) / 2 == pytest.approx(stats.t(3).ppf(0.975) * spread, rel=0.02)
    assert found["c"].wins_interval == (student_interval([1, 1, 0.5, 0.5])[0], 1)


def test_an_interval_of_wins_goes_by_the_lineup_of_the_fewest_deals():
    won = {share.agent: share for share in find_shares(play_pairs("ab", [2] * 40) + play_pairs("ac", [2] * 4))}
    assert (won["a"].wins, won["a"].wins_interval) == (1, wilson_interval(1, 4))
    single = {share.agent: share for share in find_shares(play_pairs("ab", [2, 1]) + play_pairs("ac", [2]))}
    assert single["a"].wins_interval is single["a"].place_interval is single["c"].wins_interval is None


def test_no_interval_of_places_leaves_them():
    sides = tuple(Side(points, {}, 0, 0, 4, 0.1) for points in (0, -2, -4))
    games = [GameResult(sides[::way], None, (0, 1, 0)) for way in (1, -1)]
    shares = find_shares([SetResult(("a", "b", "c"), deal, deal, (game,)) for deal, game in enumerate(games)])
    assert {share.agent: share.place for share in shares} == {"a": 2.5, "b": 1, "c": 2.5}
    assert {share.agent: share.place_interval for share in shares} == {"a": (1, 3), "b": (1, 1), "c": (1, 3)}


def test_seats_are_told_apart_from_agents():
    results = [make_result((1, 0, 0), (1, 0, 0), (0, 1, 0))]  # the first agent is player 0, 1 and 2 in turn
    seats = find_seats(results)
    assert [(seat.player, seat.games) for seat in seats] == [(0, 3), (1, 3), (2, 3)]
    assert [seat.wins for seat in seats] == pytest.approx([2 / 3, 1 / 3, 0])
    assert find_length(results) == 12


def test_games_of_one_deal_are_one_observation_of_seats_whoever_plays():
    results = play_pairs(("a", "b"), [2]) + play_pairs(("a", "c"), [1])
    assert [(seat.games, seat.wins_interval) for seat in find_seats(results)] == [(4, None), (4, None)]
    apart = [*results[:1], replace(results[1], deal=1)]
    assert all(seat.wins_interval for seat in find_seats(apart))


def test_no_interval_of_wins_goes_below_0():
    share = find_shares(play_pairs(("a", "b"), [0, 0, 1]))[1]
    assert (share.agent, share.wins) == ("a", pytest.approx(1 / 6)) and share.wins_interval[0] == 0


def test_the_commands_play_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    agents = ["--ruleset", "castle-cards", "--agents", *["random"] * 3]
    options = ["--players", "3", "--games", "6", "--workers", "1", "--records", "games.jsonl", "--json", "results.json"]
    assert cli.main(["evaluate", *agents, *options]) == 0
    printed = capsys.readouterr().out
    for said in ("random #3", "wins", "place", "By seat, in games of 3 players, player 0 wins", "decisions."):
        assert said in printed
    records = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert len(records) == 6 and all(CastleCards.replay(record).is_terminal for record in records)
    results = json.loads((tmp_path / "results.json").read_text())
    assert sum(seat["wins"] for seat in results["seats"]) == pytest.approx(1) and results["decisions_a_game"] > 50
    assert cli.main(["show", *agents, "--svg", "board.svg"]) == 0
    printed = capsys.readouterr().out
    assert "cards in hand" in printed and "won" in printed and (tmp_path / "board.svg").read_text().startswith("<svg")


@pytest.mark.parametrize("players", [2, 3])
def test_a_ladder_has_the_agents_that_play_with_so_many(players, monkeypatch):
    monkeypatch.setattr(evaluate, "list_untrained", lambda *given: ("random", "greedy", f"{given[2]} play"))
    args = evaluate.Args(ruleset="castle-cards", ladder=True, players=players, agents=("greedy", "mine:Agent"))
    assert evaluate.choose_agents(args, None, players) == ("random", "greedy", f"{players} play", "mine:Agent")
    assert ("ppo" in list_untrained("castle-cards", players=players)) == (players == 2)


@pytest.mark.parametrize(
    "script, arguments, said",
    [
        (evaluate, {"agents": ("random", "value", "random"), "players": 3}, "'value' plays games of tiles only"),
        (evaluate, {"players": 7}, "--players must be one of 2, 3, 4, 5, not 7"),
        (evaluate, {"agents": ("random",) * 3, "players": 4}, "evaluate: --agents must name 4 or more, not 3\n"),
        (
            evaluate,
            {"agents": ("random",), "players": 5, "ladder": True},
            "evaluate: --agents must name 5 or more, those of --ladder included, not 3\n",
        ),
        (evaluate, {"agents": ("random",) * 3, "players": 3, "games": 7}, "--games must be a multiple of 3 from 3 on"),
        (evaluate, {"sprt": True}, "--sprt is for games of tiles only, not for castle-cards"),
        (evaluate, {"out": Path("x")}, "--out is for games of tiles only"),
        (evaluate, {"ruleset": "zamek", "agents": ("ismcts", "random")}, "'ismcts' plays castle-cards only, not zamek"),
        (evaluate, {"ruleset": "zamek", "players": 3}, "--players must be 2 in the ruleset zamek, not 3"),
        (show, {"agents": ("random",)}, "--agents: players must be one of 2, 3, 4, 5, not 1"),
        (show, {"rules": "river"}, "--rules is for games of tiles only, not for castle-cards"),
        (show, {"agents": ("value", "random")}, "'value' plays games of tiles only, not castle-cards"),
        (
            show,
            {"ruleset": "zamek", "agents": ("random",) * 3},
            "--agents: players must be 2 in the ruleset zamek, not 3",
        ),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_line(script, arguments, said, refused):
    assert said in refused(script.main, script.Args(**{"ruleset": "castle-cards", **arguments}))
