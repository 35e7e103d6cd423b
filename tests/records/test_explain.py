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
    r"[ZS]\d\d has only \d+ segments? \(Z12\)",
    r"a follower stands in the \w+ of \w+ already \(Z12\)",
    r"no area waits to be scored in slot \d \(Z19\)",
    r"no token is used on a (road|chapel) \(Z23\)",
    r"player \d holds no token that may be used on a (house|pigsty) now \(Z23\)",
    r"a token is used only on one's own areas in one's own turn \(Z23\), and this (house|pigsty) is the opponent's",
    r"it answers '[a-z ]+', but player \d is to decide '[a-z ]+'",
)
SPECIAL_REASONS = (
    r"player \d has no (follower|prince|falconer) in supply \(Z12, S4\)",
    r"the \w+ of \w+ is complete, and so the (prince|falconer) may not go there \(S4\)",
    r"an area is doubled only once, and the prince of player \d doubles this (house|pigsty) \(S7\)",
)
TABLE_REASONS = (
    r"a tile lies on \(-?\d+, -?\d+\) already \(C1\)",
    r"\(-?\d+, -?\d+\) touches no tile \(C1\)",
    r"it names spot \d+ beyond the window, where \d+ empty cells touch a tile \(C1\)",
    r"on \(-?\d+, -?\d+\), .*, the \w+ side of [A-Z] is (road|city|field), "
    r"but \(-?\d+, -?\d+\) shows (road|city|field) there \(C1\)",
    r"[A-Z] has only \d+ segments? \(C3\)",
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
def test_an_illegal_action_is_refused_with_a_reason(ruleset, reasons, random, greedy):
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


ROAD_AND_HOUSE = "board Z35@7,9E Z39@8,8E Z57@8,9N Z49@9,8W"  # the last one completes both
WAITING = f"{ROAD_AND_HOUSE}; pieces 7,9.r1 8,8.h1 : -; taken 12; tokens {{}}; waiting 7,9.r1 8,8.h1 : -"
HOLDS_2, HOLDS_3 = (f"zamek; 0 score Z49@9,8; {WAITING.format(held)}" for held in ("2 : -", "3 : -"))
OTHER_HOLDS_2 = f"zamek; 1 score Z49@9,8; {WAITING.format('- : 2')}"
PRINCE = "board S14@0,1S S05@0,2N Z16@0,3S Z03@0,4S Z10@1,0S Z44@1,1N Z40@1,2S; pieces - : 0,1.c1 prince@0,2.p1"
DOUBLED = f"sokol; 1 score S14@0,1; {PRINCE}; waiting - : 0,1.c1 0,2.p1"
PLACING, SENDING = "zamek; 1 place Z33; board Z17@2,0E", "zamek; 1 send Z17@2,0; board Z17@2,0E"
FIELD = "carcassonne-no-farmers; 0 send U@0,1; board U@0,1N"
NO_PRINCE = "sokol; 1 send Z17@2,0; board Z17@2,0E Z16@0,3S; pieces - : prince@0,3.m1"
HERE_A_THIEF = "carcassonne; 0 send U@0,2; board U@0,1N U@0,2N; pieces - : 0,1.r1"
SAID = [  # position, action, and what is said of it
    (PLACING, "Z33@2,0N", "a tile lies on (2, 0) already (Z9)"),
    (PLACING, "Z33@5,5N", "(5, 5) touches neither a tile nor a start space (Z9)"),
    (
        PLACING,
        "Z33@2,1E",
        "on (2, 1), turned a quarter clockwise, the west side of Z33 is plain, but (2, 0) shows road there (Z10)",
    ),
    (
        PLACING,
        "Z33@1,0S",
        "on (1, 0), turned halfway round, the south side of Z33 is road, but (2, 0) shows plain there (Z10)",
    ),
    (PLACING, "-", "it answers 'send', but player 1 is to decide 'place'"),
    (PLACING, "Z33@2,1W", "place Z33 on (2, 1), turned three quarters clockwise"),
    (SENDING, 309, "Z17 has only 3 segments (Z12)"),
    ("zamek; 1 send Z11@3,9; board Z11@3,9N", 310, "Z11 has only 1 segment (Z12)"),
    (SENDING, "extra", "it answers 'extra turn', but player 1 is to decide 'send'"),
    (SENDING, "monk m1", "send a monk to meadow m1"),
    (HOLDS_2, 320, "no area waits to be scored in slot 2 (Z19)"),
    (HOLDS_3, "score 8,8.h1 +token2", "player 0 holds no token that may be used on a house now (Z23)"),
    (HOLDS_2, "score 8,8.h1 +token2", "score the house of 2 tiles for player 0: 4 points with the token house ×2"),
    (HOLDS_2, "score 7,9.r1 +token", "no token is used on a road (Z23)"),
    (
        OTHER_HOLDS_2,
        "score 8,8.h1 +token2",
        "a token is used only on one's own areas in one's own turn (Z23), and this house is the opponent's",
    ),
    (OTHER_HOLDS_2, "score 7,9.r1", "score the road of 5 tiles for player 0: 10 points"),
    (
        DOUBLED,
        "score 0,2.p1 +token3",
        "an area is doubled only once, and the prince of player 1 doubles this pigsty (S7)",
    ),
    (DOUBLED, "score 0,1.c1 +token", "no token is used on a chapel (Z23)"),
    (NO_PRINCE, "prince r1", "player 1 has no prince in supply (Z12, S4)"),
    (FIELD, "farmer f1", "f1 is a field, and there are no farmers (C8)"),
    (HERE_A_THIEF, "thief r1", "a follower stands in the road of r1 already (C3)"),
]


@pytest.mark.compiles
@pytest.mark.parametrize(("line", "action", "said"), SAID, ids=lambda value: str(value)[:40])
def test_what_is_said_of_an_action_names_what_lies_there_and_the_rule(line, action, said):
    game = Game.parse_position(line, seed=1)
    number = action if isinstance(action, int) else game.parse_action(action)
    if number in game.legal_actions():
        assert game.describe(number) == said
    else:
        assert game.why_illegal(number).partition(" is illegal: ")[2] == said


@pytest.mark.plays("carcassonne")
def test_spots_are_counted_beyond_the_window_only():
    game = Game("carcassonne", seed=1)
    action = game.ruleset.actions.place(game.ruleset.sizes.window_cells + 2, 0)
    assert game.why_illegal(action).endswith(
        " is illegal: it names spot 2 beyond the window, where 0 empty cells touch a tile (C1)"
    )


WORDS = (
    r"place [ZS]\d\d on \(\d+, \d+\), (as it is|turned .*)",
    r"send nobody",
    r"send a (herald|squire|farmer|monk) to (road|house|pigsty|meadow) [rhpm]\d",
    r"score the (road|house|pigsty) of (1 tile|(?!1 )\d+ tiles) for player \d: (1 point|(?!1 )\d+ points)",
    r"score the (house|pigsty) of (1 tile|(?!1 )\d+ tiles) for player \d: (1 point|(?!1 )\d+ points) "
    r"with the token (house ×2|pigsty ×4)",
    r"use the token extra turn",
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
