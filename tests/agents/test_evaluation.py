"""Evaluations of choices agree with what agents choose, and are blind to what is hidden."""

import numpy as np
import pytest
from numpy.random import default_rng

from tests.support.games import few, play_greedily
from zamek_agents import make_agent
from zamek_agents.base import EVALUATING, find_evaluating
from zamek_agents.registry import AGENT_NAMES
from zamek_env import Game
from zamek_env.errors import AnswerError
from zamek_env.evaluation import Evaluation
from zamek_env.fair_play import ask, ask_evaluation

QUICK = {"expectimax": "expectimax:width=3,tiles=3", "mcts": "mcts:simulations=24,turns=2,width=5"}
LONG = pytest.mark.long
OF_TILES = [name for name in EVALUATING if name != "ismcts"]


def positions(ruleset="zamek", every=7):
    """Yield some positions of a game, of every phase that it has."""
    seen = set()
    for number, game in enumerate(play_greedily(Game(ruleset, seed=5), 5)):
        if not game.is_terminal and (game.phase not in seen or number % every == 0):
            seen.add(game.phase)
            yield number, game


@pytest.mark.parametrize("ruleset", ["zamek", *(pytest.param(name, marks=LONG) for name in ("sokol", "carcassonne"))])
@pytest.mark.parametrize("name", OF_TILES)
@pytest.mark.rule("Z31")
def test_the_action_chosen_has_the_greatest_value_whatever_is_hidden(name, ruleset):
    if name == "ppo":
        if ruleset != "zamek":
            pytest.skip("no network is shipped for it")
        pytest.importorskip("sb3_contrib")
    agent = make_agent(QUICK.get(name, name))
    for number, game in positions(ruleset, every=few(7, 60)):
        before, redealt = game.state.tobytes(), game.copy()
        redealt.redeal(default_rng(number + 1))
        evaluation = ask_evaluation(agent.evaluate, game, default_rng(number))
        assert agent.evaluate(redealt, default_rng(number)).values.tobytes() == evaluation.values.tobytes()
        assert game.state.tobytes() == before
        chosen = agent.act(game, default_rng(number))
        assert evaluation.actions == game.legal_actions()
        assert evaluation.value_of(chosen) == np.nanmax(evaluation.values), game.describe(chosen)
        assert evaluation.loss(chosen) == 0
        assert evaluation.unit == ("probability" if name == "ppo" else "points")
        if name in ("value", "ppo"):
            assert not np.isnan(evaluation.values).any()
        if name == "ppo":
            assert evaluation.values.sum() == pytest.approx(1, abs=1e-5)


def test_searches_leave_out_what_they_did_not_look_at():
    game = Game(seed=1)
    for name, most in (("expectimax", 3), ("mcts", 5)):
        values = make_agent(QUICK[name]).evaluate(game, default_rng(0)).values
        assert 0 < (~np.isnan(values)).sum() <= most < len(values)


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_agents_that_evaluate_nothing_say_which_do(name):
    agent = make_agent(name)
    with pytest.raises(ValueError, match=f"the agent '{name}' does not evaluate choices; of those here value, expect"):
        find_evaluating(agent)
    if name == "greedy":
        with pytest.raises(ValueError, match="does not evaluate choices"):
            agent.evaluate(Game(seed=1), default_rng(0))


def test_the_list_of_those_that_evaluate_is_right():
    names = {name.partition("[")[0] for name in AGENT_NAMES if ":CLASS" not in name}
    found = set()
    for name in names - {"ppo", "openspiel-mcts"}:  # which need packages that may be missing
        try:
            found.add(find_evaluating(make_agent(name)).name)
        except ValueError:
            continue
    assert found | {"ppo"} == set(EVALUATING)


def test_others_are_asked_on_a_copy_and_their_answer_is_checked():
    handed = []

    class Other:
        name = "other"

        def __init__(self, answer):
            self.answer = answer

        def act(self, game, rng):
            return game.legal_actions()[0]

        def evaluate(self, game, rng):
            handed.append(game)
            return self.answer(game.legal_actions())

    def ask(answer):
        return ask_evaluation(find_evaluating(Other(answer)).evaluate, game, default_rng(0))

    game = Game(seed=1)
    good = ask(lambda legal: Evaluation(legal, np.zeros(len(legal)), "points"))
    assert good.actions == game.legal_actions() and good.best == good.actions[0]
    assert handed[0] is not game and handed[0].seed is None
    with pytest.raises(AnswerError, match=r"^other: evaluate must return an Evaluation, not 3$"):
        ask(lambda legal: 3)
    with pytest.raises(AnswerError, match=r"^other: evaluate must be of the legal actions \[9, 11, .*\], not \[11, "):
        ask(lambda legal: Evaluation(legal[1:], np.zeros(len(legal) - 1), "points"))


@pytest.mark.parametrize(
    ("values", "unit", "message"),
    [
        (np.zeros(3), "points", "values must be a float64 array, one for each of 2 actions"),
        (np.zeros(2, np.float32), "points", "values must be a float64 array"),
        (np.array([0.0, np.inf]), "points", "values must be finite or NaN"),
        (np.zeros(2), "pawns", "unit must be one of points, probability, not 'pawns'"),
    ],
)
def test_evaluations_that_cannot_be_are_refused(values, unit, message):
    with pytest.raises(ValueError, match=message):
        Evaluation([1, 2], values, unit)


def test_what_nobody_looked_at_is_lost_nowhere():
    evaluation = Evaluation([1, 2, 5], np.array([np.nan, 2.0, 4.5]), "points")
    assert (evaluation.best, evaluation.loss(2), np.isnan(evaluation.loss(1))) == (5, 2.5, True)
    nothing = Evaluation([1], np.array([np.nan]), "points")
    assert nothing.best is None and np.isnan(nothing.loss(1))
    for find in (evaluation.value_of, evaluation.loss):
        with pytest.raises(ValueError, match=r"^action must be one of \[1, .*\], not 3$"):
            find(3)
    with pytest.raises(ValueError, match="actions must ascend"):
        Evaluation([2, 1], np.zeros(2), "points")


@pytest.mark.parametrize("given", [np.array([1, 2]), (1, 2)])
def test_actions_that_are_no_list_are_refused_where_they_are_given(given):
    with pytest.raises(TypeError, match=r"^actions must be a list, as legal_actions\(\) returns it, not "):
        Evaluation(given, np.zeros(2), "points")


def test_an_agent_that_ends_the_program_is_reported_whatever_it_is_asked():
    def end(game, rng):
        raise SystemExit(0)

    for asking in (ask, ask_evaluation):
        with pytest.raises(RuntimeError, match=r"^an agent must decide, not end the program by SystemExit\(0\)"):
            asking(end, Game(seed=1), default_rng(0))
