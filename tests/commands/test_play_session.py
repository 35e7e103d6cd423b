"""`zamek_scripts.playing.session`: moves, undo, agents that think, the kept file, and what is shown."""

import json
import re
import threading
import time

import numpy as np
import pytest

from tests.support.card_game import CardGame
from tests.support.games import finish
from tests.support.scripted_agent import Valuing
from zamek_agents.heuristic import GreedyAgent, RandomAgent
from zamek_env import Game
from zamek_env.fair_play import ask
from zamek_env.records.step_text import describe_news
from zamek_env.records.write import Recorder
from zamek_scripts.playing.kept_game import HUMAN, Keeper, KeptGame, read_kept
from zamek_scripts.playing.presenter import call_players
from zamek_scripts.playing.session import UNSEEN, NotNowError, PlayedGame, Session, StaleError
from zamek_scripts.playing.tile_presenter import TilePresenter

PATIENCE = 30.0  # seconds
DEMO = "carcassonne-demo"


def wait_until(met):
    """Wait until `met()`; fail where that takes too long."""
    until = time.monotonic() + PATIENCE
    while not met():
        assert time.monotonic() < until, "nothing happened"
        time.sleep(0.002)


def begin(seats=(None, None), seed=3, ruleset=DEMO, keeper=None, actions=(), game=None, start=True):
    """Return a session at which those of `seats` sit, agents or None for people."""
    names = tuple(HUMAN if agent is None else agent.name for agent in seats)
    deal = KeptGame(ruleset, None, seed, names, tuple(actions))
    session = Session(game or Game(ruleset, seed), deal, seats, keeper)
    if start:
        session.start()
    return session


def choose(session, rng):
    """Play a random choice of those shown."""
    view = session.view()
    session.move(view["state"], view["choices"][rng.integers(len(view["choices"]))]["action"])


def play_to_the_end(session, rng):
    """Play random actions for people, whichever are shown."""
    while not session.game.is_terminal:
        if session.is_persons_turn:
            state, game = session.view()["state"], session.game  # a view waits until an agent's move is done
            session.move(state, session.presenter.name(game, int(rng.choice(game.legal_actions()))))
        else:
            wait_until(lambda: session.is_persons_turn or session.game.is_terminal)


class Slow:
    """Decides once it is let, and counts how often it was asked."""

    name = "slow"

    def __init__(self):
        self.may_decide, self.asked = threading.Event(), 0

    def act(self, game, rng):
        self.asked += 1
        assert self.may_decide.wait(PATIENCE)
        return game.legal_actions()[0]


class Hurried(Slow):
    """Searches until it is hurried."""

    name, simulations = "hurried", 12_345

    def hurry(self):
        self.may_decide.set()


class Failing:
    """Fails until it is repaired."""

    name, broken = "failing", True

    def act(self, game, rng):
        if self.broken:
            raise RuntimeError("no idea")
        return game.legal_actions()[0]


# --- agents that are hurried ---


def test_an_agent_is_hurried_while_it_thinks_and_nobody_else_is():
    session = begin((Hurried(), None))
    doing = session.doing()
    assert (doing["simulations"], doing["can_hurry"]) == (12_345, True) and doing["seconds"] >= 0
    with pytest.raises(StaleError):
        session.hurry("an old state")
    session.hurry(session.state)
    wait_until(lambda: session.is_persons_turn)
    assert session.view()["played"] > 0 and session.doing() == {}
    with pytest.raises(NotNowError, match="nobody is thinking who can be hurried"):
        session.hurry(session.state)
    slow = Slow()
    other = begin((slow, None))
    assert not other.doing()["can_hurry"]
    with pytest.raises(NotNowError, match="nobody is thinking who can be hurried"):
        other.hurry(other.state)
    slow.may_decide.set()


# --- moves ---


@pytest.mark.parametrize("ruleset", ["sokol", DEMO])
def test_a_whole_game_is_played_by_what_is_shown(ruleset):
    session, rng = begin((None, RandomAgent()), ruleset=ruleset), np.random.default_rng(0)
    while not session.game.is_terminal:
        wait_until(lambda: session.is_persons_turn or session.game.is_terminal)
        if session.is_persons_turn:
            choose(session, rng)
    view = session.view()
    assert view["over"] and view["choices"] == [] and view["scores"] == list(session.game.scores)
    again = Game.replay(json.loads(json.dumps(session.record())))
    assert again.scores == session.game.scores and session.record()["players"] == ["human", "random"]


def test_the_tile_laid_last_is_outlined():
    session, cells = begin(), []
    while len(cells) < 3:
        view = session.view()
        assert re.findall(r'<g class="last" data-cell="([^"]+)"', view["pictures"][0]) == cells[-1:]
        session.move(view["state"], view["choices"][0]["action"])
        cells.append(view["choices"][0]["location"])
        if session.game.phase == "send":
            session.move(session.state, "-")


