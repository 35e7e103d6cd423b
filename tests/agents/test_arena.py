"""The arena is fair and repeatable: paired deals, any number of processes, runs that were cut short."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from tests.support.box import FILES, RULES, write_box
from zamek_agents import RandomAgent, make_agent
from zamek_agents.arena.comparison import Sprt, compare
from zamek_agents.arena.round_robin import RoundRobin, play
from zamek_agents.arena.sets import GameResult, SetResult, Side, line_up, number_duplicates, rank_sources, tally
from zamek_agents.arena.store import KeptResults
from zamek_agents.pretrained import find_shipped
from zamek_agents.value.weights import load_weights, new_weights, write_file
from zamek_agents.workers import start_processes
from zamek_env import IllegalActionError
from zamek_env.components.box_folder import RULESETS
from zamek_env.ruleset import get_ruleset


class LastAgent:
    """Plays the legal action with the highest number."""

    name = "last"

    def act(self, game, rng):
        return game.legal_actions()[-1]


def timeless(result):
    """Return a result without the only thing in it that no run repeats."""
    games = (replace(game, sides=tuple(replace(side, seconds=0.0) for side in game.sides)) for game in result.games)
    return replace(result, games=tuple(games))


def two_randoms(**options):
    (pairing,) = line_up([make_agent("random"), make_agent("random")], **options)
    return pairing


# --- pairs ---


def test_every_deal_is_played_from_both_seats():
    results = list(two_randoms(seed=5, with_records=True).play(3))
    assert [result.number for result in results] == [0, 1, 2]
    assert len({result.deal for result in results}) == 3
    for result in results:
        assert [game.record["players"] for game in result.games] == [
            ["random #1", "random #2"],
            ["random #2", "random #1"],
        ]
        first, second = (game.record for game in result.games)
        assert first["seed"] == second["seed"] == result.deal
        assert first["tokens"] == second["tokens"]
        assert first["turns"][0]["tile"] == second["turns"][0]["tile"]
        assert [side.points for side in result.games[0].sides] == first["scores"]
        assert [side.points for side in result.games[1].sides] == second["scores"][::-1]


def test_weights_that_have_changed_are_read_again(tmp_path):
    path, zamek = tmp_path / "weights.npz", get_ruleset("zamek")
    played = []
    for weights in (new_weights(zamek), load_weights(find_shipped("value", zamek), zamek), new_weights(zamek)):
        write_file(path, weights, zamek, {})
        [result] = play(RoundRobin((f"value:{path}", "greedy")), 1)
        played.append([side.points for game in result.games for side in game.sides])
    assert played[0] == played[2] != played[1]


def test_the_games_of_a_seed_are_those_that_were_published():
    """Where this fails, results of one seed, such as those of the benchmark, cannot be compared with later ones."""
    (pairing,) = line_up([make_agent("random"), make_agent("greedy-v1")], 20_000)
    assert [(one.deal, [[side.points for side in game.sides] for game in one.games]) for one in pairing.play(2)] == [
        (8332482396483149378, [[25, 102], [10, 135]]),
        (6547904635329372676, [[8, 141], [6, 138]]),
    ]


def test_seats_do_not_matter_to_an_agent_without_chance_that_plays_itself():
    (pairing,) = line_up([LastAgent(), LastAgent()])
    for result in pairing.play(4):
        assert result.wins == 1.0
        first, second = timeless(result).games
        assert first.sides == second.sides[::-1]


def test_a_pair_depends_on_seed_pairing_and_number_alone():
    pairing = two_randoms(seed=6)
    results = [timeless(result) for result in pairing.play(2)]
    assert timeless(pairing.play_set(1)) == results[1]
    assert timeless(replace(pairing, seed=7).play_set(1)) != results[1]
    other = replace(pairing, names=("random #1", "random #3")).play_set(1)
    assert other.deal == results[1].deal
    assert timeless(other).games != results[1].games


def test_who_else_takes_part_changes_nothing():
    alone, among = RoundRobin(("greedy", "random")), RoundRobin(("last", "greedy", "random"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "zamek_agents.arena.round_robin.make_agent", lambda s: LastAgent() if s == "last" else make_agent(s)
        )
        patch.setattr("zamek_agents.arena.round_robin.find_versions", lambda *specs: ())
        results = [timeless(result) for result in play(among, 2)]
    assert [timeless(result) for result in play(alone, 2)] == results[-2:]


def test_each_pairing_plays_as_many_sets_as_it_is_to():
    among = RoundRobin(("random", "greedy", "random"))
    together, apart = list(play(among, 2)), list(play(among, [2, 0, 1]))
    pairs = [(*result.agents, result.number) for result in apart]
    assert pairs == [
        ("random #1", "greedy", 0), ("random #1", "greedy", 1), ("greedy", "random #2", 0)
    ]  # fmt: skip
    assert [timeless(result) for result in apart] == [timeless(together[number]) for number in (0, 1, 4)]


def test_every_two_agents_are_paired():
    pairings = line_up([LastAgent(), make_agent("random"), LastAgent()])
    assert [pairing.names for pairing in pairings] == [
        ("last #1", "random"),
        ("last #1", "last #2"),
        ("random", "last #2"),
    ]
    assert number_duplicates(["a", "b", "a"]) == ["a #1", "b", "a #2"]
    assert number_duplicates(["a", "a #1", "a"]) == ["a #2", "a #1", "a #3"]


def test_decisions_and_their_time_are_those_of_the_agent_in_either_seat(monkeypatch):
    class Slow(LastAgent):
        name, asked = "slow", 0

        def act(self, game, rng):
            self.asked += 1
            return super().act(game, rng)

    agent = Slow()
    monkeypatch.setattr("zamek_agents.arena.sets.time", SimpleNamespace(perf_counter=lambda: 0.5 * agent.asked))
    (pairing,) = line_up([LastAgent(), agent])
    asked = [0]
    for seat in range(2):
        game = pairing._play_game(0, 7, seat)
        asked.append(agent.asked)
        assert game.sides[1].decisions == asked[-1] - asked[-2] > 0 and game.sides[0].decisions > 0
        assert [side.seconds for side in game.sides] == [0, 0.5 * game.sides[1].decisions]


def test_each_agent_has_chance_of_its_own_in_every_game():
    drawn = []

    class Drawing(LastAgent):
        def act(self, game, rng):
            drawn.append(rng.random())
            return super().act(game, rng)

    (pairing,) = line_up([Drawing(), Drawing()])
    assert len(list(pairing.play(2))) == 2
    assert len(set(drawn)) == len(drawn) > 200


# --- what a record says ---


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("name", ["random", "greedy"])
def test_points_by_source_add_up_to_the_score(ruleset, name):
    (pairing,) = line_up([make_agent(name), make_agent("random")], seed=8, ruleset=ruleset, with_records=True)
    for result in pairing.play(4):
        for game in result.games:
            assert all(sum(side.sources.values()) == side.points for side in game.sides)


def test_a_record_is_tallied():
    def area(player, feature, score, took=None):
        return {"player": player, "feature": feature, "points": 9, "score": score, "took": took}

    turns = [
        {"player": 0, "discarded": [], "scored": [area(0, "road", 3), area(0, "road", 7, took=4)]},
        {"player": 1, "discarded": ["Z01", "Z02"], "scored": [area(1, "house", 5), area(0, "house", 8, took=9)]},
        {"player": 1, "discarded": ["Z03"], "scored": []},
    ]
    end = [{"player": 0, "reason": "moat", "points": 9}, {"player": 0, "reason": "road", "points": 1}]
    first, second = tally({"turns": turns, "end": end, "scores": [18, 5]})
    assert first == ({"house": 1, "moat": 9, "road": 8}, 2, 0)  # a token is its owner's, whose turn it may be
    assert second == ({"house": 5}, 0, 3)


def test_sources_stand_in_the_order_of_what_they_brought():
    assert rank_sources([{"road": 1, "house": 5}, {"wall": 4, "road": 3}]) == ("house", "road", "wall")


def test_points_that_a_record_tells_no_source_of_are_told_apart():
    turns = [{"player": 0, "scored": [{"player": 0, "feature": "road", "score": 3, "took": None}]}]
    assert [each.sources for each in tally({"turns": turns, "scores": [8, 0]})] == [{"other": 5, "road": 3}, {}]


# --- a round robin ---


def test_agents_may_be_a_list():
    assert RoundRobin(["random", "greedy"]) == RoundRobin(("random", "greedy"))
    assert len(list(play(RoundRobin(["random", "random"]), 1))) == 1


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: RoundRobin("random"), TypeError, "specs must be a row of texts that name agents, .*, not 'random'"),
        (lambda: RoundRobin([make_agent("random")]), TypeError, "specs must be a row of texts"),
        (lambda: RoundRobin(3), TypeError, "specs must be a row of texts .*, not 3"),
        (lambda: RoundRobin(("random",) * 2, seed=-1), ValueError, "seed must be at least 0, not -1"),
        (lambda: RoundRobin(("random",) * 2, seed=None), TypeError, "seed must be a whole number, not None"),
        (lambda: [*play(RoundRobin(("random",) * 2), -1)], ValueError, "sets must be 0 or more, .*, not -1"),
        (lambda: [*play(RoundRobin(("random",) * 2), [1, 2])], ValueError, "one for each of 1 lineups, not .1, 2."),
        (lambda: [*play(RoundRobin(("random",) * 2), 1.5)], TypeError, "sets must be a whole number, not 1.5"),
        (lambda: make_agent("mcts").__class__(200), TypeError, "options must be text such as 'simulations=200', not 2"),
    ],
)
def test_what_cannot_be_played_is_refused_by_its_name(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_the_number_of_processes_does_not_change_where_a_test_stops():
    round_robin, sprt = RoundRobin(("greedy", "random", "random")), Sprt(0.5, 0.7)
    alone, together = ([timeless(r) for r in play(round_robin, 20, workers, sprt=sprt)] for workers in (1, 2))
    assert alone == together
    by_pairing = [
        [result for result in alone if result.agents == names] for names in (alone[0].agents, alone[-1].agents)
    ]
    settled = by_pairing[0]
    assert len(settled) < 20
    assert compare(settled, sprt).sprt.accepted == 1
    assert compare(settled[:-1], sprt).sprt.accepted is None


@pytest.mark.long
def test_an_agent_that_fails_fails_where_it_can_be_found(monkeypatch):
    def fail(*_):
        raise ZeroDivisionError

    round_robin = RoundRobin(("random", "greedy"), seed=3)
    results = play(round_robin, 2)
    next(results)
    monkeypatch.setattr("zamek_agents.heuristic.GreedyAgent.act", fail)
    with pytest.raises(ZeroDivisionError) as failed:
        next(results)
    assert failed.value.__notes__ == ["in pair 1 of random and greedy, seed 3"]


@pytest.mark.parametrize(("answer", "error"), [(-1, IllegalActionError), (0.0, TypeError)])
def test_whose_answer_is_refused_is_told(answer, error, monkeypatch):
    monkeypatch.setattr(LastAgent, "act", lambda self, game, rng: answer)
    (pairing,) = line_up([make_agent("random"), LastAgent()])
    with pytest.raises(error, match=f"^the answer of last: action must .*, not {answer}"):
        pairing.play_set(0)


@pytest.mark.parametrize("decisions", [0, 4])
def test_an_agent_that_ends_the_program_fails_as_any_other(decisions, monkeypatch):
    """Whether it does so as it is tried out, or in the middle of a game."""
    left = [None] * decisions

    def act(self, game, rng):
        if not left:
            raise SystemExit(0)
        left.pop()
        return game.legal_actions()[-1]

    monkeypatch.setattr("zamek_env.fair_play._PROVEN", set())  # as an agent of somebody else
    monkeypatch.setattr("zamek_agents.heuristic.GreedyAgent.act", act)
    with pytest.raises(RuntimeError, match=r"^an agent must decide, not end the program by SystemExit\(0\)"):
        list(play(RoundRobin(("random", "greedy")), 1))


def test_kept_results_are_not_played_again():
    round_robin = RoundRobin(("random", "random"))
    first = SetResult(("random #1", "random #2"), 1, 5, (GameResult((side(1), side(2)), None),) * 2)
    results = list(play(round_robin, 3, kept={(first.agents, 1): first}))
    assert results[1] is first
    assert [result.number for result in results] == [0, 1, 2]


def test_kept_results_count_in_a_test_that_stops():
    round_robin, sprt = RoundRobin(("greedy", "random")), Sprt(0.5, 0.7)
    results = list(play(round_robin, 20, sprt=sprt))
    assert 4 < len(results) < 20
    kept = {(result.agents, result.number): result for result in results[:4]}
    assert [result.number for result in play(round_robin, 20, kept=kept, sprt=sprt)] == [*range(len(results))]


def side(points):
    return Side(points, {"road": points}, 0, 0, 30, 0.1)


# --- kept results ---


def keep_all(path, round_robin, pairs):
    """Play on from what the file at `path` holds, and return its lines without times."""
    with KeptResults(path, round_robin) as kept:
        for result in play(round_robin, pairs, kept=kept.results):
            kept.add(timeless(result))
    return path.read_bytes()


@pytest.mark.parametrize("with_records", [False, True])
def test_a_run_cut_anywhere_goes_on_to_the_same_results(tmp_path, with_records):
    round_robin = RoundRobin(("random", "random"), with_records=with_records)
    whole = keep_all(tmp_path / "whole.jsonl", round_robin, 3)
    ends = [number + 1 for number, byte in enumerate(whole) if byte == ord("\n")]
    path = tmp_path / "cut.jsonl"
    for cut in (0, 1, ends[0] - 1, ends[0], ends[0] + 1, ends[1] + 50, ends[2] - 1, ends[2], len(whole)):
        path.write_bytes(whole[:cut])
        assert keep_all(path, round_robin, 3) == whole


@pytest.mark.parametrize("spec", ["ppo:{}", "mcts:turns=3,weights={}", "expectimax:weights={},width=3"])
def test_results_of_a_model_are_refused_once_the_model_is_another(tmp_path, spec):
    model, path = tmp_path / "trained", tmp_path / "pairs.jsonl"
    round_robin = RoundRobin(("random", spec.format(model)))
    model.write_bytes(b"trained")
    KeptResults(path, round_robin).close()
    KeptResults(path, round_robin).close()
    model.write_bytes(b"trained further")
    with pytest.raises(ValueError, match="its agents: "):
        KeptResults(path, round_robin)


@pytest.mark.compiles
def test_results_are_refused_once_the_components_are_others(tmp_path):
    folder = write_box(tmp_path / "box", FILES)
    path, round_robin = tmp_path / "pairs.jsonl", RoundRobin(("random", "random"), components=str(folder))
    KeptResults(path, round_robin).close()
    KeptResults(path, round_robin).close()
    (folder / "zamek.json").write_text(json.dumps(RULES | {"followers": 3}))
    with pytest.raises(ValueError, match="its components: "):
        KeptResults(path, round_robin)


@pytest.mark.parametrize(
    ("workers", "error"), [(0, ValueError), (-1, ValueError), (True, TypeError), ("a", TypeError), (None, TypeError)]
)
def test_what_are_no_workers_is_named(workers, error):
    with pytest.raises(error, match=r"^workers must be "):
        next(play(RoundRobin(("random", "random")), 1, workers))
    with pytest.raises(error, match=r"^workers must be "), start_processes(workers):
        pass


class Pretender(LastAgent):
    """Would have 0 points."""

    name = "greedy #1"


class Nameless:
    act = RandomAgent.act


@pytest.mark.parametrize(
    ("agents", "seed", "message"),
    [
        (
            ["random", "greedy"],
            0,
            r"agents must have a method act\(game, rng\), not 'random'; make_agent\(name\) returns",
        ),
        ([RandomAgent(), RandomAgent], 0, r"agents must have a method act\(game, rng\), not <class .*RandomAgent'>"),
        (
            [RandomAgent(), Nameless()],
            0,
            "agents must have a name, not <.*Nameless.*>; give its class one, as in name =",
        ),
        (iter([RandomAgent()] * 2), 0, "agents must be a sequence of agents, not <list_iterator"),
        ([RandomAgent()] * 2, -1, "seed must be at least 0"),
        (
            [RandomAgent(), Pretender()],
            0,
            "agents must have names of their own, and Pretender has 'greedy #1', the name of the package's GreedyAgent",
        ),
    ],
)
def test_what_is_no_lineup_is_named(agents, seed, message):
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        line_up(agents, seed)
