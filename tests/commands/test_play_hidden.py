"""`zamek play`: what may be taken back, whose hand is shown to whom, and what comes too late to be shown."""

import re

import numpy as np
import pytest

from tests.commands.test_castle_cards_play import CASTLE, draw, sit_down
from tests.commands.test_play_session import DEMO, Slow, begin, choose, wait_until
from tests.support.castle_cards.drawn import DrawnCastleCards
from tests.support.scripted_agent import Valuing
from zamek_agents.heuristic import RandomAgent
from zamek_env import Game
from zamek_env.castle_cards import CastleCards
from zamek_env.evaluation import PROBABILITY, Evaluation
from zamek_scripts.playing.castle_cards_presenter import CastleCardsPresenter
from zamek_scripts.playing.presenter import ViewRequest
from zamek_scripts.playing.session import NotNowError, PlayedGame, StaleError
from zamek_scripts.playing.tile_presenter import TilePresenter

FOOL = "hand 0: Fool, Archer\nhand 1: Spy, Queen\nhand 2: Thief"  # player 1 alone chooses which card to pass


def play_texts(played, *texts):
    """Play actions in notation, all of people."""
    for text in texts:
        played.play(played.game.parse_action(text), is_final=False)


# --- undo ---


def test_nobody_takes_back_what_an_agent_has_decided_in_its_turn():
    class Placing(Slow):
        """Lays its tile, and then thinks."""

        def act(self, game, rng):
            return game.legal_actions()[0] if game.phase == "place" else super().act(game, rng)

    session = begin((Placing(), None))
    wait_until(lambda: session.view()["played"] == 1)
    assert session.game.phase == "send" and not session.view()["can_undo"]
    with pytest.raises(NotNowError, match="was another's"):
        session.undo(session.state)
    session.close()


def test_nobody_takes_back_what_an_agent_had_decided_when_the_game_was_left():
    game = Game(DEMO, 3)
    session = begin((Slow(), None), actions=[game.format_action(game.legal_actions()[0])])
    assert session.game.phase == "send" and not session.view()["can_undo"]
    session.close()


def test_the_card_that_comes_by_the_fool_is_not_given_back():
    """All hands hold one card: each is passed without a decision, and player 0 goes on."""
    played = PlayedGame(draw("hand 0: Fool, Archer\nhand 1: Spy\nhand 2: Thief"))
    play_texts(played, "play Fool", "at 1,1")
    assert played.game.current_player == 0 and played.game.hand(0) == {"Thief": 1} and not played.can_undo


def test_a_stolen_card_has_been_seen_and_what_was_given_for_it_stays_given():
    played = PlayedGame(draw("hand 0: Courtesan, Soldier, Archer\nhand 1: Spy\nhand 2: Thief"))
    play_texts(played, "play Courtesan", "at 1,1", "player 1")
    assert played.game.phase == "steal-give" and not played.can_undo
    play_texts(played, "card Soldier")
    assert played.game.current_player == 0 and not played.can_undo


def test_nobody_takes_back_the_card_that_another_has_chosen_to_pass():
    played = PlayedGame(draw("hand 0: Fool, Archer\nhand 1: Spy, Queen\nhand 2: Thief, Priest"))
    play_texts(played, "play Fool", "at 1,1", "card Queen")
    assert (played.game.current_player, played.game.phase) == (2, "pass-on") and not played.can_undo


# --- hands ---


def test_a_hand_is_covered_anew_once_an_agent_has_decided():
    session = begin((None, RandomAgent(), None), ruleset=CASTLE, game=draw(FOOL))
    session.uncover(session.state)
    session.move(session.state, "play Fool")
    assert not session.view()["covered"]
    session.move(session.state, "at 1,1")
    wait_until(lambda: session.view()["played"] == 3)
    assert session.game.current_player == 0 and session.view()["covered"] and session.viewer is None


def test_a_page_that_has_missed_a_move_does_not_uncover_a_hand():
    session = sit_down(None, None)
    before = session.state
    session.uncover(before)
    session.move(before, "draw")
    session.move(session.state, "draw")
    with pytest.raises(StaleError):
        session.uncover(before)
    assert session.view()["covered"]


def test_what_an_agent_thinks_of_a_hand_is_covered_with_it():
    session = sit_down(None, None)
    session.adviser = Valuing(lambda count: np.full(count, 0.25), PROBABILITY)
    session.start()
    wait_until(lambda: session.evaluation)
    assert session.view()["covered"] and session.view()["advice"] is None
    session.uncover(session.state)
    assert set(session.view()["advice"]["marks"].values()) == {"25%"}