def test_players_at_one_screen_and_agents_of_one_name_are_told_apart():
    assert call_players([HUMAN, "greedy"]) == ["You", "greedy"]
    assert call_players([HUMAN, HUMAN, "mcts"]) == ["First player", "Second player", "mcts"]
    assert call_players(["greedy", HUMAN, "greedy"]) == ["greedy (first)", "You", "greedy (third)"]


def test_a_move_that_comes_too_late_is_refused():
    session = begin()
    view = session.view()
    session.move(view["state"], view["choices"][0]["action"])
    before = session.view()
    with pytest.raises(StaleError):
        session.move(view["state"], view["choices"][0]["action"])
    assert session.view() == before


def test_a_page_of_an_earlier_session_does_not_fit():
    state = begin().state
    with pytest.raises(StaleError):
        begin().move(state, "-")


@pytest.mark.parametrize("text", ["", "A@99,99N", "-", "end", "score 0,0.c1", "é\ud800", "x" * 9000])
def test_what_is_no_legal_action_is_refused(text):
    session = begin()
    before = session.view()
    with pytest.raises(ValueError, match=r"place|action"):
        session.move(session.state, text)
    assert session.view() == before


def test_nobody_plays_for_an_agent_or_after_the_end():
    agent = Slow()
    session = begin((agent, None))
    with pytest.raises(NotNowError, match="turn of slow"):
        session.move(session.state, session.game.format_action(session.game.legal_actions()[0]))
    assert session.view()["thinking"] and session.view()["choices"] == []
    session.close()
    agent.may_decide.set()
    session = begin()
    play_to_the_end(session, np.random.default_rng(1))
    with pytest.raises(NotNowError, match="over"):
        session.move(session.state, "-")


# --- undo ---


def test_a_placement_is_taken_back_until_something_new_is_shown():
    session = begin()
    first = session.view()
    assert not first["can_undo"]
    session.move(first["state"], first["choices"][0]["action"])
    assert session.view()["can_undo"] and session.view()["task"].startswith("send")
    session.undo(session.state)
    now = session.view()
    assert now["choices"] == first["choices"] and now["pictures"] == first["pictures"] and now["moves"] == []
    session.move(now["state"], now["choices"][0]["action"])
    session.move(session.state, "-")  # the next tile is drawn
    assert not session.view()["can_undo"]
    with pytest.raises(NotNowError):
        session.undo(session.state)


def test_no_undo_shows_a_token_or_a_tile():
    """Along a game: whatever may be taken back, all that was hidden before is hidden still."""
    session, greedy, rng = begin(seed=0, ruleset="zamek"), GreedyAgent(), np.random.default_rng(0)
    undoable, kept_back = 0, 0
    for _ in range(90):
        before, player = session.game.position(), session.game.current_player
        session.move(session.state, session.game.format_action(ask(greedy.act, session.game, rng)))
        after = session.game.position()
        has_shown = (after.remaining, after.towers) != (before.remaining, before.towers)
        if session.played.can_undo:
            undoable += 1
            assert not has_shown and session.game.current_player == player
        elif session.game.current_player == player:
            kept_back += 1
            assert has_shown
    assert undoable > 20 and kept_back > 0


# --- agents ---


def test_what_an_agent_decides_too_late_is_dropped():
    agent = Slow()
    session = begin((None, agent))
    while session.is_persons_turn:
        session.move(session.state, session.view()["choices"][0]["action"])
    session.close()
    before = session.view()
    agent.may_decide.set()
    time.sleep(0.1)
    assert session.view() == before


def test_nobody_is_to_decide_where_an_agent_ends_the_game_meanwhile(monkeypatch):
    session = begin((RandomAgent(), None))
    session.close()
    over = finish(Game(DEMO, 3))
    looks = iter([Game(DEMO, 3), over])
    monkeypatch.setattr(Session, "game", property(lambda session: next(looks, over)))
    assert not session.is_persons_turn


def test_an_agent_that_fails_is_asked_again():
    agent = Failing()
    session = begin((agent, None))
    wait_until(lambda: "agent" in session.view()["trouble"])
    view = session.view()
    assert "RuntimeError: no idea" in view["trouble"]["agent"] and not view["thinking"]
    agent.broken = False
    session.ask_again(view["state"])
    wait_until(lambda: session.view()["played"] > 0)
    assert session.view()["trouble"] == {}


