"""Suites of positions: their files, what agents lose on them, and the command."""

import json
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from tests.support.array_files import read_arrays
from tests.support.cluster_tasks import Posted
from tests.support.games import play_randomly
from zamek_agents.arena.intervals import mean_interval
from zamek_agents.array_file import ABOUT, write_arrays
from zamek_agents.base import check_plays
from zamek_agents.pretrained import find_shipped
from zamek_agents.registry import make_agent
from zamek_agents.search.base import count_left
from zamek_agents.suites import making, measure
from zamek_agents.suites.making import BATCH, Playouts, Recipe, make_one_quickly, make_worths, race
from zamek_agents.suites.measure import Decision, Loss, decide, find_excess, find_losses, make_table
from zamek_agents.suites.suite import (
    BY_HALVES,
    CHOICES,
    ENDGAME,
    ENDGAME_OF_4,
    ENDGAMES,
    Worth,
    digest_file,
    find_suites,
    new_suite,
    read_suite,
    write_suite,
)
from zamek_agents.value.weights import load_weights, new_weights, write_file
from zamek_env import RULESETS, Game, IllegalActionError
from zamek_env.ruleset import get_ruleset
from zamek_scripts import regret
from zamek_scripts.cli import run

SMALL = {"table": [3, 3]}  # which is soon full
LINES = json.loads((Path(__file__).parents[1] / "support" / "data" / "endgames.json").read_text(encoding="ascii"))[
    "zamek"
]


def make_suite(kind=ENDGAMES):
    """Return a suite of the three positions, where the first choice is worth 0, the second 1 and so on."""
    worths = []
    for line in LINES:
        count = len(Game.parse_position(line, seed=0).legal_actions())
        points = np.arange(count, dtype=float)
        worths.append(Worth(line, np.array([points, points]), np.zeros(count), np.full(count, 200)))
    return new_suite(kind, "zamek", {"seed": 0}, worths)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "suite.npz"
    write_suite(path, make_suite())
    return path


class Choosing:
    """Plays the first or the last of the legal actions."""

    name = "choosing"

    def __init__(self, number):
        self.number = number

    def act(self, game, rng):
        return game.legal_actions()[self.number]


# --- files ---


def test_a_suite_is_read_as_it_was_written(path):
    found, made = read_suite(path), make_suite()
    assert replace(found, worths=()) == replace(made, worths=())
    for worth, due in zip(found.worths, made.worths, strict=True):
        assert worth.line == due.line
        for name in ("values", "errors", "deals"):
            np.testing.assert_array_equal(getattr(worth, name), getattr(due, name))
    assert [game.format_position() for game in found.games()] == LINES


def test_a_suite_of_the_format_before_is_read_alike(path, tmp_path):
    suite = make_suite()
    halves = [replace(worth, values=worth.values + np.array([[0.25], [0]])) for worth in suite.worths]
    write_suite(path, replace(suite, worths=tuple(halves)))
    arrays, about = read_arrays(path)
    del about["digest"]
    about["format"], arrays["values"] = BY_HALVES, np.ascontiguousarray(arrays["values"].T)
    before = tmp_path / "before.npz"
    write_arrays(before, about | {"digest": digest_file(about, arrays)}, arrays)
    for file in (path, before):
        for found, due in zip(read_suite(file).worths, halves, strict=True):
            np.testing.assert_array_equal(found.values, due.values)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_suites_for_every_ruleset_without_hands_come_with_the_package(ruleset):
    paths = find_suites(ruleset)
    suites = [read_suite(path) for path in paths]
    of_four = [(ENDGAMES, 200)] if ruleset == "carcassonne" else []
    orders = 0 if ruleset.startswith("carcassonne") else 100  # of scoring, for which Carcassonne does not ask
    has_hands = get_ruleset(ruleset).sizes.hand_size > 0
    due = [] if has_hands else [(CHOICES, 600 + orders), (ENDGAMES, 1000), *of_four]
    assert [(suite.kind, len(suite.worths)) for suite in suites] == due
    for path, suite in zip(paths, suites, strict=True):
        assert suite.ruleset == ruleset
        [*_, (kind, _)] = suite.recipe["kinds"]
        assert path.name == f"{suite.kind}{'-of-4' if kind == ENDGAME_OF_4 else ''}-{ruleset}.npz"
        assert path.stat().st_size < 500_000
        lines = Counter(worth.line for worth in suite.worths)
        repeated = [Game.parse_position(line, seed=0) for line, count in lines.items() if count > 1]
        assert all(game.state["drawn"] == 1 for game in repeated)  # two games may begin with the same tile


