"""Regret of people in recorded games, and of agents in their place: positions, losses, the command."""

import json
from hashlib import sha256

import numpy as np
import pytest

from tests.support.cluster_tasks import Posted
from tests.support.games import finish, play_greedily
from zamek_agents.arena.intervals import student_interval
from zamek_agents.suites import making, measure
from zamek_agents.suites.measure import (
    PEOPLE,
    Decision,
    Valuing,
    choose_all,
    find_decisions,
    find_losses,
    find_positions,
    make_table,
    value,
    value_all,
)
from zamek_agents.suites.suite import PLACE, SCORE, SEND
from zamek_env import Game, RecordError
from zamek_env.castle_cards.records.shape import FORMAT as CASTLE_FORMAT
from zamek_env.ruleset import get_ruleset
from zamek_scripts.cli import run

RULESET = "zamek"
PHASES = (PLACE, SEND, SCORE)  # of decisions that are positions there


def begin(seed, actions):
    """Return a game of which so many actions were played."""
    game = Game(RULESET, seed)
    for number, _ in enumerate(play_greedily(game, seed)):
        if number == actions:
            return game
    raise AssertionError("it is over before")


@pytest.fixture(scope="module")
def records():
    """Three games, none over, of which one has just begun."""
    return [begin(1, 30).record(), begin(3, 40).record(["Ann", "Bo"]), Game(RULESET, 2).record()]


@pytest.fixture(scope="module")
def positions(records):
    return find_positions(enumerate(records))


@pytest.fixture
def games(records, tmp_path):
    """A file of the two short games."""
    path = tmp_path / "games.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records[1:]))
    return path


def list_decisions(record):
    """Return (phase, legal actions, action, position line) of each decision of a recorded game."""
    finished = Game.replay(record)
    game, found = Game(RULESET, record["seed"]), []
    for action in finished.history:
        found.append((game.phase, game.legal_actions(), action, game.format_position()))
        game.step(action)
    return found


class KnownPlayouts:
    """An action is worth its number, in each deal."""

    def play(self, game, actions, deals, seed):
        return np.repeat(np.array(actions, float), len(deals)).reshape(-1, len(deals))


@pytest.fixture
def known(monkeypatch):
    monkeypatch.setattr(making, "_find_playouts", lambda ruleset, turns: KnownPlayouts())


class Recalling:
    """Plays what was played in the positions, or, where `beside`, the legal action before it."""

    name = "recalling"

    def __init__(self, positions, beside=False):
        self.played, self.beside = {position.line: position.played for position in positions}, beside

    def act(self, game, rng):
        assert not game.history and game.start == game.format_position()  # set up there, with another deal
        legal = game.legal_actions()
        return legal[legal.index(game.parse_action(self.played[game.start])) - self.beside]


def measure_all(positions, agents, monkeypatch):
    """Return the losses of people and of these agents by {(name, kind): loss}."""
    monkeypatch.setattr(measure, "keep_agent", lambda spec, versions: agents[spec])
    monkeypatch.setattr(measure, "find_versions", lambda spec: ())
    choices = [choice for some in choose_all([*agents], positions, 0) for choice in some]
    worths = [*value_all(positions, Valuing(0, 2, 1))]
    losses = find_losses(find_decisions([*agents], positions, choices, worths))
    return {(loss.agent, loss.kind): loss for loss in losses}


# --- positions ---


def test_each_decision_with_a_choice_is_a_position_but_not_extra_turns(records, positions):
    due, left_out = [], set()
    for number, record in enumerate(records):
        for decision, (phase, legal, action, line) in enumerate(list_decisions(record)):
            if len(legal) > 1 and phase in PHASES:
                due.append((number, decision, phase, line, legal.index(action)))
            elif len(legal) > 1:
                left_out.add(phase)
    assert [position[:4] for position in positions] == [each[:4] for each in due]
    assert [choice for some in choose_all([], positions) for choice in some] == [each[4] for each in due]
    assert {position.kind for position in positions} == set(PHASES) and left_out == {"extra turn"}


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda record: {"format": CASTLE_FORMAT}, "1: record, format: must be 'zamek-record/1', a game of tiles, not"),
        (lambda record: {**record, "components": "0" * 64}, "1: record, components"),
        (lambda record: [], "1: record"),
        (lambda record: Game(RULESET, 1).record(), "there is no record of a game with a decision"),
    ],
)
def test_what_has_no_positions_of_tiles_is_refused(records, spoil, message):
    with pytest.raises(RecordError, match=f"^{message}"):
        find_positions([(1, spoil(records[1]))])


# --- what is lost ---


