"""Positions in notation: everything public is written and read back, and play goes on from there as it would have."""

import pickle
import re
from dataclasses import replace

import numpy as np
import pytest

from tests.support.checking.consistency import check_consistency
from tests.support.games import IS_COMPILED, TABLES, few, finish, play_randomly
from tests.support.notated import list_games, set_up_like
from zamek_agents import GreedyAgent, RandomAgent
from zamek_env import Game, load_components
from zamek_env.components.box_folder import RULESETS
from zamek_env.observer import Observer
from zamek_env.records import set_up


def look(game):
    """Return all that either player sees of a game; the areas of plain followers without their order."""
    observer, layout = Observer(game.ruleset), game.ruleset.vector
    for player in (0, 1):
        seen = observer.look(game, player)[0]
        vector = seen["vector"].tolist()
        areas = []
        for owner in ("my", "their"):
            slices = [layout[f"{owner}_area_{number}"] for number in range(game.ruleset.sizes.followers)]
            areas.append(sorted(vector[where] for where in slices))
            for where in slices:
                vector[where] = [0] * len(vector[where])
        yield seen["planes"].tobytes(), vector, areas


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_position_is_written_and_read_back(ruleset):
    phases = set()
    for positions in list_games(ruleset, 2, 3):
        for number, game in enumerate(positions):
            if game.phase in ("score", "extra turn", "over") or number % few(7, 23) == 0:
                phases.add(game.phase)
                line = game.format_position()
                twin = Game.parse_position(line, seed=number)
                assert line.isascii() and line.isprintable()
                assert twin.format_position() == line
                assert twin.position() == game.position()
                if game.ruleset.sizes.hides_hands:
                    assert twin.public_key() == game.public_key()
                    continue
                assert twin.legal_actions() == game.legal_actions()
                assert list(look(twin)) == list(look(game))
                assert (twin.seed, twin.history, twin.start, twin.last_events.size) == (None, (), line, 0)
                check_consistency(twin)
    asked = {"place", "send", "score", "extra turn"} if game.ruleset.sizes.fields else {"place", "send"}
    assert phases >= asked | {"over"} or not IS_COMPILED


@pytest.mark.parametrize("ruleset", RULESETS)
def test_play_goes_on_from_a_line_as_it_would_have(ruleset):
    """Where what is hidden lies alike, the same actions are legal and lead to the same lines, to the end."""
    agent, rng = GreedyAgent() if IS_COMPILED else RandomAgent(), np.random.default_rng(5)
    game, twins = Game(ruleset, seed=5), []
    for number in range(1000):
        line = game.format_position()
        assert [twin.format_position() for twin in twins] == [line] * len(twins)
        assert all(twin.legal_actions() == game.legal_actions() for twin in twins)
        if number % few(25, 50) == 10 or (game.phase == "score" and len(twins) < few(8, 3)):
            twins.append(set_up_like(game))
        if game.is_terminal:
            break
        action = agent.act(game, rng)
        for one in (game, *twins):
            one.step(action)
    assert len(twins) >= few(2, 2)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_new_game_is_a_short_line(ruleset):
    game = Game(ruleset, seed=1)
    asked = "choose" if game.ruleset.sizes.hand_size > 1 else f"place {game.position().tile}"
    assert game.format_position() == f"{ruleset}; 0 {asked}"


# --- two to five, and house rules ---


@pytest.mark.compiles
@pytest.mark.parametrize("players, rules", TABLES)
def test_every_position_of_any_table_is_written_and_read_back(players, rules):
    for number, game in enumerate(play_randomly(Game("carcassonne-demo", 6, None, players, rules), 6)):
        if number % few(3, 9) == 0 or game.is_terminal or (game.phase == "choose" and number % few(2, 5) == 0):
            line = game.format_position()
            twin = Game.parse_position(line, seed=number)
            assert line.isascii() and twin.format_position() == line
            assert twin.position() == game.position() and twin.ruleset is game.ruleset
            if game.phase != "choose" or not game.ruleset.sizes.hides_hands:
                assert twin.legal_actions() == game.legal_actions()
            assert twin.public_key() == game.public_key()
            assert Game.parse_position(line, game.ruleset.components, seed=number) == twin
            check_consistency(twin)
            finish(twin)