def test_a_suite_that_has_changed_is_read_again(path):
    assert read_suite(path).kind == ENDGAMES and read_suite(path) is read_suite(path)
    write_suite(path, make_suite(CHOICES))
    assert read_suite(path).kind == CHOICES
    path.write_bytes(b"no suite")
    with pytest.raises(ValueError):
        read_suite(path)


def spoil(path, **changes):
    """Write a copy of the suite in which fields of `about`, or arrays, are others; None: they are missing."""
    arrays, about = read_arrays(path)
    for name, value in changes.items():
        target = arrays if name in arrays or isinstance(value, np.ndarray) else about
        target[name] = value
        if value is None:
            del target[name]
    spoilt = path.with_name("spoilt.npz")
    np.savez_compressed(spoilt, **{ABOUT: np.array(json.dumps(about))}, **arrays)
    return spoilt


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("format", "zamek-suite/1"),
        ("format", "zamek-suite/3"),
        ("kind", "openings"),
        ("kind", CHOICES),
        ("ruleset", "sokol"),
        ("ruleset", 3),
        ("components", "0" * 64),
        ("components", "zamek"),
        ("recipe", {"seed": 1}),
        ("choices", "0" * 64),
        ("positions", LINES[:2]),
        ("positions", [*LINES[:2], LINES[0]]),
        ("positions", [1, 2, 3]),
        ("positions", []),
        ("positions", "Zamek"),
        ("recipe", None),
        ("recipe", []),
        ("digest", "0" * 64),
        ("digest", None),
        ("more", 1),
        ("counts", np.array([11, 7, 5], np.int32)),
        ("counts", np.array([11, 7, 2**31 - 1], np.int32)),
        ("values", None),
        ("values", np.zeros((22, 2), np.int16)),
        ("values", np.full((22, 2), 32_767, np.int16)),
        ("values", np.zeros((22, 2), np.float32)),
        ("errors", np.ones(22, np.int16)),
        ("errors", np.full(22, -1, np.int16)),
        ("deals", np.zeros(22, np.int16)),
        ("another", np.zeros(22, np.int16)),
    ],
)
def test_a_suite_that_is_spoilt_in_any_field_is_refused(path, name, value):
    with pytest.raises(ValueError, match="holds no suite"):
        read_suite(spoil(path, **{name: value}))


def test_a_suite_with_choices_that_the_engine_does_not_know_is_refused():
    suite = make_suite()
    with pytest.raises(ValueError, match="called, or ordered, otherwise"):
        replace(suite, choices="0" * 64).games()
    shorter = replace(suite.worths[0], errors=np.zeros(3))
    with pytest.raises(ValueError, match="there are 3 choices, not 11"):
        replace(suite, worths=(shorter, *suite.worths[1:])).games()


def test_a_suite_with_positions_of_another_ruleset_or_kind_is_refused():
    suite, rng = make_suite(), np.random.default_rng(7)
    early, late, other = Game("zamek", seed=0), Game("zamek", seed=7), Game("carcassonne-demo", seed=0)
    with pytest.raises(ValueError, match="a position is not one of 'zamek' with its components: carcassonne-demo; "):
        put(suite, other).games()
    with pytest.raises(ValueError, match="a position is of no kind that suites of endgames have: zamek; "):
        put(suite, early).games()
    while late.phase != "extra turn":
        late.step(int(rng.choice(late.legal_actions())))
    with pytest.raises(ValueError, match="a position is of no kind that suites of choices have: zamek; "):
        put(replace(suite, kind=CHOICES), late).games()


