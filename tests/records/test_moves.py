"""`Game.from_moves`: games of which only the moves are known."""

import pytest

from tests.support.archives import PEOPLE, list_moves
from tests.support.games import TABLES, finish, list_texts
from zamek_env import Game
from zamek_env.components.box_folder import RULESETS
from zamek_env.core.log import DISCARDED

pytestmark = pytest.mark.plays("carcassonne")

GAMES = [list_moves(game) for game in PEOPLE]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_game_is_played_again_from_its_moves(ruleset):
    game = Game(ruleset, seed=4)
    for action in finish(game.copy(), 4).history[:40]:  # before anybody uses a token
        game.step(action)
    again = Game.from_moves(ruleset, list_texts(game), seed=9)
    assert again.history == game.history or game.ruleset.sizes.hand_size > 1  # what hands held is not told
    assert again.position().board == game.position().board
    assert again.record()["turns"] == game.record()["turns"] or game.ruleset.components.tokens


def test_nobody_sent_need_not_be_told():
    assert Game.from_moves("carcassonne", [move for move in GAMES[0] if move != "-"]).scores == (96, 70)


def test_what_comes_later_follows_from_the_seed():
    moves = GAMES[0][:40]
    games = [Game.from_moves("carcassonne", moves, seed=seed) for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2] and games[0].history == games[2].history
    assert games[0].record()["turns"] == games[2].record()["turns"]


@pytest.mark.parametrize(
    "moves, said",
    [
        (["C@0,0N"], r"move 1, 'C@0,0N': action \d+ \(C@0,0N\) is illegal: a tile lies on \(0, 0\) already"),
        (["H@-1,0N", "c9"], "move 2, 'c9': text must be an action"),
        (["H@-1,0N", "c1", "H@-1,0N"], "move 3, 'H@-1,0N': action"),
        (["discard C"], "move 1, 'discard C': C fits somewhere"),
        (["X@1,0N", "X@2,0N"], "move 2, 'X@2,0N': X was drawn before"),
        (["discard Y"], "move 1, 'discard Y': there is no tile 'Y'"),
        ([*GAMES[3], "r1"], "move 142, 'r1': text must be an action, not 'r1': the game is over"),
        ([*GAMES[3][:20], "nonsense"], "move 21, 'nonsense': text must be an action"),
    ],
)
def test_a_move_that_cannot_be_is_named_by_its_number(moves, said):
    with pytest.raises(ValueError, match=said):
        Game.from_moves("carcassonne", moves)


def test_a_tile_placed_that_fits_nowhere_is_named():
    at = GAMES[3].index("discard C")
    moves = [*GAMES[3][:at], "C@0,9N"]
    with pytest.raises(ValueError, match=f"move {at + 1}, 'C@0,9N': C fits nowhere and leaves the game"):
        Game.from_moves("carcassonne", moves)


@pytest.mark.parametrize("moves", ["H@-1,0N", b"-", {"-"}, {"-": 1}, None, 3])
def test_what_is_no_row_of_texts_is_refused(moves):
    with pytest.raises(TypeError, match="moves must be a row of texts"):
        Game.from_moves("carcassonne", moves)
    with pytest.raises(TypeError, match="moves must be texts, and move 2 is 3"):
        Game.from_moves("carcassonne", ["H@-1,0N", 3])


def list_told(game, tells_choices):
    """Return the moves of a game that is over, with tiles that left it, and what was chosen if that is told."""
    twin, moves = Game(game.ruleset.name, game.seed, game.ruleset.components), []
    start = game.ruleset.tile(int(game.state[0].deck[0])).id
    moves += [f"start {start}"] if game.ruleset.sizes.starts_in_bag else []
    for action in (None, *game.history):
        if action is not None:
            text = twin.format_action(action)
            moves += [text] if tells_choices or not text.startswith("choose ") else []
            twin.step(action)
        gone = [subject for event, _, subject, *_ in twin.last_events.tolist() if event == DISCARDED]
        moves += [f"discard {game.ruleset.tile(tile).id}" for tile in gone]
    return moves


@pytest.mark.compiles
@pytest.mark.parametrize("tells_choices", [True, False])
@pytest.mark.parametrize("players, rules", [table for table in TABLES if not (table[1] or {}).get("back_into_bag")])
def test_a_game_of_any_table_is_played_again_from_its_moves(players, rules, tells_choices):
    game = finish(Game("carcassonne-demo", 4, None, players, rules), 4)
    again = Game.from_moves("carcassonne-demo", list_told(game, tells_choices), players, seed=9, rules=rules)
    assert (again.scores, again.position().board) == (game.scores, game.position().board)
    twin = Game.replay(again.record())
    assert again.is_terminal and (twin.history, twin.position()) == (again.history, again.position())


@pytest.mark.compiles
def test_what_hands_hold_at_the_end_of_the_moves_is_dealt_by_the_seed():
    rules = {"draw_ahead": True, "start_in_bag": True}
    moves = list_told(finish(Game("carcassonne-demo", 4, None, 3, rules), 4), True)[:20]
    games = [Game.from_moves("carcassonne-demo", moves, 3, seed=seed, rules=rules) for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2] and games[0].history == games[2].history
    unsaid = [Game.from_moves("carcassonne-demo", [], 3, seed=seed, rules=rules) for seed in range(9)]
    assert len({game.position().board[0, 0] for game in unsaid}) > 1


@pytest.mark.compiles
def test_a_start_tile_is_told_where_one_is_drawn_and_first():
    with pytest.raises(ValueError, match=r"move 1, 'start B': it can only be the first move, where the start tile is"):
        Game.from_moves("carcassonne-demo", ["start B"])
    with pytest.raises(ValueError, match=r"move 1, 'start \?': there is no tile '\?'"):
        Game.from_moves("carcassonne-demo", ["start ?"], rules={"start_in_bag": True})


def test_no_six_play():
    with pytest.raises(ValueError, match="players must be 1 to 5 in the ruleset carcassonne, not 6"):
        Game.from_moves("carcassonne", [], players=6)


def test_a_plain_follower_is_sent_without_its_role():
    game = Game.from_moves("carcassonne", ["H@-1,0N"])
    for segment, whole in (("c1", "knight c1"), ("f1", "farmer f1")):
        assert game.parse_action(segment) == game.parse_action(whole)
    with pytest.raises(ValueError, match="text must be an action, not 'r1'"):
        game.parse_action("r1")