@pytest.mark.compiles
@pytest.mark.parametrize(
    "line, players, rules",
    [
        ("carcassonne:3p; 2 place B; board E@-1,0S; score 4:0:3", 3, {}),
        ("carcassonne:1p; 0 send V@0,1; board V@0,1E; out C", 1, {}),
        ("carcassonne:4p,draw_ahead,small_city; 3 place B; pieces - : - : 0,1.r1 : -; board V@0,1E", 4,
         {"draw_ahead": True, "small_city": True}),
        ("carcassonne:hand=open; 1 choose; hands A B V : E V X", 2, {"hand": "open"}),
        ("carcassonne:hand=open; 0 place W; hands A - V : E V X", 2, {"hand": "open"}),
        ("carcassonne:hand=hidden; 0 place W; hands ? ? - : ? ? ?", 2, {"hand": "hidden"}),
        ("carcassonne:start_in_bag,table=9x11; 0 place W; board X@0,0N", 2, {"start_in_bag": True, "table": [9, 11]}),
        ("carcassonne-bga:draw_ahead=false; 0 place B", 2, {"draw_ahead": False}),
        ("carcassonne-bga:5p; 4 place B", 5, {}),
    ],
)  # fmt: skip
def test_a_line_says_how_many_play_and_by_which_house_rules(line, players, rules):
    game = Game.parse_position(line, seed=1)
    assert (game.num_players, game.ruleset.rules) == (players, rules)
    assert {*game.format_position().split("; ")} == {*line.split("; ")}
    check_consistency(game)


@pytest.mark.compiles
def test_a_line_of_a_table_of_ones_own_names_digest_players_and_rules():
    own = replace(load_components(ruleset="carcassonne-demo"), name="mine")
    line = Game("mine", 1, own, 3, {"table": [5, 7]}).format_position()
    game = Game.parse_position(line, own)
    assert line.startswith(f"mine:{game.ruleset.components.digest[:12]},3p,table=5x7; 0 place ")
    assert (game.num_players, game.ruleset.components.house.table) == (3, (5, 7))
    with pytest.raises(ValueError, match=r"^position, line: is of other components"):
        Game.parse_position(line.replace(",3p", ",4p"), own)


BAD_TABLES = {
    "zamek:3p; 0 place Z33": r"players must be 2 in the ruleset zamek, not 3",
    "carcassonne:6p; 0 place B": r"players must be 1 to 5 in the ruleset carcassonne, not 6",
    "carcassonne:3p,draw; 0 place B": r"position, line: rules must name some of draw_ahead, .*, not 'draw'",
    "carcassonne:3p,table=4x4; 0 place B": r"rules: table",
    "carcassonne:3p; 3 place B": r"position, turn: must be a player of 0 to 2, one of place, send, score, extra, over,",
    "carcassonne:3p; 0 choose": r"position, turn: must be a player of 0 to 2, one of place,",
    "carcassonne:3p; 0 place B; score 1:2": r"position, score: must be 3 numbers, like 12:7:0, not '1:2'",
    "carcassonne:1p; 0 place B; score 1:2": r"position, score: must be one number, like 12, not '1:2'",
    "carcassonne:3p; 0 place B; pieces - : -": r"position, pieces: must be what player 0 has, .*, and so on for all 3",
    "carcassonne:hand=open; 0 choose B; hands A B V : E V X": r"position, turn: choose must be followed by nothing",
    "carcassonne:hand=open; 0 choose": r"position, hands: is missing: all see what the players hold",
    "carcassonne:hand=open; 0 choose; hands A B : E V X": r"position, hands: player 0 has 3 slots, not 2",
    "carcassonne:hand=open; 0 choose; hands A B - : E V X": r"position, hands: player 0 draws .*, so 0 must be empty",
    "carcassonne:hand=open; 0 place W; hands A B C : E V X": r"position, hands: player 0 has played .*, so 1 must be",
    "carcassonne:hand=open; 0 choose; hands X X X : E V X": r"position, hands: there are more tiles X than the game",
    "carcassonne:hand=open; 0 choose; hands B B B : E V X": r"position, turn: choose leaves player 0 no choice",
    "carcassonne:hand=hidden; 0 choose; hands A B V : E V X": r"position, hands: may tell one hand, and all of it",
    "carcassonne:hand=hidden; 0 choose; hands A ? V : ? ? ?": r"position, hands: may tell one hand, and all of it",
    "carcassonne:hand=hidden; 0 choose; hands ? ? ? : X X X": r"position, hands: there are more tiles X than the game",
    "carcassonne; 0 place W; hands A : B": r"position, hands: there is no such thing in carcassonne",
    "carcassonne:start_in_bag; 0 place W": r"position, board: the tile that was drawn first must lie on \(0, 0\)",
    "carcassonne:start_in_bag; 0 place W; board B@0,0E": r"position, board: the tile that was drawn first must lie on",
    "carcassonne:table=3x3; 0 place W; board U@0,1N V@0,2W": r"position, board: \(0, 2\) lies beyond the edge",
    "carcassonne:back_into_bag; 0 over": r"position, turn: the game is not over: some tile of the bag can be laid",
}


