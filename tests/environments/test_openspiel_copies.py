"""Games of OpenSpiel copied, pickled and played by several threads, and their states dealt anew."""

import copy
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tests.support.rulesets import IS_COMPILED
from zamek_env import Game
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.core import engine as castle_cards_engine
from zamek_env.core import engine

pyspiel = pytest.importorskip("pyspiel")
openspiel = pytest.importorskip("zamek_env.openspiel")

CASTLE = "python_castle_cards"


def play(name, seed, most):
    """Return the first states of a random game, at most so many."""
    states, rng = [pyspiel.load_game(name).new_initial_state()], np.random.default_rng(seed)
    while len(states) < most and not states[-1].is_terminal():
        states.append(states[-1].child(int(rng.choice(states[-1].legal_actions()))))
    return states


@pytest.mark.parametrize("name", ["python_zamek(returns=margin)", f"{CASTLE}(players=3)"])
def test_a_game_that_is_read_again_or_copied_is_the_same(name):
    game = pyspiel.load_game(name)
    for twin in (pickle.loads(pickle.dumps(game)), copy.copy(game), copy.deepcopy(game)):
        assert (type(twin), str(twin)) == (type(game), str(game))
        assert str(twin.new_initial_state()) == str(game.new_initial_state())
        assert twin.make_py_observer().dict.keys() == game.make_py_observer().dict.keys()


@pytest.mark.parametrize("make", [lambda: Game("zamek", seed=1), lambda: CastleCards(seed=1)])
def test_a_game_that_begins_at_a_position_is_copied_and_not_serialised(make):
    begun = openspiel.begin_at(make())
    assert str(copy.deepcopy(begun).new_initial_state()) == str(begun.new_initial_state())
    state = begun.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    for twin in (state.clone(), copy.copy(state), copy.deepcopy(state)):
        assert (str(twin), twin.history()) == (str(state), state.history())
        twin.apply_action(twin.legal_actions()[0])
        assert len(state.history()) == 1
    with pytest.raises(ValueError, match="cannot be serialised: it begins at a position"):
        pickle.dumps(begun)


def test_a_state_of_a_game_without_hands_is_redealt_as_it_is():
    for state in play("python_zamek", 5, most=12):
        twin = state.resample_from_infostate(0, lambda: 0.5)
        assert (str(twin), twin.history()) == (str(state), state.history())
        assert twin.information_state_string(0) == state.information_state_string(0)


@pytest.mark.rule("K10")
def test_hands_are_not_redealt_where_chance_is_to_decide():
    *_, last = (state for state in play(CASTLE, 6, most=60) if state.is_chance_node())
    for state in (pyspiel.load_game(CASTLE).new_initial_state(), last):
        with pytest.raises(ValueError, match="only where a player decides"):
            state.resample_from_infostate(0, lambda: 0.5)


@pytest.mark.parametrize(
    ("make", "module", "hidden"),
    [
        (lambda: Game("zamek", seed=3), engine, ["deck"]),
        (lambda: CastleCards(seed=3), castle_cards_engine, ["deck", "generator"]),
    ],
)
def test_each_time_that_a_state_is_played_out_what_is_hidden_is_redealt(make, module, hidden, monkeypatch):
    dealt, play_randomly = [], module.play_randomly

    def note(*arguments):
        (states,) = (one for one in arguments if "deck" in (getattr(one, "dtype", np.dtype(int)).names or ()))
        generator = arguments[-1].tobytes()
        dealt.append([*(states[name].tobytes() for name in hidden), generator])
        return play_randomly(*arguments)

    monkeypatch.setattr(module, "play_randomly", note)
    state = openspiel.begin_at(make()).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    for seed in range(4):
        state.node.play_out(np.random.default_rng(seed))
    assert [len(set(values)) for values in zip(*dealt, strict=True)] == [4] * (len(hidden) + 1)


def look_and_play_out(seed):
    """Return all that is seen in a random game, and what random play from there on pays."""
    rng = np.random.default_rng(seed)
    return [(state.observation_tensor(0), state.node.play_out(rng)) for state in play("python_zamek", seed, most=60)]


@pytest.mark.skipif(not IS_COMPILED, reason="in plain Python this takes minutes")
def test_threads_that_play_at_once_do_not_disturb_each_other():
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            played = list(threads.map(look_and_play_out, range(4)))
    finally:
        sys.setswitchinterval(interval)
    assert played == [look_and_play_out(seed) for seed in range(4)]