def put(suite, game):
    """Return the suite with the position of `game` in place of its first."""
    count = len(game.legal_actions())
    worth = Worth(game.format_position(), np.zeros((2, count)), np.zeros(count), np.zeros(count, np.int64))
    return replace(suite, worths=(worth, *suite.worths[1:]))


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.long
def test_the_engine_sees_the_choices_of_the_suites_in_the_package(ruleset):
    for path in find_suites(ruleset):
        read_suite(path).games()


# --- what is lost ---


def lose(path, number, monkeypatch):
    monkeypatch.setattr(measure, "keep_agent", lambda spec, versions: Choosing(number))
    return decide("choosing", (), str(path), 0, 0)


def test_the_best_choices_lose_nothing_and_the_worst_most(path, monkeypatch):
    (best,), (worst,) = (find_losses(lose(path, number, monkeypatch)) for number in (-1, 0))
    counts = [len(game.legal_actions()) for game in read_suite(path).games()]
    assert (best.regret, best.best, best.decisions) == (0, 1, 3)
    assert (worst.regret, worst.best) == (np.mean(counts) - 1, 0)
    assert worst.interval[0] < worst.regret < worst.interval[1]


def test_no_interval_of_regrets_begins_below_0():
    regrets = [0.0] * 9 + [1.0]
    [loss] = find_losses(Decision("agent", "place", regret, 0.0) for regret in regrets)
    low, high = mean_interval(regrets)
    assert low < 0 and loss.interval == (0, high)


def test_files_of_suites_and_agents_that_have_changed_are_read_again(path, tmp_path, monkeypatch):
    weights, zamek = tmp_path / "weights.npz", get_ruleset("zamek")
    shipped, found = load_weights(find_shipped("value", zamek), zamek), []
    few = new_suite(CHOICES, "zamek", {}, read_suite(find_suites("zamek")[0]).worths[:3])
    write_suite(tmp_path / "few.npz", few)
    for learned in (new_weights(zamek), shipped):
        write_file(weights, learned, zamek, {})
        [decisions] = measure.measure([f"value:{weights}"], [str(tmp_path / "few.npz")], zamek)
        found.append([one.regret for one in decisions])
    assert found[0] != found[1]
    write_suite(path, new_suite(ENDGAMES, "zamek", {}, make_suite().worths[::-1]))
    assert [one.regret for one in lose(path, -1, monkeypatch)] == [0, 0, 0]


def test_kinds_of_decisions_are_counted_each_by_itself(tmp_path, monkeypatch):
    path = tmp_path / "choices.npz"
    write_suite(path, make_suite(CHOICES))
    losses = find_losses(lose(path, 0, monkeypatch))
    assert [loss.kind for loss in losses] == ["place", "send", "score"]
    assert [loss.decisions for loss in losses] == [1, 1, 1]


def test_endgames_of_four_tiles_are_made_and_counted_by_themselves(tmp_path, monkeypatch):
    monkeypatch.setattr(making, "_find_solver", lambda ruleset: Even())
    [of_three, of_four] = make_worths(Recipe("zamek", ((ENDGAME, 1), (ENDGAME_OF_4, 1)), seed=3))
    left = [count_left(Game.parse_position(worth.line)) for worth in (of_three, of_four)]
    assert left == [2, 3]  # beside the tile to be placed
    path = tmp_path / "endgames.npz"
    write_suite(path, new_suite(ENDGAMES, "zamek", {}, [of_three, of_four]))
    assert [one.kind for one in lose(path, 0, monkeypatch)] == [ENDGAME, ENDGAME_OF_4]


class Even:
    """A solver to which all choices are worth the same."""

    def solve(self, game):
        return np.zeros(len(game.legal_actions()))