@pytest.mark.compiles
@pytest.mark.parametrize("line", BAD_TABLES)
def test_a_line_of_a_table_that_cannot_be_is_refused(line):
    with pytest.raises(ValueError, match=f"^{BAD_TABLES[line]}"):
        Game.parse_position(line)


@pytest.mark.compiles
@pytest.mark.rule("Z31")
@pytest.mark.parametrize("rules", [{"draw_ahead": True}, {"hand": "hidden"}])
def test_a_key_holds_what_its_player_sees_of_hands(rules):
    game = Game("carcassonne-demo", 2, None, 3, rules)
    keys = [game.public_key(player) for player in (None, 0, 1, 2)]
    assert len({*keys[1:]}) == 3 or rules == {"draw_ahead": True}
    seen = set()
    for seed in range(8):
        twin = game.concealed(np.random.default_rng(seed), 1)
        assert (twin.public_key(), twin.public_key(1)) == (keys[0], keys[2])
        seen.add(twin.public_key(2))
    assert len(seen) > 1


@pytest.mark.compiles
@pytest.mark.rule("Z31")
@pytest.mark.parametrize("rules", [{"draw_ahead": True}, {"hand": "hidden"}, {"hand": "hidden", "back_into_bag": True}])
def test_a_line_for_a_player_holds_that_hand_and_no_other(rules):
    phases, hands = set(), set()
    for number, game in enumerate(play_randomly(Game("carcassonne-demo", 5, None, 3, {**rules, "table": (3, 5)}), 5)):
        if game.is_terminal:
            continue
        phases.add(game.phase)
        for player in range(3) if number % 5 == 0 else [game.current_player]:
            line = game.format_position(player)
            for seed in range(2):
                twin = Game.parse_position(line, seed=seed)
                assert (twin.format_position(player), twin.format_position()) == (line, game.format_position())
                assert twin.position(player) == game.position(player)
                assert twin.public_key(player) == game.public_key(player)
                hands.add((number, twin.format_position((player + 1) % 3)))
            if player == game.current_player:
                assert twin.legal_actions() == game.legal_actions()
    assert phases == ({"choose", "place", "send"} if "hand" in rules else {"place", "send"})
    assert len(hands) > 1.5 * len({number for number, _ in hands})  # what others hold is dealt by the seed


# --- what is hidden ---


@pytest.mark.parametrize("ruleset", ["zamek", "carcassonne"])
def test_the_line_tells_nothing_hidden_and_the_seed_deals_it(ruleset):
    game = Game(ruleset, seed=3)
    for _ in range(20):
        game.step(game.legal_actions()[-1])
    line = game.format_position()
    for seed in range(5):
        game.redeal(np.random.default_rng(seed))
        assert game.format_position() == line
    first, again, other = (Game.parse_position(line, seed=seed) for seed in (1, 1, 2))
    assert first.state.tobytes() == again.state.tobytes() != other.state.tobytes()
    assert first.public_key() == other.public_key()
    assert Game.parse_position(line).state.tobytes() != Game.parse_position(line).state.tobytes()


def test_no_hidden_order_survives_in_a_position():
    game = Game(seed=3)
    deals = {Game.parse_position(game.format_position(), seed=seed).state[0].token_deal.tobytes() for seed in range(9)}
    assert len(deals) == 9


# --- lines typed by hand ---

