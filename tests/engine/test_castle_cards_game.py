"""`CastleCards`: a game of Castle as an object, and what it is to the rest of the package."""

import copy
import pickle

import numpy as np
import pytest

from tests.support.castle_cards.drawn import DrawnCastleCards
from tests.support.games import finish
from zamek_env import IllegalActionError
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.core.turns import find_return
from zamek_env.castle_cards.layout.actions import OVER
from zamek_env.game_protocol import GameProtocol
from zamek_env.make_game import make_game

# --- made by name ---


def test_it_is_made_by_its_name_for_any_number_of_players():
    for players in (2, 3, 4, 5):
        game = make_game("castle-cards", 3, players=players)
        assert isinstance(game, GameProtocol) and game == CastleCards(players, 3) and game.num_players == players
        assert game != CastleCards(players, 4)
    assert make_game("castle-cards", 3).num_players == 2
    assert make_game("zamek", 3, players=2).num_players == 2


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("castle-cards", 1, None, 6), "players must be one of 2, 3, 4, 5, not 6"),
        (("castle-cards", 1, None, 3.0), r"players must be one of 2, 3, 4, 5, not 3\.0"),
        (("castle-cards", 1, "folder", 3), "components must be None for 'castle-cards', not 'folder'"),
        (("castle-cards", -1), "seed must lie in 0 to"),
        (("zamek", 1, None, 3), "players must be 2 in the ruleset zamek, not 3"),
        (("zamek", 1, None, 2.0), r"players must be a whole number, not 2\.0"),
        (("castle", 1), "ruleset must be one of zamek"),
    ],
)
def test_a_game_that_cannot_be_is_refused(arguments, said):
    with pytest.raises((TypeError, ValueError), match=said):
        make_game(*arguments)


# --- played ---


@pytest.mark.rule("K9")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_game_ends_and_tells_who_won(players):
    for seed in range(4):
        game = CastleCards(players, seed)
        assert game.scores == tuple(map(len, [()] * players)) or sum(game.scores) < 0
        assert game.returns() == (0.0,) * players and game.winners == ()
        finish(game, seed)
        assert game.current_player == -1 and game.phase == "over" and game.legal_actions() == [] == game.options()
        assert not game.legal_action_mask().any()
        returns = game.returns()
        assert sum(returns) == pytest.approx(0) and [n for n in range(players) if returns[n] > 0] == list(game.winners)
        assert game.record()["end"] != "empty" or game.scores[game.winners[0]] == 0


@pytest.mark.rule("K9")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_shared_win_is_divided_for_kernels_as_for_games(players):
    game = CastleCards(players, 1)
    game.raw_states["phase"] = OVER
    for winners in range(1, 2**players):
        game.raw_states["winners"] = winners
        count = winners.bit_count()
        due = [1 / count if winners >> player & 1 else -1 / (players - count) for player in range(players)]
        expected = due if count < players else [0] * players
        assert game.returns() == pytest.approx(expected)
        assert game.returns() == tuple(find_return(game.raw_states[0], player) for player in range(players))


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (1, r"^action 1 \(.+\) is illegal: player 0 is to decide 'action', as by "),
        (-1, "^action must lie in 0 to 215, not -1$"),
        (10**6, "^action must lie in 0 to 215, not 1000000$"),
    ],
)
def test_an_illegal_action_is_refused_and_nothing_happens(action, said):
    game = CastleCards(3, 1)
    before = game.state.tobytes()
    for act in (game.step, game.describe):
        with pytest.raises(IllegalActionError, match=said):
            act(action)
    with pytest.raises(TypeError, match="action must be a whole number"):
        game.step("draw")
    assert game.state.tobytes() == before and game.history == ()
    finish(game)
    with pytest.raises(IllegalActionError, match="the game is over"):
        game.step(0)


def test_actions_are_told_and_read():
    game, rng, seen = CastleCards(4, 2), np.random.default_rng(1), set()
    while not game.is_terminal:
        legal = game.legal_actions()
        texts = [game.format_action(action) for action in legal]
        assert [game.parse_action(text) for text in texts] == legal and len(set(texts)) == len(texts) > 1
        words = [game.describe(action) for action in legal]
        assert len(set(words)) == len(words) and all(text.isprintable() for text in words)
        seen |= {word.split()[0] for word in words}
        game.step(legal[rng.integers(len(legal))])
    assert {"draw", "exchange", "play", "take"} <= seen


