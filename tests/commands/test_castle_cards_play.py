"""Castle, the card game, as `zamek play` shows it: choices and where they lie, hands, undo, and the command itself."""

import json
import re
from collections import Counter
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.commands.test_play_session import begin, choose, wait_until
from tests.support.castle_cards.drawn import DrawnCastleCards
from zamek_agents.heuristic import RandomAgent
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.notation.position import SECRET_PHASES
from zamek_env.castle_cards.records.step_text import describe_step, record_steps
from zamek_env.castle_cards.records.write import begin_turns
from zamek_scripts.play import Args, offer_more, set_up
from zamek_scripts.playing.castle_cards_presenter import CastleCardsPresenter
from zamek_scripts.playing.opening import Opening
from zamek_scripts.playing.presenter import ViewRequest
from zamek_scripts.playing.session import UNSEEN, PlayedGame, _find_recent
from zamek_scripts.playing.typed import clear_screen, play_typed

CASTLE = "castle-cards"
OFTEN = 5  # decisions of a kind that are looked at


def draw(text, players=3):
    """Return the game that goes on from a drawn position."""
    return CastleCards.from_history(DrawnCastleCards(text, players, "fast").game.states, ())


def sit_down(*seats, seed=3, **settings):
    """Return a session of castle-cards at which those of `seats` sit, agents or None for people."""
    return begin(seats, seed=seed, ruleset=CASTLE, game=CastleCards(len(seats), seed=seed), **settings)


def find_games(players, seeds, phases):
    """Yield (played game, number of the decision) where a game of random play is to decide one of `phases`."""
    for seed in seeds:
        played, rng = PlayedGame(CastleCards(players, seed=seed)), np.random.default_rng(seed)
        while not played.game.is_terminal:
            if played.game.phase in phases:
                yield played
            played.play(int(rng.choice(played.game.legal_actions())), is_final=False)


def play_on(played, goes_on):
    """Play randomly as long as `goes_on` of the game is true."""
    rng = np.random.default_rng(0)
    while not played.game.is_terminal and goes_on(played.game):
        played.play(int(rng.choice(played.game.legal_actions())), is_final=True)


def list_places(presenter, game, viewer):
    """Return all locations that the page shows as ones to choose."""
    request = ViewRequest(viewer, may_choose=True)
    drawn = [
        group.get("data-location")
        for picture in presenter.pictures(game, request)
        for group in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}g")
        if group.get("class") == "choice"
    ]
    return drawn + [button["location"] for button in presenter.list_buttons(game, request)]


@pytest.mark.parametrize("players", [2, 5])
def test_every_choice_lies_in_one_place(players):
    presenter, phases, rng = CastleCardsPresenter(), Counter(), np.random.default_rng(0)
    for seed in range(5):
        game = CastleCards(players, seed=seed)
        while not game.is_terminal:
            phases[game.phase] += 1
            if phases[game.phase] <= OFTEN:
                places = list_places(presenter, game, game.current_player)
                for choice in presenter.list_choices(game):
                    assert places.count(choice["location"]) == 1, (game.phase, choice)
                assert game.phase not in presenter.task(game).split(":")  # words, not names of phases
            game.step(int(rng.choice(game.legal_actions())))
    assert len(phases) >= 12


# --- what is hidden ---


@pytest.mark.parametrize("seats", [(None, RandomAgent(), RandomAgent()), (None, None), (RandomAgent(),) * 3])
def test_what_is_shown_does_not_depend_on_what_is_hidden_from_the_viewer(seats, monkeypatch):
    monkeypatch.setattr("threading.Thread.start", lambda thread: None)  # agents do not decide by themselves
    session, rng, phases = sit_down(*seats), np.random.default_rng(3), Counter()
    while not session.game.is_terminal:
        game = session.game
        phases[game.phase] += 1
        if phases[game.phase] <= OFTEN:
            if rng.random() < 0.5:
                session.uncover(session.state)
            before = json.dumps(session.view())
            session.played.game = game.concealed(np.random.default_rng(0), session.viewer)
            session._shown = None  # else it is not made anew
            assert json.dumps(session.view()) == before
            session.played.game = game
        session.played.play(int(rng.choice(game.legal_actions())), is_final=not session.is_persons_turn)
        session._number += 1
        session._revise()