TYPED = {
    "zamek; 0 place Z33": "place",
    "zamek; 1 send Z17@2,0; board Z17@2,0E": "send",
    "zamek; 0 extra Z17@2,0; board Z17@2,0E; taken 12; tokens 1 : -; score 12:0": "extra turn",
    "sokol; 1 place S02; board S01@0,3E; pieces prince@0,3.c1 : -; nests 2:1": "place",
    "sokol-gates; 0 place Z33; score 27:69; gate 0": "place",
    "carcassonne-demo; 0 place B; board E@-1,0S; score 4:0": "place",
    "carcassonne; 1 send V@0,1; board V@0,1E; out C": "send",
    "carcassonne-no-farmers; 0 place X; board U@0,1N U@0,2N; pieces 0,2.r1 : -": "place",
}


@pytest.mark.compiles
@pytest.mark.parametrize("line", TYPED)
def test_a_line_typed_by_hand_plays_on(line):
    game = Game.parse_position(line, seed=1)
    assert game.phase == TYPED[line]
    assert {*game.format_position().split("; ")} == {*line.split("; ")}
    finish(game)
    assert game.is_terminal


def test_what_a_line_tells_is_what_lies_there():
    line = "zamek; 1 place Z33; board Z17@2,0E; pieces 2,0.r1 : -; score 12:26; taken 12 25; tokens 2 : -; used 3"
    position = Game.parse_position(line).position()
    assert (position.player, position.phase, position.tile, position.cell) == (1, "place", "Z33", None)
    assert position.board == {(2, 0): ("Z17", 1)}
    assert position.followers == ((0, (2, 0), "r1", "follower"),)
    assert (position.scores, position.supplies) == ((12, 26), (5, 6))
    assert position.tokens == ({2: 1}, {})
    assert {12, 25} & position.towers == set() and len(position.towers) == 11
    assert position.remaining.total() == 58 and not position.discarded


@pytest.mark.compiles
def test_a_game_that_was_set_up_can_be_copied_and_pickled_but_not_recorded():
    game = Game.parse_position("carcassonne; 0 place X")
    for twin in (game.copy(), pickle.loads(pickle.dumps(game)), game.concealed(np.random.default_rng(1))):
        assert twin.start == game.start == "carcassonne; 0 place X"
        assert twin.public_key() == game.public_key()
        with pytest.raises(ValueError, match=r"^a game set up at a position has no record; .*'carcassonne; 0 place"):
            twin.record()
    assert Game(seed=1).start is None
    assert Game("carcassonne", seed=1).copy().start is None


def test_a_line_of_a_box_of_ones_own_names_its_digest():
    box = load_components()
    own = replace(box, features=(replace(box.features[0], role="carter"), *box.features[1:]))
    line = Game(seed=1, components=own).format_position()
    assert line.startswith(f"zamek:{own.digest[:12]}; 0 place ")
    assert Game.parse_position(line, own).ruleset.components == own
    assert Game.parse_position(line.replace(f":{own.digest[:12]}", ""), own).ruleset.components == own
    with pytest.raises(ValueError, match=rf"^position, line: is of other components .* digest is {own.digest[:12]}, "):
        Game.parse_position(line)
    with pytest.raises(ValueError, match=r"^components must be of the ruleset 'sokol', not of 'zamek'$"):
        Game.parse_position("sokol; 0 place Z33", own)


# --- lines that cannot be ---

COMPLETED = "zamek; 0 score Z49@9,8; board Z35@7,9E Z39@8,8E Z57@8,9N Z49@9,8W"  # a road and a house