def test_chance_of_an_agent_follows_from_seed_suite_and_position(path, tmp_path):
    choices = tmp_path / "choices.npz"
    write_suite(choices, make_suite(CHOICES))

    def draw(suite, *given):
        drawn, agent = [], Choosing(0)
        agent.act = lambda game, rng: drawn.append(rng.random()) or game.legal_actions()[0]
        measure.decide_all(agent, "drawing", str(suite), *given)
        return drawn

    first = draw(path)
    assert len({*first, *draw(choices), *draw(path, 1)}) == 9
    assert draw(path, 0, slice(1, 2)) == first[1:2]  # the same without the others


def test_an_illegal_choice_is_refused(path, monkeypatch):
    monkeypatch.setattr(Choosing, "act", lambda self, game, rng: -1)
    with pytest.raises(IllegalActionError, match=r"^the answer of choosing: action must lie in .*, not -1"):
        lose(path, 0, monkeypatch)


@pytest.mark.parametrize("answer", [0.5, "1", True, None])
def test_a_choice_that_is_no_whole_number_is_refused_as_in_games(answer, path, monkeypatch):
    monkeypatch.setattr(Choosing, "act", lambda self, game, rng: answer)
    with pytest.raises(TypeError, match=f"^the answer of choosing: action must be a whole number, not {answer!r}"):
        measure.decide_all(Choosing(0), "choosing", str(path))


def test_what_the_luckiest_choice_owes_to_luck_is_told():
    values = np.array([[3.0, 0.0, 1.0], [0.0, 2.0, 1.0]])  # the first is best by the even deals, the second by the odd
    worth = Worth("", values, np.zeros(3), np.full(3, 2))
    assert worth.regrets.tolist() == [0, 0.5, 0.5]
    assert worth.excess == 1.5 - 0
    decisions = [measure.Decision("a", "place", 0.5, worth.excess), measure.Decision("b", "place", 0, worth.excess)]
    assert find_excess(decisions, "place") == 1.5
    others = [Decision("b", "place", 0.5, 9.0), Decision("a", "send", 0.5, 9.0), Decision("a", "score", 0.5, -1.0)]
    assert [find_excess(decisions + others, kind) for kind in ("place", "send", "score")] == [1.5, 9.0, 0.0]


def test_the_table_has_a_line_for_each_agent_and_kind_of_decision():
    losses = [
        Loss("a", ENDGAME, 10, 0.25, (0.0, 0.5), 0.9),
        Loss("a", "place", 20, 1.5, (1.0, 2.0), 0.25),
        Loss("b", "place", 1, 3.0, None, 0.0),
    ]
    table = make_table(losses, {"place": 0.75, ENDGAME: 0.5})
    assert [column.header for column in table.columns] == [
        *("agent", "decisions", "regret", "95 % interval", "best choice", "of")
    ]
    assert list(zip(*(column.cells for column in table.columns), strict=True)) == [
        ("a", "20", "1.50", "1.00 … 2.00", "25%", "placements"),
        ("", "10", "0.25", "0.00 … 0.50", "90%", "last three tiles"),
        ("b", "1", "3.00", "unknown", "0%", "placements"),
    ]
    assert "Too high by at most about: placements 0.75;" in table.caption  # endgames are exact


# --- positions ---


class Counted:
    """A game of six decisions, of which every second one is forced; its position line is the number of the decision."""

    phase, current_player = "place", 0

    def __init__(self, number=0):
        self.number = number

    @property
    def is_terminal(self):
        return self.number == 6

    def legal_actions(self):
        return [0, 1][: 1 + self.number % 2]

    def step(self, action):
        self.number += 1

    def copy(self):
        return Counted(self.number)

    def format_position(self, viewer):
        return self.number


def test_every_decision_with_a_choice_is_sampled_as_often():
    rng = np.random.default_rng(1)
    sampled = Counter(making._sample(Counted(), "place", [Choosing(0)] * 2, rng) for _ in range(600))
    assert sorted(sampled) == [1, 3, 5] and all(160 < count < 240 for count in sampled.values())
    assert making._sample(Counted(), "send", [Choosing(0)] * 2, rng) is None


# --- playing on ---