def test_a_pile_is_described_by_the_cards_whose_pawns_can_be_chosen():
    drawn = DrawnCastleCards(
        """
        . . . . . .
        . Ki1/Kn . . . .
        . Qu0/Kn2/Kn1 . . . .
        . . . . . So2
        hand 0: Merchant, Conspirator
        """,
        engine="fast",
    )
    game = CastleCards.from_history(drawn.play("Merchant", (4, 4)).game.states, ())
    assert [game.describe(action) for action in game.legal_actions()] == [
        "replace a pawn of King of player 1 on 1,1 (court)",
        "replace a pawn of Knight of player 2 or Knight of player 1 on 2,1 (court)",
        "replace a pawn of Soldier of player 2 on 3,5 (rampart)",
    ]
    drawn = DrawnCastleCards("Wi1 . . . . .\n. Ki1/Kn2 . . . .\nhand 0: Conspirator, Herald", engine="fast")
    drawn.play("Conspirator", (4, 4)).space((1, 1)).choose(("level", 1))
    game = CastleCards.from_history(drawn.game.states, ())
    assert [game.describe(action) for action in game.legal_actions()] == [
        "swap a pawn of Witch of player 1 on 0,0 (tower)",
        "swap a pawn of King of player 1 on 1,1 (court)",
    ]


@pytest.mark.parametrize("text", ["", "play", "play Joker", "at 9,9", "at outside 77", "draw!"])
def test_texts_that_are_no_actions_are_refused_with_those_that_are(text):
    game = CastleCards(2, 1)
    with pytest.raises(ValueError, match="player 0 is to decide 'action', as by "):
        game.parse_action(text)
    with pytest.raises(TypeError, match="text must be a str"):
        game.parse_action(7)


def test_numbers_that_mean_no_place_have_no_text():
    game = CastleCards(2, 1)
    numbers = range(game.num_actions)
    texts = []
    for action in numbers:
        try:
            texts.append((action, game.format_action(action)))
        except ValueError as error:
            assert "no such place outside" in str(error)
    assert all(game.parse_action(text) == action for action, text in texts)
    assert len(texts) == game.num_actions - 46  # of 47 places outside only the first is there to be taken


# --- copies ---


@pytest.mark.parametrize(
    "twin_of",
    [CastleCards.copy, copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))],
    ids=["method", "copy", "deepcopy", "pickle"],
)
def test_a_copy_goes_on_alike_and_by_itself(twin_of):
    game = CastleCards(3, 5)
    for _ in range(20):
        game.step(game.legal_actions()[-1])
    before, history = game.state.tobytes(), game.history
    twin = twin_of(game)
    assert twin == game and twin.seed == game.seed and twin.record() == game.record()
    assert finish(twin, 1) != game and game.state.tobytes() == before and game.history == history
    assert finish(game, 1) == twin and game.record() == twin.record()


def test_games_stay_equal_whatever_the_order_in_which_the_alchemist_was_given_cards():
    game = CastleCards(2, 0)
    for text in ("play Alchemist", "at 0,0"):
        game.step(game.parse_action(text))
    given, taken = (sorted(set(cards))[:2] for cards in (game.hand(0), game.position().exchange))
    twin = game.copy()
    for other, order in ((game, 1), (twin, -1)):
        for card in (*given[::order], *taken[::order]):
            other.step(other.parse_action(f"card {card}"))
    assert game == twin and game.phase == "action"
    for number, action in enumerate(game.legal_actions()):
        first, second = game.copy(), twin.copy()
        first.step(action)
        second.step(action)
        assert first == second and (number == 0 or first != game)


def test_it_is_all_the_same_which_of_the_knights_lies_where():
    game, rng = CastleCards(2, 1), np.random.default_rng(1)
    while (game.state[0].knight_space >= 0).sum() < 2:
        game.step(int(rng.choice(game.legal_actions())))
    twin, moved = game.copy(), game.copy()
    for field in ("knight_space", "knight_level", "knight_pawn"):
        twin.raw_states[0][field] = game.state[0][field][::-1]
    moved.raw_states[0].knight_space[:] += 1
    assert game == twin and game.state.tobytes() != twin.state.tobytes() and game != moved


def test_what_is_read_is_a_copy():
    game = CastleCards(2, 1)
    game.state[0].hand[:] = 0
    game.dealt_state[0].hand[:] = 0
    game.hand(0).clear()
    game.legal_action_mask()[:] = True
    assert game == CastleCards(2, 1) and game.record() == CastleCards(2, 1).record()
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)
    assert repr(game) == "<CastleCards of 2, seed 1, action>" and (game == 3) is False


def test_it_is_drawn_in_notebooks():
    assert CastleCards(2, 1)._repr_svg_().startswith("<svg") and "9 in hand" in str(CastleCards(2, 1))


def test_what_chance_drew_is_told_as_a_copy():
    game = finish(CastleCards(2, 1))
    game.draws[72] = {0: "King"}
    assert game.draws == {}