def test_an_agent_is_handed_nothing_hidden_and_nothing_of_ours():
    class Spoiler:
        name = "spoiler"

        def act(self, game, rng):
            assert game.seed is None and game is not session.game
            action = game.legal_actions()[0]
            game.step(action)
            return action

    session = begin((None, Spoiler()))
    rng = np.random.default_rng(0)
    for _ in range(4):
        wait_until(lambda: session.is_persons_turn)
        choose(session, rng)
    assert session.view()["trouble"] == {}
    Game.replay(session.game.record())


def test_the_values_of_an_agent_are_shown_to_people():
    session = begin((None, RandomAgent()))
    session.adviser = Valuing(lambda count: [np.nan, *range(1, count)])
    session.start()
    wait_until(lambda: session.view()["advice"])
    view = session.view()
    names = [choice["action"] for choice in view["choices"]]
    assert view["advice"]["values"] == {name: float(rank) for rank, name in enumerate(names) if rank}
    assert view["advice"]["best"] == names[-1] and view["advice"]["marks"][names[1]] == "+1.0"
    assert f"+{len(names) - 1}.0</text>" in view["pictures"][0]
    json.dumps(view, allow_nan=False)
    session.move(view["state"], names[0])  # the hint did not make what was seen stale
    assert session.view()["advice"] is None or session.view()["state"] != view["state"]


def test_an_adviser_is_not_asked_about_what_is_past():
    def think(count):
        asked.append(count)
        assert may_answer.wait(PATIENCE)
        return np.zeros(count)

    asked, may_answer, session = [], threading.Event(), begin()
    session.adviser = Valuing(think)
    session.start()
    wait_until(lambda: len(asked) == 1)
    first = session.view()["choices"][0]["action"]
    for _ in range(3):
        session.move(session.state, first)
        session.undo(session.state)
    may_answer.set()
    wait_until(lambda: session.view()["advice"])
    assert len(asked) == 2


# --- what is hidden ---


@pytest.mark.parametrize("ruleset", ["zamek", "sokol", DEMO])
def test_what_is_shown_does_not_depend_on_what_is_hidden(ruleset):
    session, rng = begin(ruleset=ruleset), np.random.default_rng(5)
    for number in range(60):
        if session.game.is_terminal:
            break
        if number % 3 == 0:
            before = json.dumps(session.view())
            session.game.redeal(np.random.default_rng(number))
            session._shown = None  # else it is not made anew
            assert json.dumps(session.view()) == before
        choose(session, rng)


# --- hands ---


def test_hands_are_covered_between_people():
    session = begin((None, None, None), ruleset="cards", game=CardGame(seed=1))
    view = session.view()
    assert view["covered"] and view["choices"] == [] and session.viewer is None
    with pytest.raises(NotNowError):
        session.move(view["state"], str(session.game.legal_actions()[0]))
    session.uncover(view["state"])
    view = session.view()
    legal = session.game.legal_actions()
    assert [choice["action"] for choice in view["choices"]] == [*map(session.game.describe, legal)]
    session.move(view["state"], view["choices"][0]["action"])
    assert session.view()["covered"] and not session.view()["can_undo"]
    assert session.view()["moves"] == [{"player": 0, "action": "", "words": UNSEEN, "news": [], "gains": []}]


def test_one_person_among_agents_needs_no_cover():
    session = begin((None, RandomAgent(), RandomAgent()), ruleset="cards", game=CardGame(seed=1))
    rng = np.random.default_rng(0)
    play_to_the_end(session, rng)
    assert session.view()["over"] and session.viewer == 0


# --- the kept file ---


def test_a_game_goes_on_where_it_was_left(tmp_path):
    path, rng = tmp_path / "new" / "game.json", np.random.default_rng(3)
    session = begin(keeper=Keeper(path))
    for _ in range(9):
        choose(session, rng)
    if session.view()["can_undo"]:
        session.undo(session.state)
    kept, keeper = read_kept(path)
    again = begin(keeper=keeper, actions=kept.actions)
    assert again.game == session.game and again.view()["can_undo"] == session.view()["can_undo"]
    assert again.view()["moves"] == session.view()["moves"]
    choose(again, rng)
    assert len(read_kept(path)[0].actions) == len(again.view()["moves"])