def test_others_are_not_told_which_card_was_passed_or_given():
    phases = set()
    for played in find_games(3, range(4), SECRET_PHASES):
        game, presenter = played.game, played.presenter
        action = game.legal_actions()[0]
        assert not presenter.is_open(game, action)
        phases.add(game.phase)
    assert phases == set(SECRET_PHASES)
    session = sit_down(None, None)
    while session.game.phase not in SECRET_PHASES:
        session.uncover(session.state)
        session.move(session.state, session.presenter.name(session.game, session.game.legal_actions()[-1]))
    player, number = session.game.current_player, session.view()["played"]
    while session.game.current_player == player:
        session.uncover(session.state)
        session.move(session.state, session.presenter.name(session.game, session.game.legal_actions()[0]))
    session.uncover(session.state)
    seen = session.view()
    move = seen["moves"][number - seen["played"]]
    assert (move["player"], move["action"], move["words"]) == (player, "", UNSEEN)


def list_news(game, action):
    """Return a sentence of each step that an action brings when it is played in `game`."""
    states = game.state
    return [describe_step(player, step) for player, step in record_steps(states, action, begin_turns(states))]


@pytest.mark.parametrize("seats", [(None, RandomAgent(), RandomAgent()), (RandomAgent(),) * 3])
def test_what_happened_since_is_told_without_what_the_viewer_does_not_know(seats, monkeypatch):
    monkeypatch.setattr("threading.Thread.start", lambda thread: None)  # agents do not decide by themselves
    # which take long, and tell of no steps in words
    monkeypatch.setattr(CastleCardsPresenter, "pictures", lambda *_: [])
    session, rng, secrets, told = sit_down(*seats), np.random.default_rng(3), set(), Counter()
    viewer = session.viewer
    while not session.game.is_terminal:
        player, action = session.game.current_player, int(rng.choice(session.game.legal_actions()))
        secrets |= {each.hidden for each in list_news(session.game, action) if viewer not in each.knowing} - {""}
        session.played.play(action, is_final=True)
        session._revise()
        lines = [line["words"] for line in session.view()["recent"]]
        assert not secrets & set(lines)
        told[player] += len(lines)
    assert len(secrets) > 10 and len(told) == 3 and min(told.values()) > 20


def test_what_happened_since_begins_after_ones_own_last_decision():
    game = draw("hand 0: Soldier, Archer\nhand 1: Spy, Captain\nhand 2: Thief, Priest\nturn: 0, 1 left")
    session = begin((None, RandomAgent(), None), ruleset=CASTLE, game=game)
    played = session.played
    texts = ["draw", "play Captain", "at 0,2", "draw", "draw", "play Priest", "at 1,1"]
    for text in texts:
        played.play(played.game.parse_action(text), is_final=False)
    since = _find_recent(played, 0)
    assert [move.action for move in since] == texts
    request = ViewRequest(0, recent=[(move.game, move.action) for move in since])
    words = [line["words"] for line in played.presenter.sum_up(request)]
    assert words == [
        "random plays Captain on 0,2 (rampart).",
        "random draws a card.",
        "The third player draws a card.",
        "The third player plays Priest on 1,1 (court).",
    ]
    assert _find_recent(played, 2) == since  # who has not decided before
    assert [move.action for move in _find_recent(played, None)] == ["draw", "play Priest", "at 1,1"]
    marked = "".join(played.presenter.pictures(played.game, request))
    assert re.findall('class="change" data-where="([^"]+)"', marked) == ["0,2", "1,1"]