def test_a_terminal_shows_what_the_viewer_holds_and_knows_whoever_decides():
    text = "hand 0: King\nhand 1: Spy, Queen\nhand 2: Thief\nexchange: Witch\nturn: 0, 1 left"
    game, presenter = draw(text), CastleCardsPresenter()
    game.step(game.parse_action("give King"))  # all see which card player 0 has now
    assert game.current_player == 1
    assert [re.findall("hand: (.+)", presenter.text(game, viewer)) for viewer in (None, 0, 1, 2)] == [
        [],
        ["Witch"],
        ["Witch", "Queen, Spy"],
        ["Witch", "Thief"],
    ]


def test_the_news_of_a_move_begin_where_its_own_words_end():
    played = PlayedGame(draw(FOOL))
    play_texts(played, "play Fool", "at 1,1", "card Queen")
    seen = [[each.words_for(None) for each in move.news] for move in played.moves]
    assert seen == [[], [], [f"A card goes from the hand of player {n} to player {(n + 1) % 3}." for n in range(3)]]
    play_texts(played, "draw")
    assert [each.words_for(1) for each in played.moves[-1].news] == ["Player 0 draws a card."]


def test_a_place_with_several_choices_bears_the_value_of_the_best():
    drawn = DrawnCastleCards("Wi1 . . . . .\n. Ki1/Kn2 . . . .\nhand 0: Conspirator, Herald", engine="fast")
    game = CastleCards.from_history(drawn.play("Conspirator", (4, 4)).space((1, 1)).game.states, ())
    assert list(map(game.format_action, game.legal_actions())) == ["level 0", "level 1"]
    for values, shown in (([0.9, 0.1], "90%"), ([0.1, 0.9], "90%"), ([np.nan, 0.9], "90%"), ([np.nan] * 2, "?")):
        evaluation = Evaluation(game.legal_actions(), np.array(values), PROBABILITY)
        pictures = "".join(CastleCardsPresenter().pictures(game, ViewRequest(0, True, evaluation)))
        assert re.findall(r">(\d+%|\?)</text>", pictures) == [shown]


# --- what comes too late, and what comes again ---


@pytest.mark.parametrize("fails", [False, True])
def test_a_hint_on_what_is_past_is_neither_shown_nor_complained_of(fails, monkeypatch):
    def think(count):
        choose(session, np.random.default_rng(0))  # the person decides meanwhile
        if fails:
            raise RuntimeError("no idea")
        return np.zeros(count)

    threads = []
    monkeypatch.setattr("threading.Thread.start", lambda thread: threads.append(thread))
    session = begin()
    session.adviser = Valuing(think)
    session.start()
    threads[0].run()
    assert session.view()["played"] == 1 and len(threads) == 2
    assert session.view()["advice"] is None and session.view()["trouble"] == {}


def test_agents_of_a_game_that_is_resumed_go_on_with_the_same_chance():
    class Noting(Slow):
        """Notes its chance, and thinks."""

        def act(self, game, rng):
            noted.append((len(game.history), rng.random()))
            return super().act(game, rng)

    noted, game = [], Game(DEMO, 3)
    first = game.format_action(game.legal_actions()[0])
    for number, actions in enumerate(([], [], [first], [first]), 1):
        session = begin((Noting(), None), actions=actions)
        wait_until(lambda number=number: len(noted) == number)
        session.close()
    (begun, again), (left, resumed) = noted[:2], noted[2:]
    assert begun == again and left == resumed and begun[1] != left[1]


# --- the end ---


def test_the_winner_is_the_player_with_more_points(capsys):
    game, rng, actions = Game(DEMO, 3), np.random.default_rng(0), []
    while not game.is_terminal:
        actions.append(game.format_action(int(rng.choice(game.legal_actions()))))
        game.step(game.parse_action(actions[-1]))
    assert len(set(game.scores)) == 2
    assert begin(actions=actions).view()["winners"] == [int(np.argmax(game.scores))]


@pytest.mark.compiles
@pytest.mark.parametrize("hand", ["hidden", "open"])
def test_of_tiles_in_hands_the_page_shows_the_viewers_own_and_those_that_lie_open(hand):
    game, presenter = Game("carcassonne-demo", 3, players=3, rules={"hand": hand}), TilePresenter()
    held = [[game.ruleset.tile(tile).id for tile in row] for row in game.state[0].hand.tolist()]
    for viewer in (0, 1, 2):
        assert [button["tile"] for button in presenter.list_buttons(game, ViewRequest(viewer))] == held[viewer]
    assert presenter.list_buttons(game, ViewRequest()) == []
    said = [fact for fact in presenter.beside(game).facts if "holds" in fact]
    assert said == [f"Player {player} holds {', '.join(row)}" for player, row in enumerate(held) if hand == "open"]
    assert [choice["location"] for choice in presenter.list_choices(game)] == [
        f"hand {game.ruleset.actions.parse_choose(action)}" for action in game.legal_actions()
    ]