def test_people_lose_by_what_they_played_with_games_as_observations(records, positions, known, monkeypatch):
    losses = measure_all(positions, {}, monkeypatch)
    assert {kind for _, kind in losses} == set(PHASES)
    for (_, kind), loss in losses.items():
        by_game = []
        for record in records[:2]:
            chosen = [(legal, action) for phase, legal, action, _ in list_decisions(record) if phase == kind]
            by_game.append([legal[-1] - action for legal, action in chosen if len(legal) > 1])
        means = [np.mean(regrets) for regrets in by_game if regrets]
        assert loss.decisions == sum(map(len, by_game))
        assert loss.regret == pytest.approx(np.mean(means))
        assert loss.best == pytest.approx(np.mean([regret == 0 for regrets in by_game for regret in regrets]))
        if len(means) == 1:
            assert loss.interval is None
        else:
            low, high = student_interval(means)
            assert loss.interval == pytest.approx((max(0, low), high))


def test_no_interval_is_known_of_one_game():
    decisions = [Decision(PEOPLE, "place", regret, 0.0, game=3) for regret in (0.0, 1.0)]
    assert [(loss.regret, loss.interval) for loss in find_losses(decisions)] == [(0.5, None)]


def test_an_agent_that_plays_as_recorded_loses_what_people_lose(positions, known, monkeypatch):
    agents = {"same": Recalling(positions), "other": Recalling(positions, beside=True)}
    losses = measure_all(positions, agents, monkeypatch)
    for kind in PHASES:
        people, same, other = (losses[agent, kind] for agent in (PEOPLE, *agents))
        assert (people.as_people, same.as_people, other.as_people) == (None, 1, 0)
        assert (same.regret, same.interval, same.best) == (people.regret, people.interval, people.best)
        assert other.regret != people.regret


def test_chance_follows_from_the_seed_and_the_numbers_of_game_and_decision(positions, known, monkeypatch):
    def play(place):
        return list(choose_all(["random"], positions[place : place + 1], 5))[1:]

    alone = [choices for place in (3, 8) for choices in play(place)]
    everywhere = [choice for some in choose_all(["random"], positions[:10], 5) for choice in some][10:]
    assert alone == [[everywhere[3]], [everywhere[8]]]
    seeds = []
    monkeypatch.setattr(
        KnownPlayouts, "play", lambda self, game, actions, deals, seed: seeds.append(seed) or np.ones((len(actions), 2))
    )
    first, second, other = positions[0], positions[1], next(position for position in positions if position.game == 1)
    for seed, position in [(5, first), (6, first), (5, second), (5, other), (5, first)]:
        value(position, Valuing(seed, 2, 1))
    assert len({*seeds}) == 4 and seeds[-1] == seeds[0]


def test_workers_find_what_one_process_finds(positions, known):
    workers, some = Posted(), positions[:25]
    assert [*choose_all(["random"], some, 3, workers)] == [*choose_all(["random"], some, 3)]
    assert workers.done == 6  # tens, of people and of the agent
    far, here = ([*value_all(some, Valuing(3, 2, 1), where)] for where in (workers, None))
    assert [worth.values.tolist() for worth in far] == [worth.values.tolist() for worth in here]
    assert workers.done == 6 + 25


@pytest.mark.compiles
def test_choices_are_valued_as_in_suites(positions):
    position, valuing = positions[-1], Valuing(4, 3, 1)
    [again] = value_all([position], valuing, Posted())
    seed = int(measure._draw(4, measure.DEALING, position).integers(2**62))
    game = Game.parse_position(position.line, seed=9)
    due = making.race(making.Playouts(get_ruleset(RULESET), 1), game, 3, seed)
    for found, expected in zip((again.values, again.errors, again.deals), due, strict=True):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.compiles
@pytest.mark.parametrize(
    ("players", "rules"),
    [
        (1, {}),
        (2, {"hand": "hidden", "back_into_bag": True}),
        (3, {"draw_ahead": True}),
        (5, {"hand": "open", "small_city": True}),
    ],
)
def test_games_of_any_number_of_players_by_house_rules_are_measured(players, rules, tmp_path, capsys, monkeypatch):
    """Each decision with a choice, with what its player held; the regret of a choice is by what its player wins."""
    game = finish(Game("carcassonne-demo", 4, players=players, rules={**rules, "table": (3, 3)}), 4)
    again = Game("carcassonne-demo", 4, players=players, rules={**rules, "table": (3, 3)})
    positions = find_positions([(1, game.record())])
    due = {}
    for number, action in enumerate(game.history):
        if len(again.legal_actions()) > 1:
            held = again.position(again.current_player).hands
            due[number] = (again.phase, again.legal_actions(), held, again.format_action(action))
        again.step(action)
    assert [position.number for position in positions] == [*due]
    for position in positions:
        there = Game.parse_position(position.line, seed=3)
        held = there.position(there.current_player).hands
        assert (there.phase, there.legal_actions(), held, position.played) == due[position.number]
    assert {position.kind for position in positions} == {"place", "send", *["choose"] * ("hand" in rules)}
    worths = list(value_all(positions[-2:], Valuing(0, 2, 1)))
    assert [worth.regrets.size for worth in worths] == [len(due[position.number][1]) for position in positions[-2:]]
    monkeypatch.setattr(making, "_find_playouts", lambda ruleset, turns: KnownPlayouts())
    path, report = tmp_path / "games.jsonl", tmp_path / "report.json"
    path.write_text(json.dumps(game.record()))
    options = ["--games", str(path), "--workers", "1", "--deals", "2", "--turns", "1", "--json", str(report)]
    assert run(["regret", "random", *options]) == 0
    assert json.loads(report.read_text())["decisions"] == 2 * len(positions)
    assert ("tiles chosen" in capsys.readouterr().out) == ("hand" in rules)