class KnownPlayouts:
    """Margins of known means; the luck of a deal is the same for all choices."""

    def __init__(self, means):
        self.means, self.played = means, np.zeros(len(means), int)

    def play(self, game, actions, deals, seed):
        numbers = [game.legal_actions().index(action) for action in actions]
        self.played[numbers] += len(deals)
        luck = np.array([np.random.default_rng((seed, deal)).normal(0, 30) for deal in deals])
        own = np.array([[np.random.default_rng((1, n, deal)).normal(0, 1) for deal in deals] for n in numbers])
        return np.array(self.means)[numbers][:, None] + luck + own


def test_choices_that_are_surely_behind_are_dropped_and_keep_their_distance():
    game = Game.parse_position(LINES[2], seed=0)
    playouts = KnownPlayouts([3.5, 5.0, 4.99, -20.0])  # the first is behind by seven standard errors
    values, errors, deals = race(playouts, game, 5 * BATCH, seed=0)
    assert deals.tolist() == playouts.played.tolist() == [BATCH, 5 * BATCH, 5 * BATCH, BATCH]
    behind = values.mean(0).max() - values.mean(0)
    np.testing.assert_allclose(behind, [1.5, 0, 0, 25], atol=0.6)
    assert errors[behind.argmin()] == 0
    every = KnownPlayouts(playouts.means).play(game, game.legal_actions()[:2], range(5 * BATCH), 0)
    due = [[margins[half::2].mean() for margins in every] for half in range(2)]  # by even and odd deals
    np.testing.assert_allclose(values[:, 1], np.array(due)[:, 1])
    np.testing.assert_allclose(errors[[0, 3]], np.sqrt(2 / BATCH), rtol=0.35)  # of the deals that both met
    assert (errors[1:3] < np.sqrt(2 / (4 * BATCH))).all()


@pytest.mark.parametrize(("turns", "due"), [(8, 8), (0, 60)])
def test_games_are_played_on_for_so_many_turns_or_to_the_end(turns, due, monkeypatch):
    asked = []
    monkeypatch.setattr(making, "sample_position", lambda *_: LINES[2])
    monkeypatch.setattr(making, "_find_playouts", lambda *given: asked.append(given) or KnownPlayouts(range(1000)))
    [worth] = make_worths(Recipe("zamek", (("place", 1),), deals=2, turns=turns))
    assert asked == [(get_ruleset("zamek"), due)] and worth.line == LINES[2]


@pytest.mark.compiles
@pytest.mark.parametrize(
    ("ruleset", "seed", "players", "rules"),
    [("sokol", 1, 2, {}), ("carcassonne", 2, 1, SMALL), ("carcassonne", 6, 4, {**SMALL, "draw_ahead": True})],
)
def test_a_choice_that_ends_the_game_is_worth_what_its_player_wins_by(ruleset, seed, players, rules):
    """Over the best other; alone all there is."""
    for position in play_randomly(Game(ruleset, seed, players=players, rules=rules or None), seed):
        if not position.is_terminal and len(position.legal_actions()) > 1:
            game = position.copy()
    player, margins = game.current_player, {}
    for action in game.legal_actions():
        twin = game.copy()
        twin.step(action)
        if twin.is_terminal:
            others = [points for each, points in enumerate(twin.scores) if each != player]
            margins[action] = twin.scores[player] - max(others, default=0)
    assert margins and 0 not in margins.values()
    found = Playouts(game.ruleset, 99).play(game, [*margins], range(2), seed=5)
    assert found.tolist() == [[margin] * 2 for margin in margins.values()]


TABLES = [
    (1, "table=3x3", ("place", "send")),
    (3, "draw_ahead,table=3x3", ("place", "send")),
    (3, "hand=hidden,table=3x3", ("choose", "place", "send")),
    (2, "hand=open,back_into_bag,table=3x3", ("choose", "place", "send")),
]


