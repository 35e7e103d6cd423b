"""The ends of a turn are worth as much when they are evaluated one after another as each is alone."""

from collections import Counter
from itertools import chain, islice

import numpy as np
import pytest

from tests.support.box import packaged_files, write_box
from tests.support.games import IS_COMPILED, few, play_randomly, sample_positions
from zamek_agents.pretrained import find_shipped
from zamek_agents.value.choice import is_turn_over
from zamek_agents.value.evaluator import new_evaluators
from zamek_agents.value.features import evaluate_learned
from zamek_agents.value.incremental import begin_action, begin_ends, evaluate_end, forget_pieces
from zamek_agents.value.weights import load_weights, new_weights
from zamek_env import Game, load_components
from zamek_env.base.records import NONE
from zamek_env.components.model import NUM_ROTATIONS
from zamek_env.core.legality import ACTIONS_A_TILE, list_actions
from zamek_env.core.placement import find_cell
from zamek_env.core.rules import step
from zamek_env.layout.actions import OVER, PLACE, SEND
from zamek_env.ruleset import get_ruleset

EXACT = 256  # weights are multiples of 1 / EXACT, so that their sums are exact in any order


def exact_evaluator(ruleset):
    """Return an evaluator that tells every feature from every other."""
    weights = new_weights(ruleset)
    weights[1:] = np.random.default_rng(0).integers(-EXACT, EXACT, size=weights.size - 1) / EXACT
    return new_evaluators(ruleset, weights)[0]


def find_ends(t, s, log, action, evaluator):
    """Yield the states at the ends of the turn of `s` to which `action` leads, in the order of a search in depth."""
    after = np.array([s])[0]
    step(t, after, log, action)
    if is_turn_over(after):
        yield after
        return
    actions = np.empty(ACTIONS_A_TILE * t.tile_holds.size, np.int16)
    for number in range(list_actions(t, after, actions)):
        if after["phase"] == SEND:
            forget_pieces(evaluator)
        yield from find_ends(t, after, log, actions[number], evaluator)


def compare_ends(games):
    """Check that all ends of the turns in which `games` of one ruleset stand are worth as much after others as alone.

    Return how many there were of each kind, a `Counter`.
    """
    seen, evaluators = Counter(), ()
    for game in games:
        s, t, log = game.state[0], game.ruleset.tables[0], game.ruleset.new_log()[0]
        if s["phase"] == OVER:
            continue
        evaluators = evaluators or (exact_evaluator(game.ruleset), exact_evaluator(game.ruleset))
        evaluator, alone = evaluators
        begin_ends(t, s, evaluator)
        for action in game.legal_actions():
            begin_action(evaluator, find_cell(t, s, action // NUM_ROTATIONS) if s["phase"] == PLACE else NONE)
            for end in find_ends(t, s, log, action, evaluator):
                for player in range(game.num_players):
                    assert evaluate_end(t, end, player, evaluator) == evaluate_learned(t, end, player, alone)
                seen["next" if end["player"] != s["player"] else "extra"] += end["phase"] != OVER
                seen["discarded"] += end["phase"] != OVER and end["drawn"] > s["drawn"] + 1
    return seen


@pytest.mark.parametrize(
    ("name", "seed", "drawn"),  # a game in which the tile drawn after so many fits nowhere
    [("zamek", 50, 54), ("sokol-gates", 20, 73), ("carcassonne", 30, 15)],
)
def test_an_end_of_a_turn_is_worth_as_much_after_others_as_alone(name, seed, drawn):
    discarding = (game for game in play_randomly(Game(name, seed=seed), seed) if game.state["drawn"][0] == drawn)
    seen = compare_ends(chain(sample_positions(name, every=few(3, 40), games=few(4, 1)), discarding))
    expected = ["next", "discarded", "extra"] if IS_COMPILED and name != "carcassonne" else ["next", "discarded"]
    assert all(seen[kind] for kind in expected)


@pytest.mark.plays("carcassonne")
def test_the_same_holds_where_fields_are_paid_nothing_for_what_they_touch(tmp_path):
    rules = packaged_files()["carcassonne.json"]
    rules |= {"copies": {"D": 2, "E": 6, "N": 2}, "table": {"start": "D", "window": 3}}
    del rules["features"][-1]["touch_points"]
    components = load_components(write_box(tmp_path / "box", {"carcassonne.json": rules}))
    games = [play_randomly(Game("carcassonne", seed, components), seed) for seed in range(2)]
    assert compare_ends(islice(chain(*games), 0, None, 5))["next"]


def test_weights_that_come_with_the_package_add_up_exactly_in_any_order():
    ruleset = get_ruleset("zamek")
    weights = load_weights(find_shipped("value", ruleset), ruleset).astype(np.float64)
    taken = new_evaluators(ruleset, weights)[0]["weights"].astype(np.float64)
    assert np.any(np.ldexp(weights, 40) % 1)  # so there is something to round
    assert not np.any(np.ldexp(taken, 40) % 1)
    assert np.abs(taken - weights).max() < 2.0**-40
    # features of a position are few and small: partial sums stay below what a float64 tells apart
    assert np.abs(taken).max() < 2.0**5