def test_play_goes_on_while_the_file_is_not_as_it_was_written(tmp_path):
    path, rng = tmp_path / "game.json", np.random.default_rng(0)
    session = begin(keeper=Keeper(path))
    held = path.read_text()
    path.write_text(changed := held.replace("human", "another"))
    choose(session, rng)
    assert "changed by another program" in session.view()["trouble"]["file"] and path.read_text() == changed
    path.unlink()
    choose(session, rng)
    assert "was removed by another program" in session.view()["trouble"]["file"] and not path.exists()
    path.write_text(held)
    choose(session, rng)
    assert session.view()["trouble"] == {} and read_kept(path)[0].actions == session.played.actions
    assert session.view()["played"] == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda fields: [], "must be an object"),
        (lambda fields: fields | {"format": "zamek-record/1"}, "format must be 'zamek-play/1'"),
        (lambda fields: fields | {"seed": -1}, "seed must lie in 0 to"),
        (lambda fields: fields | {"seed": True}, "seed must be a whole number"),
        (lambda fields: fields | {"ruleset": 7}, "ruleset must be text"),
        (lambda fields: fields | {"components": {}}, "components must be text"),
        (lambda fields: fields | {"seats": []}, "seats must hold 1 to 64 texts, not 0"),
        (lambda fields: fields | {"actions": "all"}, "actions must be a list of texts"),
        (lambda fields: fields | {"actions": [1]}, "actions must be a list of texts"),
    ],
)
def test_a_kept_file_is_checked(change, message, tmp_path):
    path = tmp_path / "game.json"
    Keeper(path).keep(KeptGame(DEMO, None, 3, ("human", "random")))
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    with pytest.raises(ValueError, match=message):
        read_kept(path)


@pytest.mark.parametrize("text", ["", "{", "\x00", "[" * 100_000, '{"format": NaN}', "9" * 10_000])
def test_a_kept_file_of_rubbish_is_refused(text, tmp_path):
    path = tmp_path / "game.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="holds no game in progress"):
        read_kept(path)


def test_actions_that_cannot_be_played_are_named():
    game = Game(DEMO, 3)
    first = game.format_action(game.legal_actions()[0])
    with pytest.raises(ValueError, match=r"^action 2: text must be an action, not 'nonsense'"):
        begin(actions=[first, "nonsense"])
    with pytest.raises(ValueError, match=r"^action 2: .* is illegal"):
        begin(actions=[first, first])


@pytest.mark.parametrize("seed", [3, 5])
def test_what_a_move_brings_is_told_also_where_another_was_taken_back(seed):
    game, presenter, rng = Game(DEMO, seed), TilePresenter(), np.random.default_rng(seed)
    recorder, sentences = Recorder(Game(DEMO, seed)), []
    while not game.is_terminal:
        legal = game.legal_actions()
        action = int(rng.choice(legal))
        if rng.random() < 0.2:
            presenter.describe_news(game, legal[0])  # and undone
        news = [sentence.words_for(None) for sentence in presenter.describe_news(game, action)]
        recorder.step(action)
        assert news == list(describe_news(recorder, recorder.news))
        sentences += news
        game.step(action)
    assert any("scores road" in words for words in sentences) and any("At the end" in words for words in sentences)


# --- hints and pace ---


def test_hints_come_from_whom_one_likes_and_can_be_switched_off():
    session = begin((None, RandomAgent()), ruleset="zamek")
    assert session.view()["advice"] is None and session.view()["adviser"] == ""
    session.advise(session.state, "value")
    wait_until(lambda: session.view()["advice"] is not None)
    assert session.view()["adviser"] == "value" and len(session.view()["advice"]["marks"]) > 1
    session.advise(session.state, "")
    assert session.view()["advice"] is None
    with pytest.raises(ValueError, match="agent must be one of value, mcts, expectimax, or empty, not 'greedy'"):
        session.advise(session.state, "greedy")


def test_agents_pause_and_go_on_step_by_step():
    session = begin((RandomAgent(), RandomAgent()), actions=())
    session.set_pace(session.state, "pause")
    time.sleep(0.1)
    played = session.view()["played"]
    time.sleep(0.1)
    assert session.view()["played"] == played and session.view()["pace"] is None
    session.set_pace(session.state, "step")
    wait_until(lambda: session.view()["played"] > played)
    time.sleep(0.1)
    assert session.view()["played"] == played + 1
    session.set_pace(session.state, "0")
    wait_until(lambda: session.game.is_terminal)
    for wrong in ("fast", "-1", "61", "nan", "٣", "1_0", " 1", "1e1", ""):
        with pytest.raises(ValueError, match="pace must be 0 to 60 seconds, pause, or step, not"):
            session.set_pace(session.state, wrong)


@pytest.mark.compiles
def test_points_are_told_where_tiles_go_back_into_the_bag():
    played = PlayedGame(Game("carcassonne", 1, players=3, rules={"back_into_bag": True, "table": [3, 5]}))
    for action in finish(played.game.copy(), 1).history:
        played.play(action, is_final=True)
    assert any("back into the bag" in each.words_for(0) for move in played.moves for each in move.news)
    for player, score in enumerate(played.game.scores):
        assert sum(gain["points"] for move in played.moves for gain in move.gains if gain["player"] == player) == score