@pytest.mark.compiles
@pytest.mark.parametrize(("players", "rules", "kinds"), TABLES)
def test_suites_are_made_of_any_number_of_players_and_house_rules(players, rules, kinds, path, monkeypatch):
    """With the hand of who is to decide, where it is hidden; others are told that they are of another table."""
    monkeypatch.setattr(making, "_find_playouts", lambda ruleset, turns: KnownPlayouts(range(1000)))
    recipe = Recipe("carcassonne-demo", tuple((kind, 1) for kind in kinds), 2, 2, 1, players, rules)
    worths = list(make_worths(recipe))
    write_suite(path, new_suite(CHOICES, "carcassonne-demo", {}, worths))
    games = read_suite(path).games()
    assert [game.phase for game in games] == [*kinds] and {game.ruleset for game in games} == {recipe.find_ruleset()}
    for game in games:
        assert game.format_position(game.current_player) == game.start
    [decisions] = measure.measure(["random"], [str(path)], recipe.find_ruleset())
    assert [decision.kind for decision in decisions] == [*kinds]
    said = "was made with other components, players or house rules than 'carcassonne-demo'"
    with pytest.raises(ValueError, match=said):
        measure.check_suites([str(path)], get_ruleset("carcassonne-demo"))


@pytest.mark.compiles
@pytest.mark.parametrize("table", [{"players": 3}, {"rules": {"back_into_bag": True}}])
def test_star25_names_who_plays_the_games_that_it_does_not_play(table):
    known = "plays for two, without hands and with no tiles back in the bag; value, expectimax and mcts play all others"
    with pytest.raises(ValueError, match=f"^the agent 'star25' {known} too$"):
        check_plays(make_agent("star25"), Game("carcassonne-demo", 1, **table))


# --- workers ---


def test_workers_lose_what_one_process_loses(path, monkeypatch):
    monkeypatch.setattr(measure, "PORTION", 1)
    workers = Posted()
    found = [*measure.measure(("random", "greedy"), [str(path)], get_ruleset("zamek"), 3, workers)]
    assert found == [*measure.measure(("random", "greedy"), [str(path)], get_ruleset("zamek"), 3)]
    assert workers.done == len(found) == 6 and [len(some) for some in found] == [1] * 6


def test_workers_make_what_one_process_makes(monkeypatch):
    monkeypatch.setattr(making, "_find_playouts", lambda ruleset, turns: KnownPlayouts(range(1000)))
    recipe = Recipe("zamek", (("place", 2), ("send", 0), ("score", 1)), seed=2, deals=2, turns=1)
    make_one_quickly(recipe)
    assert list_worths(make_worths(recipe, Posted())) == list_worths(make_worths(recipe))


def list_worths(worths):
    """Return worths as what can be compared."""
    return [
        (worth.line, worth.values.tobytes(), worth.errors.tobytes(), worth.deals.tobytes(), worth.deals.size)
        for worth in worths
    ]


# --- the command ---


def test_the_command_prints_a_table_and_writes_json(path, tmp_path, capsys):
    report = tmp_path / "report.json"
    assert run(["regret", "random", "--suites", str(path), "--workers", "1", "--json", str(report)]) == 0
    assert "last three tiles" in capsys.readouterr().out
    found = json.loads(report.read_text())
    assert found["suites"] == [{"file": path.name, "digest": sha256(path.read_bytes()).hexdigest()[:16]}]
    assert found["decisions"] == 3
    assert found["losses"][0]["agent"] == "random"
    assert found["losses"][0]["regret"] >= 0


def test_results_are_printed_where_they_cannot_be_written(path, tmp_path, capsys, monkeypatch):
    report = tmp_path / "results.json"

    def decide(*arguments):
        found = decide_before(*arguments)
        report.write_text("theirs")
        return found

    decide_before = regret.decide
    monkeypatch.setattr(regret, "decide", decide)
    with pytest.raises(SystemExit, match="1"):
        run(["regret", "random", "--suites", str(path), "--workers", "1", "--json", str(report)])
    printed = capsys.readouterr()
    assert "last three tiles" in printed.out and "has come to exist meanwhile" in printed.err


