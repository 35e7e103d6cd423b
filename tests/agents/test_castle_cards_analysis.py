"""Reports on records of Castle, the card game: counted by hand, and refused where they cannot be."""

import json
from collections import Counter

import numpy as np
import pytest

from tests.support.scripted_agent import Valuing
from zamek_agents import make_agent
from zamek_agents.analysis import analyse
from zamek_agents.analysis.judging import CASTLE_DECISION, Judge, list_castle_decisions
from zamek_agents.analysis.reading import ReplayedGame
from zamek_agents.analysis.summary import gather_castle
from zamek_agents.workers import ThisProcess, start_processes
from zamek_env import Game, RecordError
from zamek_env.castle_cards import CastleCards
from zamek_env.evaluation import POINTS, Evaluation
from zamek_scripts import cli

JUDGE = "ismcts:simulations=20"


def play(players, seed, names):
    """Return the record of a game of random players."""
    game, rng, agent = CastleCards(players, seed), np.random.default_rng(seed), make_agent("random")
    while not game.is_terminal:
        game.step(agent.act(game, rng))
    return json.loads(json.dumps(game.record(names)))


@pytest.fixture(scope="module")
def records():
    return [play(2, 1, ("one", "<b>two</b>")), play(2, 1, ("<b>two</b>", "one")), play(2, 2, ("one", "<b>two</b>"))]


def test_what_is_told_is_what_the_records_say(records):
    analysis = analyse(records)
    assert (analysis.games, analysis.deals, analysis.players, analysis.unfinished) == (3, 2, 2, 0)
    wins = Counter(record["agents"][winner] for record in records for winner in record["winners"])
    assert {agent.name: agent.win_rate.mean for agent in analysis.agents} == pytest.approx(
        {name: wins[name] / 3 for name in ("one", "<b>two</b>")}
    )
    steps = [(turn["player"], step) for record in records for turn in record["turns"] for step in turn["steps"]]
    played = sum(step["do"] == "play" for _, step in steps)
    assert sum(sum(agent.cards.values()) for agent in analysis.agents) * 3 == pytest.approx(played)
    first = [
        step["legal"] for record in records for turn in record["turns"][:2] for step in turn["steps"] if "legal" in step
    ]
    assert analysis.branching[0].mean == pytest.approx(np.mean(first))
    assert sum(analysis.ends.values()) == 3
    placed = Counter(
        cell for record in records for cell in {cell for turn in record["turns"] for cell in find_cells(turn)}
    )
    assert analysis.placed == pytest.approx({cell: count / 3 for cell, count in placed.items()})


def find_cells(turn):
    """Return the cells of the castle (row, column) where cards were placed in a turn of a record."""
    at = [step["at"] for step in turn["steps"] if step["do"] == "play"]
    return [(place[0], place[1]) for place in at if isinstance(place[0], int)]


def average(first, second, third):
    """Return the mean of three games, of which the first two are of one deal, which is one observation."""
    return pytest.approx(((first + second) / 2 + third) / 2)


def test_seats_are_told_from_agents(records):
    analysis = analyse(records)
    wins = [Counter(winner for record in records for winner in record["winners"])[seat] / 3 for seat in range(2)]
    assert [seat.mean for seat in analysis.seats] == pytest.approx(wins)
    assert analysis.turns.mean == average(*(len(record["turns"]) for record in records))
    for agent in analysis.agents:
        seats = [record["agents"].index(agent.name) for record in records]
        left, played = [], []
        for record, seat in zip(records, seats, strict=True):
            left.append(record["hands_left"][seat] + record["decks_left"][seat])
            steps = [step for turn in record["turns"] if turn["player"] == seat for step in turn["steps"]]
            played.append(sum(step["do"] == "play" for step in steps))
        assert (agent.games, agent.left.mean, agent.played.mean) == (3, average(*left), average(*played))
        assert sum(agent.cards.values()) == pytest.approx(sum(played) / 3)
    assert (
        len({agent.left.mean for agent in analysis.agents})
        == len({agent.played.mean for agent in analysis.agents})
        == 2
    )


def test_an_interval_of_few_games_holds_no_number_of_cards_that_cannot_be(records):
    """Seats that change between two games of one deal make the counts of an agent spread."""
    for agent in analyse(records).agents:
        assert 0 <= agent.left.interval[0] < agent.left.interval[1] <= 56 and agent.played.interval[0] >= 0


def test_a_shared_victory_is_shared_out(records):
    replayed = ReplayedGame(records[0] | {"winners": [0, 1]}, None, ("one", "two"))
    assert gather_castle(replayed, 0, np.zeros(0, CASTLE_DECISION)).wins == (0.5, 0.5)


def test_how_much_there_is_to_choose_from_is_told_by_the_middle_four_fifths(records):
    found = analyse(records).branching[0]
    legal = [
        step["legal"] for record in records for turn in record["turns"][:2] for step in turn["steps"] if "legal" in step
    ]
    assert (found.turn, found.games) == (1, 3)
    assert (found.low, found.median, found.high) == pytest.approx(tuple(np.percentile(legal, (10, 50, 90))))
    assert found.low < found.median < found.high