BAD = {
    "": r"line: must begin like \"zamek; 0 place Z33\", not ''",
    "zamek": r"line: must begin like",
    "zamak; 0 place Z33": r"ruleset must be one of",
    "zamek; 2 place Z33": r"turn: must be a player, one of place, send, score, extra, over, and a tile, like .*'2",
    "zamek; 0 lay Z33": r"turn: must be a player",
    "zamek; 0 place": r"turn: place must be followed by the tile to place, not '0 place'",
    "zamek; 0 place Z33@2,0": r"turn: place must be followed by the tile to place",
    "zamek; 0 send Z33": r"turn: send must be followed by the tile laid this turn and its cell",
    "zamek; 0 over Z33": r"turn: over must be followed by the tile laid this turn and its cell",
    "zamek; 0 place Z99": r"turn: there is no tile Z99; there are Z01, Z02",
    "zamek; 0 send Z17@2,0": r"turn: Z17 does not lie on \(2, 0\), as section board says",
    "zamek; 0 place Z33; tower 3": r"line: there is no section 'tower'; there are board, pieces, score",
    "zamek; 0 place Z33; score 1:2; score 1:2": r"score: is given twice",
    "zamek; 0 place Z33; score": r"score: is empty; leave it out",
    "zamek; 0 place Z33; score 1": r"score: must be two numbers, like 12:7, not '1'",
    "zamek; 0 place Z33; score 1:-2": r"score: '-2' must be a whole number from 0 to 99999",
    "zamek; 0 place Z33; score 1:99999": r"score: must be at most \d+, not 99999",
    "zamek; 0 place Z33; board Z17@2,0": r"board: 'Z17@2,0' must be tile, row, column and where its north points",
    "zamek; 0 place Z33; board Z17@2,0E Z18@2,0E": r"board: two tiles lie on \(2, 0\)",
    "zamek; 0 place Z33; board Z17@0,0E": r"board: \(0, 0\) is not a space inside the wall",
    "zamek; 0 place Z33; board Z17@5,5E": r"board: the tile on \(5, 5\) touches nothing that lay there before",
    "zamek; 0 place Z33; board Z17@2,0N": r"board: action \d+ \(Z17@2,0N\) is illegal: on .* \(Z10\)",
    "zamek; 0 place Z17; board Z17@2,0E": r"turn: there are more tiles Z17 than the game has",
    "zamek; 0 place Z33; out Z33": r"turn: there are more tiles Z33 than the game has",
    "zamek; 0 place Z33; out Z61": r"out: there is no tile Z61",
    "zamek; 0 place Z33; board Z17@2,0E; pieces 2,0.r1": r"pieces: must be what player 0 has, \" : \", and what",
    "zamek; 0 place Z33; board Z17@2,0E; pieces r1 : -": r"pieces: 'r1' must be row, column and segment, like",
    "zamek; 0 place Z33; board Z17@2,0E; pieces 2,0.r2 : -": r"pieces: 2,0.r2: Z17 has the segments m1, r1, m2",
    "zamek; 0 place Z33; board Z17@2,0E; pieces 2,1.r1 : -": r"pieces: 2,1.r1: no tile lies on \(2, 1\)",
    "zamek; 0 place Z33; board Z17@2,0E; pieces 2,0.r1 : 2,0.r1": r"pieces: 2,0.r1: a piece stands there already",
    "zamek; 0 place Z33; board Z17@2,0E; pieces prince@2,0.r1 : -": r"pieces: player 0 has fewer pieces prince",
    "sokol; 0 place Z33; board Z17@2,0E; pieces prince@2,0.r1 prince@2,0.m1 : -": r"pieces: player 0 has fewer",
    "zamek; 0 send Z17@2,0; board Z17@2,0E; pieces 2,0.r1 : -": r"pieces: 2,0.r1: nobody has been sent to the tile of",
    "zamek; 0 place Z33; tokens 2 : -": r"taken: 1 tokens were taken, from 0 towers",
    "zamek; 0 place Z33; taken 12; tokens 0 : -": r"tokens: there are 0 tokens of kind 0, not 1",
    "zamek; 0 place Z33; taken 12 22 25; tokens 2 2 2 : -": r"tokens: there are 2 tokens of kind 2, not 3",
    "zamek; 0 place Z33; taken 13; tokens 2 : -": r"taken: 13 must be one of the towers 12, 22, .*, each named once",
    "zamek; 0 place Z33; taken 12 12; tokens 2 2 : -": r"taken: 12 must be one of the towers",
    "zamek; 0 place Z33; taken 12; used 6": r"used: tokens of kind 6 are kept to the end of the game",
    "zamek; 0 place Z33; taken 12; fresh 6 : -": r"fresh: no token has been taken in this turn before 'place'",
    "zamek; 0 place Z33; nests 1:0": r"nests: there is no such thing in zamek",
    "zamek; 0 place Z33; board Z17@2,0E; house 60:60": r"house: must be the size of a completed house on the board",
    "sokol; 0 place Z33; nests 7:6": r"nests: must be at most 6, not 7",
    "sokol; 0 place Z33; gate 0": r"gate: there is no such thing in sokol",
    "sokol-gates; 0 place Z33; gate 0": r"gate: player 0 is no player whose marker stands on a field before a gate",
    "sokol-gates; 0 place Z33; score 27:0; gate 5": r"gate: player 5 is no player",
    "carcassonne; 0 extra Z@0,1": r"turn: there is no such thing in carcassonne",
    "carcassonne; 0 place X; house 3:0": r"house: there is no such thing in carcassonne",
    "carcassonne; 0 place X; board U@0,0N": r"board: the start tile lies on \(0, 0\); leave it out",
    "carcassonne; 0 place X; pieces 0,0.c1 : -": r"pieces: 0,0.c1: no tile lies on \(0, 0\)",
    "carcassonne; 0 place X; board U@900,0N": r"board: the tile on \(900, 0\) touches nothing",
    "carcassonne-no-farmers; 0 place X; board U@0,1N; pieces 0,1.f1 : -": r"pieces: 0,1.f1: nobody is sent to such a",
    "carcassonne; 0 place X; board E@-1,0S; pieces -1,0.c1 : -": r"pieces: -1,0.c1: that area is complete, so its",
    "carcassonne; 0 place C; board B@1,0N E@-1,0S; out X X": r"out: there are more tiles X than the game",
    "zamek; 0 extra Z17@2,0; board Z17@2,0E": r"turn: player 0 can take no extra turn",
    "zamek; 0 score Z17@2,0; board Z17@2,0E": r"turn: score leaves player 0 no choice, so it is not asked for",
    "zamek; 0 score Z17@2,0; board Z17@2,0E; waiting 2,0.r1 : -": r"waiting: 2,0.r1: the tile of this turn did not",
    "zamek; 0 place Z33; board Z17@2,0E; waiting 2,0.r1 : -": r"waiting: areas wait only while areas are scored",
    f"{COMPLETED}; pieces 7,9.r1 8,8.h1 : -; waiting 7,9.r1 7,9.r1 : -": r"waiting: 7,9.r1: that area is given twice",
    f"{COMPLETED}; pieces 7,9.r1 8,8.h1 : -; waiting 7,9.r1 : -": r"waiting: misses a completed area in which pieces",
    f"{COMPLETED}; pieces 7,9.r1 : 8,8.h1; waiting 8,8.h1 : -": r"waiting: 8,8.h1: player 0 has not most pieces in",
    f"{COMPLETED}; pieces 7,9.r1 : 8,9.r1; waiting 7,9.r1 : -": r"waiting: 7,9.r1: player 0 has not most pieces in",
    f"{COMPLETED}; pieces 7,9.r1 : -; waiting {'- ' * 9}7,9.r1 : -": r"waiting: player 0 has \d slots, not 10",
    "zamek; 0 place Z33; board Z57@8,9N; house 1:0": r"house: must be the size of a completed house .*, \[0\], not 1",
    "zamek; 0 over Z17@2,0; board Z17@2,0E": r"turn: the game is not over: 59 tiles are left",
    "zamek; 0 over": r"turn: the game is not over: 60 tiles are left",
    "zamek; 0 place Z33; " + "x" * 100_000: r"line: must have at most 100000 characters, not 100020",
}