# --- the command ---


def test_the_table_says_how_often_agents_chose_what_was_played():
    decisions = [
        Decision(PEOPLE, "place", 0.0, 0.5, 0),
        Decision(PEOPLE, "place", 1.0, 0.5, 1),
        Decision("a", "place", 0.0, 0.5, 0, True),
        Decision("a", "place", 0.5, 0.5, 1, False),
    ]
    table = make_table(find_losses(decisions), {"place": 0.5})
    rows = list(zip(*(column.cells for column in table.columns), strict=True))
    assert [column.header for column in table.columns][4:] == ["best choice", "as people", "of"]
    assert [(row[0], *row[4:]) for row in rows] == [
        (PEOPLE, "50%", "", "placements"),
        ("a", "50%", "50%", "placements"),
    ]
    assert "with a 95 % interval over games.\nToo high by at most about: placements 0.50;" in table.caption


@pytest.mark.parametrize("agents", [["--agents", "random", "greedy"], ["--agent", "greedy"], []])
def test_the_command_measures_people_and_agents(games, agents, known, tmp_path, capsys):
    report = tmp_path / "report.json"
    options = ["--games", str(games), "--workers", "1", "--deals", "2", "--turns", "1", "--json", str(report)]
    assert run(["regret", "random", *options, *(agents if "random" not in agents else agents[:1] + agents[2:])]) == 0
    printed, found = capsys.readouterr().out, json.loads(report.read_text())
    assert found["games"] == {
        "file": games.name, "digest": sha256(games.read_bytes()).hexdigest()[:16], "games": 2,
    }  # fmt: skip
    assert (found["deals"], found["turns"]) == (2, 1) and "suites" not in found
    who = list(dict.fromkeys(loss["agent"] for loss in found["losses"]))
    assert who == [PEOPLE, "random", *(["greedy"] if agents else [])]
    assert all(name in printed for name in who) and "as people" in printed
    count = len(find_positions(enumerate(map(json.loads, games.read_text().splitlines()))))
    assert found["decisions"] == len(who) * count
    assert found["losses"][0]["as_people"] is None and found["losses"][0]["interval"] is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["random", "--agents", "greedy", "random"], "an agent must be named once, not 2 times: random"),
        (["nobody"], "an agent must be one of"),
        (["ismcts"], "ismcts"),
        (["--suites", "x.npz"], "--make and --suites must be left out with --games"),
        (["--make", "choices", "--out", "x.npz"], "--make and --suites must be left out with --games"),
        (["--ruleset=sokol"], "--ruleset must be left out or 'zamek', that of the games, not 'sokol'"),
        (["--players", "3"], "--players and --rules must be left out with --games: the records say it"),
        (["--rules", "draw_ahead"], "--players and --rules must be left out with --games: the records say it"),
        (["--deals", "1"], "--deals must lie in 2 to 10000, not 1"),
        (["--turns", "-1"], "--turns must lie in 0 to 1000, not -1"),
        (["--placements", "5"], "--placements must come with --make choices"),
        (["--json", "GAMES", "--overwrite"], "is the file of --games; name another file"),
    ],
)
def test_the_command_refuses_what_it_cannot_follow(games, options, message, refused):
    refusal = refused(
        run, ["regret", "--games", str(games), *(str(games) if option == "GAMES" else option for option in options)]
    )
    assert message in refusal


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "there is no file"),
        ("", "games.jsonl: there is no record of a game with a decision"),
        ("{", "games.jsonl: line 1: record: is not JSON"),
        ('{"format": "zamek-castle-record/1"}', "games.jsonl: line 1: record"),
    ],
)
def test_a_file_without_games_is_refused_in_one_line(tmp_path, content, message, refused):
    path = tmp_path / "games.jsonl"
    if content is not None:
        path.write_text(content)
    assert message in refused(run, ["regret", "random", "--games", str(path)]).splitlines()[-1]
