"""Action numbers and what they mean, there and back over all of them."""

import numpy as np
import pytest

from tests.support.box import load_box
from tests.support.games import few, play_randomly
from zamek_env import Game
from zamek_env.components.box_folder import RULESETS
from zamek_env.core import engine
from zamek_env.core.rules import parse_send
from zamek_env.layout.actions import CHOOSE, EXTRA, OVER, PHASE_NAMES, PLACE, SCORE, SEND, ActionLayout
from zamek_env.ruleset import get_ruleset


@pytest.fixture(scope="module", params=[*RULESETS, "small"])
def ruleset(request, tmp_path_factory):
    if request.param == "small":
        return get_ruleset(components=load_box(tmp_path_factory.mktemp("boxes")))
    return get_ruleset(request.param)


def encode(actions, action):
    """Return `action` parsed and written again, by the pair of functions of its phase."""
    phase = actions.phase_of(action)
    if phase == PLACE:
        return actions.place(*actions.parse_place(action))
    if phase == SEND:
        return actions.send(*actions.parse_send(action))
    if phase == SCORE:
        return actions.score(*actions.parse_score(action))
    if phase == CHOOSE:
        return actions.choose(actions.parse_choose(action))
    assert phase == EXTRA
    return actions.extra_turn(actions.parse_extra_turn(action))


def test_every_number_is_parsed_and_written_again(ruleset):
    numbers = range(ruleset.num_actions)
    assert [encode(ruleset.actions, number) for number in numbers] == list(numbers)


def test_every_meaning_has_a_number_of_its_own(ruleset):
    actions, sizes = ruleset.actions, ruleset.sizes
    places = range(sizes.window_cells + sizes.spots)
    numbers = [actions.place(place, rotation) for place in places for rotation in range(4)]
    numbers += [actions.send(None)]
    kinds = range(len(ruleset.components.pieces))
    numbers += [actions.send(segment, kind) for kind in kinds for segment in range(sizes.segments)]
    if sizes.fields:
        numbers += [actions.score(slot, used) for slot in range(sizes.slots) for used in (False, True)]
        numbers += [actions.extra_turn(used) for used in (False, True)]
    if sizes.hand_size > 1:
        numbers += [actions.choose(slot) for slot in range(sizes.hand_size)]
    assert numbers == list(range(ruleset.num_actions))


def test_kernels_read_which_piece_is_sent_where_as_the_layout_does(ruleset):
    for kind in range(len(ruleset.components.pieces)):
        for segment in range(ruleset.sizes.segments):
            choice = ruleset.actions.send(segment, kind) - ruleset.actions.send_base
            assert tuple(parse_send(ruleset.tables[0], choice)) == (kind, segment)


def test_parsed_meanings_have_plain_types(ruleset):
    actions = ruleset.actions
    assert actions.parse_place(7) == (1, 3)
    assert actions.parse_send(actions.send_base) == (None, 0)
    assert actions.parse_send(actions.send(0)) == (0, 0)
    if actions.has_track:
        assert actions.parse_score(actions.score(1, True)) == (1, True)
        assert type(actions.parse_score(actions.score_base)[1]) is bool
        assert actions.parse_extra_turn(actions.extra_turn(True)) is True


def test_sizes_follow_from_the_components():
    actions = ActionLayout(cell_codes=5, segments=3, slots=2)
    assert (actions.send_base, actions.score_base, actions.extra_base, actions.num_actions) == (20, 24, 28, 30)
    actions = ActionLayout(cell_codes=5, segments=3, slots=4, piece_kinds=3)
    assert (actions.send_base, actions.score_base, actions.extra_base, actions.num_actions) == (20, 30, 38, 40)
    assert actions.parse_send(28) == (1, 2) and actions.send(1, 2) == 28
    table = get_ruleset().tables[0]
    actions = get_ruleset().actions
    assert (table.send_base, table.score_base, table.extra_base) == (76 * 4, actions.score_base, actions.extra_base)
    assert actions.num_actions == 76 * 4 + 1 + get_ruleset().sizes.segments + 2 * 6 + 2 == 330
    assert get_ruleset("sokol").num_actions == 94 * 4 + 1 + 3 * get_ruleset("sokol").sizes.segments + 2 * 8 + 2 == 428


@pytest.mark.parametrize("name", RULESETS)
def test_legal_actions_belong_to_the_phase_the_game_is_in(name):
    seen = set()
    for seed in range(few(20, 1)):
        for game in play_randomly(Game(name, seed=seed), seed):
            phases = {PHASE_NAMES[game.ruleset.actions.phase_of(action)] for action in game.legal_actions()}
            assert phases == (set() if game.is_terminal else {game.phase})
            seen.add(game.phase)
    assert {PHASE_NAMES[PLACE], PHASE_NAMES[SEND], PHASE_NAMES[OVER]} <= seen


@pytest.mark.parametrize("name", RULESETS)
def test_a_decision_leaves_a_choice_unless_a_tile_is_placed(name):
    for game in play_randomly(Game(name, seed=4), 4):
        assert game.is_terminal or game.phase == "place" or len(game.legal_actions()) > 1


@pytest.mark.parametrize("name", RULESETS)
def test_what_is_legal_one_by_one_is_what_the_mask_says(name):
    for number, game in enumerate(play_randomly(Game(name, seed=8), 8)):
        if number % few(1, 4) and not game.is_terminal:
            continue
        numbers = range(-3, game.num_actions + 3)
        legal = [action for action in numbers if engine.is_legal(game.ruleset.tables, game.raw_states, 0, action)]
        assert legal == np.flatnonzero(game.legal_action_mask()).tolist() == game.legal_actions()