@pytest.mark.compiles
@pytest.mark.parametrize("line", BAD, ids=lambda line: line[:60])
def test_a_line_that_cannot_be_is_refused_by_section_and_word(line):
    problem = BAD[line]
    with pytest.raises(ValueError, match=f"^(position, )?{problem}"):
        Game.parse_position(line)


def test_no_extra_turn_is_taken_without_a_tile():
    kinds = sorted(tile.id for tile in load_components().tiles)
    line = "zamek; 0 extra Z17@2,0; board Z17@2,0E; taken 12; tokens 1 : -; out "
    Game.parse_position(line + " ".join(kind for kind in kinds if kind not in ("Z17", "Z33")))
    with pytest.raises(ValueError, match="turn: player 0 can take no extra turn: no token for it, or no tile left"):
        Game.parse_position(line + " ".join(kind for kind in kinds if kind != "Z17"))


@pytest.mark.plays("carcassonne-demo")
def test_where_the_last_tile_was_laid_is_said_at_the_end():
    line = finish(Game("carcassonne-demo", seed=1)).format_position()
    assert "; out " not in line
    assert Game.parse_position(line).is_terminal
    with pytest.raises(ValueError, match="turn: the game is not over: it must be said which tile was laid last"):
        Game.parse_position(re.sub(r"over [A-Z]@-?\d+,-?\d+", "over", line))