def test_turns_are_counted_for_each_player_apart(records):
    """In every turn in which the record says that there was a choice, its player has decided."""
    turns, due = Counter(), set()
    for turn in records[0]["turns"]:
        turns[turn["player"]] += 1
        if any("legal" in step for step in turn["steps"]):
            due.add((turn["player"], turns[turn["player"]]))
    decisions = list_castle_decisions(CastleCards.replay(records[0]), 0, Judge(Valuing()))
    assert set(decisions[["player", "turn"]].tolist()) >= due >= {(0, 1), (1, 1)}
    assert decisions["turn"].max() == max(turns.values())


def test_the_command_writes_a_page_on_which_names_are_only_text(records, tmp_path, refused, monkeypatch):
    pytest.importorskip("jinja2")
    monkeypatch.chdir(tmp_path)
    lines = "".join(json.dumps(record) + "\n" for record in records)
    (tmp_path / "games.jsonl").write_text(lines, encoding="utf-8")
    assert cli.main(["analyse", "games.jsonl"]) == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "3 games of castle-cards" in page and "<b>two" not in page and "&lt;b&gt;two" in page
    refusal = refused(cli.main, ["analyse", "games.jsonl", "--agent", "mcts", "--workers", "1", "--overwrite"])
    assert "analyse: the agent 'mcts' plays games of tiles only, not castle-cards" in refusal
    refusal = refused(cli.main, ["analyse", "games.jsonl", "--ray", "--overwrite"])
    assert "--workers and --ray must come with --agent" in refusal
    refusal = refused(cli.main, ["analyse", "games.jsonl", "--seed", "3", "--overwrite"])
    assert "analyse: --seed must come with --agent" in refusal
    assert cli.main(["analyse", "games.jsonl", "--agent", JUDGE, "--workers", "1", "--overwrite"]) == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert f"Regret as {JUDGE} sees it" in page and "how probably it would play" in page


def test_regrets_are_those_of_each_decision_played_again(records):
    class Ladder:
        """Thinks the better of an action the higher its number, and looks at none but the first and the last two."""

        name = "ladder"

        def act(self, game, rng):
            return game.legal_actions()[-1]

        def evaluate(self, game, rng):
            legal = game.legal_actions()
            values = np.arange(len(legal), dtype=float)
            values[1:-2] = np.nan
            return Evaluation(legal, values, POINTS)

    records = records[:2]
    regrets = analyse(records, agent=Ladder()).regrets
    expected: dict = {}
    for record in records:
        finished = CastleCards.replay(record)
        for place, action in enumerate(finished.history):
            game = CastleCards.from_history(finished.dealt_state, finished.history[:place])
            legal = game.legal_actions()
            found = expected.setdefault((record["agents"][game.current_player], game.phase), [])
            place = legal.index(action)
            found.append(np.nan if 0 < place < len(legal) - 2 else len(legal) - 1 - place)
    rows = {(row.agent, row.phase): row for row in regrets.rows}
    assert {key for key in rows if key[1] != "all"} == set(expected)
    for key, costs in expected.items():
        assert (rows[key].decisions, rows[key].unvalued) == (np.isfinite(costs).sum(), np.isnan(costs).sum())
    for name in ("one", "<b>two</b>"):
        phases = [row for key, row in rows.items() if key[0] == name and key[1] != "all"]
        assert rows[name, "all"].decisions == sum(row.decisions for row in phases)
        assert regrets.by_turn[name][0][0] == 1
    assert (regrets.judge, regrets.unit) == ("ladder", "points")


def test_a_search_judges_on_workers_as_it_does_alone(records):
    alone = analyse(records[:2], agent=JUDGE, seed=3)
    assert analyse(records[:2], agent=JUDGE, seed=3, workers=ThisProcess()) == alone
    assert analyse(records[:2], agent=JUDGE, seed=4) != alone
    assert alone.regrets.unit == "probability" and all(0 <= row.regret.mean <= 1 for row in alone.regrets.rows)
    with pytest.raises(ValueError, match="agent must be a name where workers judge"):
        analyse(records, agent=make_agent(JUDGE), workers=ThisProcess())


@pytest.mark.long
def test_a_search_judges_in_other_processes_as_it_does_here(records):
    with start_processes(2) as workers:
        assert analyse(records, agent=JUDGE, workers=workers) == analyse(records, agent=JUDGE)


def test_what_does_not_belong_together_is_refused_by_its_line(records):
    with pytest.raises(RecordError, match=r"^record 2: record, players: must be 2 as before, not 3"):
        analyse([records[0], play(3, 1, ("a", "b", "c"))])
    with pytest.raises(RecordError, match=r"^record 2: "):
        analyse([records[0], Game(seed=1).record()])
    with pytest.raises(RecordError, match=r"^record 2: record, format: must be 'zamek-record/1' as before"):
        analyse([Game(seed=1).record(), records[0]])
    changed = json.loads(json.dumps(records[0]))
    changed["turns"][3]["player"] = 1 - changed["turns"][3]["player"]
    with pytest.raises(RecordError, match=r"^record 1: "):
        analyse([changed])
