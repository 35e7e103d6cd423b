"""`ppo` is shown the areas that the engine has when the tile lies, and nothing that is hidden."""

from collections import Counter

import numpy as np
import pytest

from tests.support.expected_areas import ExpectedAreas, expect_placement
from tests.support.games import few, play_greedily, play_randomly
from zamek_agents.ppo import areas as areas_module
from zamek_agents.ppo.areas import CHOSEN, COLUMNS, OTHER, OWN, ROLES, SCALES, WAS, AreaDescriber
from zamek_env import Game
from zamek_env.components.model import NUM_ROTATIONS
from zamek_env.layout.actions import TOKEN_CHOICES
from zamek_env.observer import Observer
from zamek_env.ruleset import get_ruleset

DIFFERENT = ("zamek", "sokol", "carcassonne")
STEP = 5  # from one placement of a position to the next that is looked at


def look(game):
    """Return (the areas that the legal actions of a game would change, the number of the action of each)."""
    actions = Observer(game.ruleset, ("rows",)).look(game)[0]["row_actions"]
    return AreaDescriber(game.ruleset).describe(game.raw_states, actions[None])


def describe(game):
    """Return {legal action: what is said of the areas that it would change, read and sorted}."""
    areas, owners = look(game)
    return {
        action: sorted(read(game.ruleset.sizes.features, area) for area in areas[owners == number])
        for number, action in enumerate(game.legal_actions())
    }


def read(features, area):
    """Return (role, feature, columns as counts, special pieces) of an area, without `ends`, which `value` tests."""
    role, feature, columns, special = np.split(area, np.cumsum([len(ROLES), features, len(COLUMNS)]))
    assert role.sum() == feature.sum() == 1
    told = dict(zip(COLUMNS, columns / SCALES, strict=True))
    told["fits"] = 2 ** told["fits"] - 1
    del told["ends"]
    counts = np.rint([*told.values(), *special]).astype(int)
    return (int(role.argmax()), int(feature.argmax()), *counts.tolist())


def cancel(told):
    """Return areas, counted, without those that only `ends` tells from what they were."""
    counts = Counter(told)
    for role, *said in told:
        was, other = (WAS, *said), (OTHER, *said)
        if role == WAS:
            both = min(counts[was], counts[other])
            counts -= Counter({was: both, other: both})
    return counts


def list_positions(ruleset, phase):
    """Yield games in a phase, each played on a little further than the one before."""
    for seed in range(few(60, 2)):
        player = play_greedily if seed % 2 else play_randomly
        for number, game in enumerate(player(Game(ruleset, seed=seed), seed)):
            if number >= 20 + seed and game.phase == phase:
                yield game
                break


@pytest.mark.parametrize("ruleset", DIFFERENT)
def test_areas_that_a_placement_would_change_are_those_of_the_engine(ruleset):
    compared = Counter()
    for game in list_positions(ruleset, "place"):
        found, before = describe(game), ExpectedAreas(game.ruleset.tables[0], game.state[0])
        for action in game.legal_actions()[::STEP]:
            due = expect_placement(before, *divmod(action, NUM_ROTATIONS))
            assert cancel(found[action]) == cancel(due), (game.record(), action)
            compared.update(role for role, *_ in due)
    assert min(compared[role] for role in (WAS, OWN, OTHER)) >= few(200, 1)


@pytest.mark.parametrize("ruleset", DIFFERENT)
def test_a_piece_goes_where_the_engine_has_that_area(ruleset):
    compared = 0
    for game in list_positions(ruleset, "send"):
        t, s, found = game.ruleset.tables[0], game.state[0], describe(game)
        base, segments = int(t.send_base), t.tile_node.shape[1]
        for action in game.legal_actions():
            if action == base:
                assert found[action] == []
                continue
            area = int(s["area"][t.tile_node[s["deck"][s["drawn"] - 1], (action - base - 1) % segments]])
            assert found[action] == [(CHOSEN, *ExpectedAreas(t, s).describe(area))]
            compared += 1
    assert compared >= few(100, 2)


def test_what_is_scored_is_shown_with_a_token_and_without():
    compared = 0
    for game in play_greedily(Game("zamek", seed=3), 3):
        if game.phase == "score":
            t, s, found = game.ruleset.tables[0], game.state[0], describe(game)
            for action in game.legal_actions():
                area = int(s["to_score"][s["scorer"], (action - int(t.score_base)) // TOKEN_CHOICES])
                assert found[action] == [(CHOSEN, *ExpectedAreas(t, s).describe(area))]
                compared += 1
    assert compared > 0


@pytest.mark.parametrize("ruleset", DIFFERENT)
def test_nothing_hidden_is_shown(ruleset):
    rng = np.random.default_rng(2)
    for phase in ("place", "send", "score") if ruleset != "carcassonne" else ("place", "send"):
        for game in list_positions(ruleset, phase):
            twin = game.copy()
            twin.redeal(rng, game.current_player)
            for shown, other in zip(look(game), look(twin), strict=True):
                np.testing.assert_array_equal(shown, other)


def test_there_is_room_for_more_areas_than_at_first(monkeypatch):
    game = Game("zamek", seed=1)
    shown = look(game)
    monkeypatch.setattr(areas_module, "AREAS_A_ROW", 1)
    assert len(shown[0]) > len(game.legal_actions())
    for part, other in zip(shown, look(game), strict=True):
        np.testing.assert_array_equal(part, other)


def test_actions_are_numbered_through_all_games():
    game = Game("zamek", seed=1)
    (areas, owners), legal = look(game), len(game.legal_actions())
    actions = Observer(game.ruleset, ("rows",)).look(game)[0]["row_actions"]
    twice = AreaDescriber(game.ruleset).describe(np.concatenate([game.raw_states] * 2), np.stack([actions] * 2))
    np.testing.assert_array_equal(twice[0], np.concatenate([areas] * 2))
    np.testing.assert_array_equal(twice[1], np.concatenate([owners, owners + legal]))


def test_games_by_house_rules_are_refused():
    with pytest.raises(ValueError, match=r"^areas of carcassonne-hand are described for two players without house"):
        AreaDescriber(get_ruleset("carcassonne-hand"))
