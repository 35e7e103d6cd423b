"""Actions in words: why one is illegal, and what a legal one does."""

import re

import numpy as np
import pytest

from tests.support.games import IS_COMPILED, play_greedily, play_randomly
from zamek_env import Game, IllegalActionError
from zamek_env.layout.actions import PHASE_NAMES

REASONS = (
    r"a tile lies on \(\d+, \d+\) already \(Z9\)",
    r"\(\d+, \d+\) touches neither a tile nor a start space \(Z9\)",
    r"on \(\d+, \d+\), .*, the \w+ side of [ZS]\d\d is (road|plain), but .* shows (road|plain) there \(Z10\)",
    r"[ZS]\d\d has only \d+ segments \(Z12\)",
    r"a follower stands in the \w+ of \w+ already \(Z12\)",
    r"no area waits to be scored in slot \d \(Z19\)",
    r"player \d holds no token that may be used on a \w+ now \(Z23\)",
    r"a token is used only on one's own areas in one's own turn \(Z23\), and this \w+ is the opponent's",
    r"it answers '[a-z ]+', but player \d is to decide '[a-z ]+'",
)
SPECIAL_REASONS = (
    r"player \d has no (follower|prince|falconer) in supply \(Z12, S4\)",
    r"the \w+ of \w+ is complete, and so the (prince|falconer) may not go there \(S4\)",
    r"an area is doubled only once, and the prince of player \d doubles this \w+ \(S7\)",
)
TABLE_REASONS = (
    r"a tile lies on \(-?\d+, -?\d+\) already \(C1\)",
    r"\(-?\d+, -?\d+\) touches no tile \(C1\)",
    r"it names spot \d+ beyond the window, where \d+ empty cells touch a tile \(C1\)",
    r"on \(-?\d+, -?\d+\), .*, the \w+ side of [A-Z] is (road|city|field), "
    r"but \(-?\d+, -?\d+\) shows (road|city|field) there \(C1\)",
    r"[A-Z] has only \d+ segments \(C3\)",
    r"a follower stands in the (road|city|field) of [rcf]\d already \(C3\)",
    r"it answers '[a-z ]+', but player \d is to decide '[a-z ]+'",
)
NO_FARMERS = r"f\d is a field, and there are no farmers \(C8\)"


def illegal_actions(game):
    """Return the illegal actions of the phase the game is in, and a few of the others."""
    actions = game.ruleset.actions
    return [
        action
        for action in np.flatnonzero(~game.legal_action_mask()).tolist()
        if action % 40 == 0 or PHASE_NAMES[actions.phase_of(action)] == game.phase
    ]


@pytest.mark.parametrize(
    "ruleset, reasons, random, greedy",
    [
        ("zamek", REASONS, 12, 10),
        ("sokol", (*REASONS, *SPECIAL_REASONS), 12, 8),
        ("carcassonne", TABLE_REASONS, 2, 1),
        ("carcassonne-demo", (*TABLE_REASONS, NO_FARMERS), 2, 0),
        ("carcassonne-no-farmers", (*TABLE_REASONS, NO_FARMERS), 1, 0),
    ],
)
@pytest.mark.long
def test_every_illegal_action_is_refused_with_a_reason_and_leaves_the_game_as_it_was(ruleset, reasons, random, greedy):
    met = set()
    games = [play_randomly(Game(ruleset, seed=seed), seed) for seed in range(random if IS_COMPILED else 1)]
    games += [play_greedily(Game(ruleset, seed=seed), seed) for seed in range(greedy if IS_COMPILED else 0)]
    for game in (game for positions in games for game in positions if not game.is_terminal):
        before = game.state.tobytes()
        for action in illegal_actions(game) if game.phase != "place" or game.state[0].drawn % 20 == 0 else ():
            with pytest.raises(IllegalActionError) as raised:
                game.step(action)
            given = re.sub(rf"^action {action}( \(\S.*?\))? is illegal: ", "", str(raised.value))
            matching = {reason for reason in reasons if re.fullmatch(reason, given)}
            assert len(matching) == 1, raised.value
            met |= matching
        assert game.state.tobytes() == before
    assert met == set(reasons) or not IS_COMPILED


WORDS = (
    r"place [ZS]\d\d on \(\d+, \d+\), (as it is|turned .*)",
    r"send nobody",
    r"send a (herald|squire|farmer|monk) to (road|house|pigsty|meadow) [rhpm]\d",
    r"score the (road|house|pigsty) of (1 tile|(?!1 )\d+ tiles) for player \d: (1 point|(?!1 )\d+ points)",
    r"score the (house|pigsty) of (1 tile|(?!1 )\d+ tiles) for player \d: (1 point|(?!1 )\d+ points) with token [23]",
    r"use a token of kind 1 for an extra turn",
    r"end the turn without an extra turn",
)
SPECIAL_WORDS = (
    r"send a preacher to chapel c\d",
    r"send the (prince|falconer) to (road|house|pigsty|meadow|chapel) [rhpmc]\d",
    r"score the chapel of (1 tile|(?!1 )\d+ tiles) for player \d: (1 point|(?!1 )\d+ points)",
)
TABLE_WORDS = (
    r"place [A-Z] on \(-?\d+, -?\d+\), (as it is|turned .*)",
    r"send nobody",
    r"send a (thief to road r|knight to city c|monk to monastery k)\d",
)
FARMER_WORDS = (r"send a farmer to field f\d",)


@pytest.mark.parametrize(
    "ruleset, words, random, greedy",
    [
        ("zamek", WORDS, 10, 6),
        ("sokol", (*WORDS, *SPECIAL_WORDS), 10, 6),
        ("carcassonne-demo", TABLE_WORDS, 1, 1),
        ("carcassonne", (*TABLE_WORDS, *FARMER_WORDS), 1, 0),
        ("carcassonne-no-farmers", TABLE_WORDS, 1, 0),
    ],
)
def test_every_legal_action_is_described_in_words_of_its_own(ruleset, words, random, greedy):
    met = set()
    games = [play_randomly(Game(ruleset, seed=seed), seed) for seed in range(random if IS_COMPILED else 1)]
    games += [play_greedily(Game(ruleset, seed=seed), seed) for seed in range(greedy if IS_COMPILED else 0)]
    for positions in games:
        for game in positions:
            before = game.state.tobytes()
            described = [game.describe(action) for action in game.legal_actions()]
            assert len(set(described)) == len(described) or game.phase == "score"
            for text in described:
                matching = {pattern for pattern in words if re.fullmatch(pattern, text)}
                assert len(matching) == 1, text
                met |= matching
            assert game.state.tobytes() == before
    assert met == set(words) or not IS_COMPILED


@pytest.mark.parametrize("ruleset", ["zamek", "sokol"])
def test_a_described_scoring_pays_what_it_says(ruleset):
    paid = 0
    for seed in range(30 if IS_COMPILED else 2):
        for game in play_randomly(Game(ruleset, seed=seed), seed):
            for action in game.legal_actions() if game.phase == "score" else ():
                twin = game.copy()
                twin.step(action)
                player, points = map(
                    int, re.search(r"player (\d): (\d+) points?(?= |$)", game.describe(action)).groups()
                )
                _, scorer, _, _, gained, *_ = twin.last_events[0].tolist()
                assert (scorer, gained) == (player, points)
                paid += 1
    assert paid > 10 or not IS_COMPILED
