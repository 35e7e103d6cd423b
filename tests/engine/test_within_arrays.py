"""Whole games in which everything is looked at: with every index checked, nothing reaches beyond an array."""

import numpy as np
import pytest

from tests.support.checking.consistency import check_consistency
from tests.support.games import few, play_greedily, play_randomly
from tests.support.rulesets import IS_COMPILED, PLAYED
from zamek_env import Game
from zamek_env.observer import Observer

GREEDY = [] if IS_COMPILED else [pytest.mark.long]  # which plays each action to look at it


@pytest.mark.parametrize("ruleset", PLAYED)
@pytest.mark.parametrize(
    "play, seeds", [(play_randomly, few(8, 1)), pytest.param(play_greedily, few(4, 1), marks=GREEDY)]
)
def test_a_game_is_played_seen_and_redealt_within_its_arrays(ruleset, play, seeds):
    rng = np.random.default_rng(0)
    for seed in range(seeds):
        game = Game(ruleset, seed=seed)
        observer = Observer(game.ruleset)
        for number, _ in enumerate(play(game, seed)):
            if number % few(1, 8) == 0:
                seen, mask, *_ = observer.look(game)
                assert np.isfinite(seen["vector"]).all()
                assert np.flatnonzero(mask).tolist() == game.legal_actions()
                game.concealed(rng).redeal(rng)
        check_consistency(game)
        assert Game.replay(game.record()).state.tobytes() == game.state.tobytes()