def test_a_decision_in_the_turn_of_another_is_not_ones_own_turn():
    """Player 1 has to choose a card for the Fool, and is told all of that turn."""
    played = PlayedGame(draw("hand 0: Fool, Archer\nhand 1: Spy, Queen\nhand 2: Thief\nturn: 0, 1 left"))
    for text in ("play Fool", "at 1,1", "card Queen"):
        played.play(played.game.parse_action(text), is_final=False)
    assert played.game.turn_player == played.game.current_player == 1
    assert [move.action for move in _find_recent(played, 1)] == ["play Fool", "at 1,1", "card Queen"]
    since = [(move.game, move.action) for move in _find_recent(played, 1)]
    words = [line["words"] for line in played.presenter.sum_up(ViewRequest(1, recent=since))]
    assert words[0] == "Player 0 plays Fool on 1,1 (court)."
    assert "Queen goes from the hand of player 1 to player 2." in words
    assert "A card goes from the hand of player 2 to player 0." in words


def test_equal_sentences_in_a_row_are_told_once():
    session = sit_down(None, RandomAgent())
    played = session.played
    for text in ("draw", "draw", "draw", "draw"):
        played.play(played.game.parse_action(text), is_final=False)
    (line,) = session.presenter.sum_up(ViewRequest(0, recent=[(move.game, move.action) for move in played.moves]))
    assert line == {"player": 1, "words": "random draws a card.", "places": [], "times": 2}


def test_a_player_who_had_to_pass_is_told_of():
    """The player could do nothing in the turn after the viewer's, so no decision of others was made there."""
    towers = ["Lo1 . . . . Ma1", *[". . . . . ."] * 4, "Wi1 . . . . Al1"]
    hands = ["hand 0: Soldier, Dragon, King", "hand 1: Archer", "deck 1: none", "turn: 0, 1 left"]
    played = PlayedGame(draw("\n".join([*towers, *hands]), players=2))
    for text in ("play Soldier", "at 0,1"):
        played.play(played.game.parse_action(text), is_final=False)
    since, said = [(move.game, move.action) for move in played.moves], "Player 1 can do nothing and passes."
    assert [line["words"] for line in played.presenter.sum_up(ViewRequest(0, recent=since))] == [said]
    assert [each.seen for each in played.moves[-1].news] == [said]
    assert played.game.current_player == 0 and not played.can_undo  # it says something of the hand


# --- undo ---


def test_a_decision_is_taken_back_until_it_has_shown_a_card():
    session = sit_down(None, RandomAgent())
    texts = [choice["action"] for choice in session.view()["choices"]]
    before = session.game
    session.move(session.state, next(text for text in texts if text.startswith("give")))
    assert session.view()["can_undo"] and session.game.phase == "take"
    session.undo(session.state)
    assert session.game == before
    session.move(session.state, "draw")
    assert not session.view()["can_undo"]


def test_nobody_can_take_back_what_has_shown_something_hidden():
    """What a player may take back would have come out the same, however the hidden cards were dealt."""
    undone = 0
    for seed in range(4):
        played, rng = PlayedGame(CastleCards(3, seed=seed)), np.random.default_rng(seed)
        while not played.game.is_terminal:
            before, player = played.game, played.game.current_player
            action = int(rng.choice(before.legal_actions()))
            played.play(action, is_final=False)
            if played.can_undo and rng.random() < 0.3:
                undone += 1
                twin = before.concealed(rng, player)
                twin.step(action)
                assert twin.public_key(player) == played.game.public_key(player)
    assert undone > 20


# --- the command ---


@pytest.fixture
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("settings", "seats"),
    [
        ({}, ("human", "greedy")),
        ({"players": 4, "seat": 2}, ("greedy", "greedy", "human", "greedy")),
        ({"against": ("greedy", "human", "random")}, ("human", "greedy", "human", "random")),
        ({"against": ("greedy", "random"), "watch": True}, ("greedy", "random")),
    ],
)
def test_as_many_sit_down_as_are_named(settings, seats, own_folder):
    session, _ = set_up(Args(ruleset=CASTLE, seed=1, **settings))
    assert session.deal.seats == seats and session.game.num_players == len(seats)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"players": 6}, "--players must be one of 2, 3, 4, 5, not 6"),
        ({"players": 3, "against": ("greedy", "random", "random")}, "--against must name one player .* or 2, not 3"),
        ({"against": ("greedy",) * 5}, "--players must be one of 2, 3, 4, 5, not 6"),
        ({"ruleset": "zamek", "players": 3}, "--players must be 2 in the ruleset zamek, not 3"),
        ({"components": "x"}, "--components is for games of tiles only"),
    ],
)
def test_who_cannot_play_is_said_in_one_line(settings, message, own_folder):
    with pytest.raises(ValueError, match=message):
        set_up(Args(**({"ruleset": CASTLE, "seed": 1} | settings)))


