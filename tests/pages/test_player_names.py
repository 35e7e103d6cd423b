"""One name for a player everywhere: `You`, the agent's, or that of the seat, on the pages of play and of replay."""

import json
import re

import numpy as np
import pytest

from tests.commands.test_play_session import begin
from zamek_agents.heuristic import GreedyAgent, RandomAgent
from zamek_env import Game
from zamek_env.castle_cards import CastleCards
from zamek_scripts.playing.castle_cards_presenter import CastleCardsPresenter
from zamek_scripts.playing.presenter import call_players
from zamek_scripts.playing.session import PlayedGame
from zamek_scripts.replaying.replay_page import make_story

CASTLE = "castle-cards"
PLACES = re.compile(r'data-(at|location)="[^"]*"')  # of pictures, which nobody reads
NUMBERED = re.compile(r"\bplayers? \d", re.IGNORECASE)
HIDDEN = ("action", "location", "locations", "best", "values", "marks")  # keys of a view under which notation stands
TABLES = [(CASTLE, 2), (CASTLE, 3), (CASTLE, 5), ("zamek", 2), ("carcassonne-demo", 2)]
TABLES += [pytest.param("carcassonne-demo", players, marks=pytest.mark.compiles) for players in (1, 3, 5)]


def deal(ruleset, players):
    return CastleCards(players, seed=4) if ruleset == CASTLE else Game(ruleset, 4, players=players)


def play(game, rng, most):
    """Return random actions, in notation, up to so many."""
    actions = []
    while not game.is_terminal and len(actions) < most:
        actions.append(int(rng.choice(game.legal_actions())))
        game.step(actions[-1])
    return actions


def list_texts(value):
    """Yield what of a view people may read."""
    if isinstance(value, str):
        yield PLACES.sub("", value)
    elif isinstance(value, dict):
        for key, part in value.items():
            if key not in HIDDEN:
                yield from list_texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from list_texts(part)


def check(texts):
    assert [text for text in texts if NUMBERED.search(text)] == []


@pytest.mark.parametrize(("ruleset", "players"), TABLES)
def test_play_calls_players_by_their_names_alone(ruleset, players):
    """One person, agents of one name and one of another, at all times of a game, that of tiles to its end."""
    first = deal(ruleset, players)
    game, actions = first.copy(), []
    for action in play(game.copy(), np.random.default_rng(0), 60 if ruleset == CASTLE else 1000):
        actions.append(PlayedGame(game).presenter.name(game, action))
        game.step(action)
    seats = [None, RandomAgent(), *[GreedyAgent()] * 3][:players]
    for most in (*range(0, 60, 12), len(actions)):
        session = begin(seats, ruleset=ruleset, game=first.copy(), actions=actions[:most], start=False)
        view = session.view()
        picture = session.presenter.picture(session.game, 0)
        check(list_texts([view, session.box(), session.past(most // 2), *map(list, picture[:4])]))
        named = json.dumps(view, ensure_ascii=False)
        assert "You" in named and ("greedy (third)" in named) == (players > 3)
    assert not view["over"] or any(re.match("You score|At the end you: ", text) for text in list_texts(view))
    assert view["over"] == (ruleset != CASTLE)


@pytest.mark.parametrize(("ruleset", "players"), TABLES)
def test_replay_calls_players_by_the_names_of_the_panel_alone(ruleset, players):
    game = deal(ruleset, players)
    play(game, np.random.default_rng(0), 80)
    names = call_players(["human", "random", *["greedy"] * 3][:players])
    story = make_story(game.record(names))
    assert list(story.players) == names
    said = [text for moment in story.moments for text in (*moment.sentences, *moment.hidden, *moment.areas.values())]
    drawn = [PLACES.sub("", view) for moment in story.moments for view in moment.views]
    check([story.title, story.about, *said, *drawn])
    for name in names[1:]:
        assert any(name in text for text in said)


def test_what_is_asked_of_a_player_of_castle_names_the_others():
    rng, seen = np.random.default_rng(0), set()
    for seed in range(6):
        played = PlayedGame(CastleCards(3, seed=seed), ["You", "greedy", "Third player"])
        while not played.game.is_terminal:
            game = played.game
            check([played.presenter.task(game), *(choice["words"] for choice in played.presenter.list_choices(game))])
            seen.add(game.phase)
            game.step(int(rng.choice(game.legal_actions())))
    assert {"award", "player", "pawn"} <= seen and isinstance(played.presenter, CastleCardsPresenter)