@pytest.mark.plays("sokol-gates")
def test_a_marker_that_halted_may_have_gone_on_by_the_points_of_the_end():
    line = finish(Game("sokol-gates", seed=1)).format_position()
    assert "; gate " not in line
    assert Game.parse_position(f"{line}; gate 1").position().at_gate == (False, True)


@pytest.mark.compiles
@pytest.mark.parametrize(
    "line",
    [
        "zamek; 0 place {}",
        "zamek; 0 place Z33; out {}",
        "zamek; 0 send {}@2,0; board Z17@2,0E",
        "zamek; 0 place Z33; board {}@2,0E",
        "zamek; 0 place Z33; board Z17@2,0E; pieces 2,0.{} : -",
        "zamek; 0 place Z33; board Z17@2,0E; pieces 2,1.{} : -",
        "zamek; 0 place Z33; board Z17@2,0E; pieces {}@2,0.r1 : -",
    ],
)
@pytest.mark.parametrize("word", ["Z\0Ω\x1b[2J", "\ud800", "Z" * 50_000], ids=["control", "surrogate", "long"])
def test_a_word_of_any_kind_is_refused_in_one_line_that_can_be_printed(line, word):
    with pytest.raises(ValueError, match=r"^position, ") as refused:
        Game.parse_position(line.format(word))
    assert str(refused.value).isprintable() and len(str(refused.value)) < 1000


@pytest.mark.compiles
def test_scores_leave_room_for_all_points_to_come(monkeypatch):
    monkeypatch.setattr(set_up, "bound_score", lambda components: 30_000)
    assert Game.parse_position("zamek; 0 place Z33; score 2767:0").scores == (2767, 0)
    with pytest.raises(ValueError, match="score: must be at most 2767, not 2768"):
        Game.parse_position("zamek; 0 place Z33; score 0:2768")


@pytest.mark.parametrize("line", [None, 3, b"zamek; 0 place Z33", ["zamek"]])
def test_what_is_no_text_is_refused(line):
    with pytest.raises(TypeError, match=r"^position must be a line of text, not "):
        Game.parse_position(line)


@pytest.mark.parametrize("seed", [-1, 2**63, "1", True])
def test_a_seed_that_is_none_is_refused(seed):
    with pytest.raises((ValueError, TypeError), match=r"^seed must "):
        Game.parse_position("zamek; 0 place Z33", seed=seed)


def spoil(line, rng):
    """Return `line` with a word or a sign dropped, doubled, exchanged or taken from elsewhere."""
    parts = line.split(" ") if rng.random() < 0.7 else list(line)
    between = " " if len(parts) < len(line) else ""
    for _ in range(rng.integers(1, 4)):
        place, other = rng.integers(len(parts), size=2)
        change = rng.integers(4)
        if change == 0:
            del parts[place : place + 1]
        elif change == 1:
            parts.insert(place, parts[other % len(parts)])
        elif change == 2:
            parts[place % len(parts)] = parts[other % len(parts)]
        else:
            parts[place % len(parts)], parts[other % len(parts)] = parts[other % len(parts)], parts[place % len(parts)]
        parts = parts or [""]
    return between.join(parts)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_spoilt_line_is_refused_or_can_be_played_to_its_end(ruleset):
    rng, played, refused = np.random.default_rng(7), 0, 0
    for positions in list_games(ruleset, 1, 1):
        for number, game in enumerate(positions):
            for _ in range(few(12, 3) if number % few(5, 40) == 0 or game.phase in ("score", "extra turn") else 0):
                line = spoil(game.format_position(), rng)
                try:
                    twin = Game.parse_position(line, seed=1)
                except ValueError as error:
                    assert str(error).isprintable() and len(str(error)) < 900
                    refused += 1
                    continue
                assert Game.parse_position(twin.format_position(), seed=1).public_key() == twin.public_key()
                finish(twin)
                played += 1
    assert refused and (played or not IS_COMPILED)