def test_results_are_written_though_the_reader_of_the_output_is_gone(path, tmp_path, monkeypatch):
    def lose_reader():
        raise BrokenPipeError

    monkeypatch.setattr(regret, "make_console", lose_reader)
    report = tmp_path / "report.json"
    with pytest.raises(BrokenPipeError):
        run(["regret", "random", "--suites", str(path), "--workers", "1", "--json", str(report)])
    assert json.loads(report.read_text())["decisions"] == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "name one agent or more"),
        (["random", "--suites", "gone.npz"], "there is no suite 'gone.npz'"),
        (["nobody"], "an agent must be one of"),
        (["random", "random"], "an agent must be named once, not 2 times: random"),
        (["random", "--suites", "SUITE", "SUITE"], "--suites must be named once, not 2 times: "),
        (["random", "--seed", "-1"], "--seed must be 0 or more, not -1"),
        (["random", "--workers", "0"], "--workers must be 1 or more, not 0"),
        (["random", "--workers", "1", "--ray"], "--workers must be left out with --ray"),
        (["random", "--ruleset", "sokol", "--suites", "SUITE"], "is a suite of the ruleset 'zamek', not of 'sokol'"),
        (["random", "--out", "new.json"], "--out must come with --make, whose suite it is; results are"),
        (["random", "--placements", "5"], "--placements must come with --make choices, whose suite it is about"),
        (["random", "--tiles", "4"], "--tiles must come with --make endgames, whose suite it is about"),
        (["--make", "endgames", "--out", "new.npz", "--deals", "50"], "--deals must come with --make choices"),
        (["--make", "choices", "--out", "new.npz", "--endgames", "5"], "--endgames must come with --make endgames"),
        (["--make", "choices", "--out", "new.npz", "--json", "new.json"], "--json and --suites must be left out with"),
        (["random", "--json", "."], "--json: . is a folder; name a file"),
        (["random", "--suites", "SUITE", "--json", "SUITE", "--overwrite"], "is a suite; name another file"),
        (["--make", "choices", "--out", ".."], "--out: .. is a folder; name a file"),
        (["ismcts", "--suites", "SUITE"], "ismcts"),
        (["random", "--json", "SUITE"], "exists; name another file, or say --overwrite"),
        (["--make", "choices"], "needs --out"),
        (["random", "--players", "3"], "--players must be 2 in the ruleset zamek, not 3"),
        (["random", "--rules", "draw"], "--rules must name some of draw_ahead"),
        (
            ["random", "--ruleset=carcassonne", "--players=3", "--rules=draw_ahead"],
            "no suites of 'carcassonne for 3 by draw_ahead' come with the package: --make some",
        ),
        (
            ["--make=endgames", "--out=x.npz", "--ruleset=carcassonne", "--players=3"],
            "--make endgames solves games of two",
        ),
        (["random", "--hands", "5"], "--hands must come with --make choices, whose suite it is about"),
        (["--make", "choices", "--out", "new.npz", "--deals", "1"], "--deals must lie in 2 to 10000, not 1"),
        (
            ["--make", "choices", "--out", "new.npz", "--ruleset", "carcassonne", "--placements", "0", "--sends", "0"],
            "--placements and --sends must not all be 0 in 'carcassonne'",
        ),
    ],
)
def test_the_command_refuses_what_it_cannot_follow(path, options, message, refused):
    assert message in refused(run, ["regret", *(str(path) if option == "SUITE" else option for option in options)])


@pytest.mark.parametrize(
    ("fault", "error", "message"),
    [
        ("raise TypeError('a bug')", TypeError, "a bug"),
        ("raise ValueError('a bug')", ValueError, "a bug"),
        ("raise SystemExit(0)", RuntimeError, r"an agent must decide, not end the program by SystemExit\(0\)"),
    ],
)
def test_what_an_agent_of_ones_own_raises_keeps_its_traceback(fault, error, message, path, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(f"class Mine:\n    name = 'mine'\n    def act(self, game, rng):\n        {fault}\n")
    with pytest.raises(error, match=f"^{message}(\n|$)"):
        run(["regret", f"{file}:Mine", "--suites", str(path), "--workers", "1"])