def test_a_game_of_three_is_kept_resumed_and_recorded(own_folder):
    first, path = set_up(Args(ruleset=CASTLE, seed=1, players=3, against=("random",), pace=0.0))
    first.start()
    for _ in range(4):
        wait_until(lambda: first.is_persons_turn)
        choose(first, np.random.default_rng(0))
    wait_until(lambda: first.is_persons_turn)
    first.close()
    again, _ = set_up(Args(resume=path, record=own_folder / "game.json", pace=0.0))
    assert again.game == first.game and again.names == ["human", "random", "random"]
    play_on(again.played, lambda game: max(game.scores) < -2)  # to near the end
    again.start()
    while not again.game.is_terminal:
        wait_until(lambda: again.is_persons_turn or again.game.is_terminal)
        if not again.view()["over"]:
            choose(again, np.random.default_rng(0))
    again.view()  # waits until the last move is kept
    record = json.loads((own_folder / "game.json").read_text())
    assert CastleCards.replay(record) == again.game and record["agents"] == again.names


def test_a_kept_game_of_too_many_is_refused(own_folder):
    session, path = set_up(Args(ruleset=CASTLE, seed=1, players=3))
    session.start()
    session.close()
    kept = json.loads(path.read_text())
    path.write_text(json.dumps(kept | {"seats": ["human"] * 6}))
    with pytest.raises(ValueError, match="seats must be 2 to 5 names, not 6"):
        set_up(Args(resume=path))


def test_another_game_is_offered_for_all_numbers_of_players_and_all_seats(own_folder):
    opening = Opening()
    offer_more(Args(ruleset=CASTLE, against=("greedy", "random")), opening)
    tables = opening.offers.view()["rulesets"]
    assert (tables["zamek"], tables["carcassonne"], tables[CASTLE]) == ([2], [1, 2, 3, 4, 5], [2, 3, 4, 5])
    session = opening.offers.make(CASTLE, "random", 4, 3)
    assert session.names == ["random", "random", "random", "human"]
    session.close()


def test_hands_are_shown_in_the_terminal_to_one_person_at_a_time(own_folder, monkeypatch, capsys):
    lines = iter(["", "draw", "draw", "", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt: print(prompt) or next(lines))
    monkeypatch.setattr("zamek_scripts.playing.typed.clear_screen", lambda: print("(cleared)"))
    session, _ = set_up(Args(ruleset=CASTLE, seed=3, against=("human",), terminal=True))
    session.start()
    play_typed(session)
    said = capsys.readouterr().out
    assert said.count("(cleared)") == 1 and said.rindex("(cleared)") < said.rindex("press Enter")
    assert said.count("  hand: ") == 3 and said.count("press Enter when nobody else is looking") == 2
    assert "First player: draw a card, exchange one, or play one (" in said


def test_the_next_person_finds_nothing_that_the_last_one_typed():
    readline = pytest.importorskip("readline", reason="not on Windows")
    readline.add_history("give King")
    clear_screen()
    assert readline.get_current_history_length() == 0


def test_only_those_concerned_are_told_which_card_went_from_hand_to_hand():
    session = sit_down(None, RandomAgent(), RandomAgent())
    session.move(session.state, "draw")
    (news,) = session.view()["moves"][0]["news"]
    assert re.fullmatch(r"You draw (?!a card).+\.", news)
    for played in find_games(4, range(3), ["pass-on"]):
        game = played.game
        for each in played.presenter.describe_news(game, game.legal_actions()[0]):
            words = [each.words_for(viewer) for viewer in (None, 0, 1, 2, 3)]
            assert words.count(each.seen) == len(words) - len(each.knowing) and each.words_for(None) == each.seen
