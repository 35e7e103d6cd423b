"""`zamek_scripts.playing.server`: what the page is given, and what requests of others are answered."""

import json
import logging
import os
import socket
import threading
import time
import urllib.error
import urllib.request
from contextlib import suppress

import numpy as np
import pytest
from numba.core.event import Listener, register, unregister

from tests.commands.test_play_session import DEMO, Hurried, begin, play_to_the_end, wait_until
from tests.support.browser import served
from zamek_agents.heuristic import RandomAgent
from zamek_scripts.playing.kept_game import Keeper
from zamek_scripts.playing.opening import COMPILING, Opening
from zamek_scripts.playing.server import ViewDelta

testclient = pytest.importorskip("starlette.testclient", reason="needs the extra `play`")
server = pytest.importorskip("zamek_scripts.playing.server", reason="needs the extra `play`")
OWN = "http://127.0.0.1:8000"


@pytest.fixture
def session():
    """Two people begin a game."""
    session = begin()
    yield session
    session.close()


@pytest.fixture
def client(session):
    """The browser of this machine."""
    return testclient.TestClient(server.make_app(Opening(session)), base_url=OWN)


def first_move(client):
    """Return the body of a legal move."""
    view = client.get("/state").json()
    return {"state": view["state"], "action": view["choices"][0]["action"]}


# --- what the page does ---


@pytest.mark.parametrize("path", ["/board.css", *server.FILES])
def test_the_page_and_its_files_are_served(path, client):
    answer = client.get(path)
    assert answer.status_code == 200 and answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_nothing_is_fetched_from_elsewhere(client):
    for path in (*server.FILES, "/board.css"):
        text = client.get(path).text.replace("http://www.w3.org/2000/svg", "")
        assert "http:" not in text and "https:" not in text and 'style="' not in text


def test_a_page_tells_how_far_a_game_is_that_is_made_ready():
    opening = Opening()
    opening.plan("the rules", "greedy")
    client, shares = testclient.TestClient(server.make_app(opening), base_url=OWN), []
    for done in range(3):
        found = client.get("/state").json()["opening"]
        assert (found["steps"], found["done"], found["seconds"]) == (["the rules", "greedy"], done, 0)
        shares.append(found["share"])
        opening.finish_step()
    assert shares == [0, 0.5, 1] and client.get("/doing").json()["compiling"] == ""
    answer = client.post("/undo", json={"state": "none"})
    assert (answer.status_code, answer.json()) == (409, {"error": "the game is not ready yet"})
    assert client.get("/record").status_code == 409
    opening.session = begin()
    assert client.get("/state").json()["choices"]
    opening.close()
    assert opening.session.closed.is_set()


def test_what_is_compiled_is_counted_and_named():
    numba = pytest.importorskip("numba")
    if numba.config.DISABLE_JIT:
        pytest.skip("nothing is compiled")
    seen, counted = [], COMPILING.count
    double = numba.njit(lambda number: 2 * number)
    double.py_func.__module__, double.py_func.__name__ = "zamek_env.core.sums", "_double"
    register("numba:compile", watch := Watch(lambda: seen.append(COMPILING.name)))
    double(1)
    unregister("numba:compile", watch)
    assert seen == ["sums: double"] and COMPILING.count == counted + 1 and COMPILING.name == ""
    numba.njit(lambda number: 3 * number)(1)  # of somebody else
    assert COMPILING.count == counted + 1


class Watch(Listener):
    """Calls a function whenever something begins to be compiled."""

    def __init__(self, call):
        self.call = call

    def on_start(self, event):
        self.call()

    def on_end(self, event):
        pass


def test_a_search_is_ended_from_the_page(client):
    session = begin((Hurried(), None))
    page = testclient.TestClient(server.make_app(Opening(session)), base_url=OWN)
    state = page.get("/state").json()["state"]
    assert page.get("/doing").json()["can_hurry"]
    assert page.post("/hurry", json={"state": state}).status_code == 200
    wait_until(lambda: session.is_persons_turn)
    answer = client.post("/hurry", json={"state": client.get("/state").json()["state"]})  # of two people
    assert answer.status_code == 409 and "nobody is thinking" in answer.json()["error"]
    session.close()


@pytest.mark.skipif(os.name != "posix", reason="needs paths of any bytes")
def test_what_is_no_utf8_is_shown_all_the_same(tmp_path):
    session = begin(keeper=Keeper(tmp_path / "caf\udce9.json"))
    session.trouble["agent"] = "no weights \udce9.npz"
    view = testclient.TestClient(server.make_app(Opening(session)), base_url=OWN).get("/state").json()
    session.close()
    assert view["kept"].endswith("caf\udce9.json") and view["trouble"] == {"agent": "no weights \udce9.npz"}


def test_a_game_that_is_not_kept_is_not_said_to_be(tmp_path):
    session = begin(keeper=Keeper(tmp_path / "game.json"))
    client = testclient.TestClient(server.make_app(Opening(session)), base_url=OWN)
    (tmp_path / "game.json").write_text("of another")
    view = client.post("/move", json=first_move(client)).json()
    session.close()
    assert "The game is not kept" in view["trouble"]["file"] and view["kept"] is None


def test_a_page_that_is_closed_in_the_middle_of_a_request_is_no_error(session, caplog):
    serving = server.make_server(Opening(session))
    with served(serving) as address:
        host, _, port = address.removeprefix("http://").strip("/").partition(":")
        with socket.create_connection((host, int(port))) as page:
            head = f"POST /move HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\n"
            page.sendall(f"{head}Content-Length: 100\r\n\r\n{{}}".encode())
        with urllib.request.urlopen(f"{address}state", timeout=20) as answer:
            assert answer.status == 200
    assert caplog.messages == []


def test_a_server_leaves_the_handlers_of_other_packages_alone(session, monkeypatch):
    """Closed by uvicorn's own configuration, that of absl would close the stream that another test captures."""
    closed, handler = [], logging.StreamHandler()
    monkeypatch.setattr(handler, "close", lambda: closed.append(handler))
    server.make_server(Opening(session))
    assert closed == []


def test_a_move_is_played_and_taken_back(client, session):
    before = client.get("/state").json()
    answer = client.post("/move", json=first_move(client))
    assert answer.status_code == 200 and answer.json()["moves"] == session.view()["moves"]
    answer = client.post("/undo", json={"state": answer.json()["state"]})
    assert answer.status_code == 200 and answer.json()["choices"] == before["choices"]


def test_news_come_at_once_and_no_news_later(client, monkeypatch):
    monkeypatch.setattr(server, "PATIENCE", 0.2)
    view = client.get("/state").json()
    assert client.get("/state", params={"after": view["revision"]}).status_code == 204
    client.post("/move", json=first_move(client))
    assert client.get("/state", params={"after": view["revision"]}).json()["played"] == 1
    assert client.get("/state", params={"after": "rubbish"}).status_code == 200


def test_a_second_page_that_comes_too_late_is_told_so(client, session):
    move = first_move(client)
    assert client.post("/move", json=move).status_code == 200
    answer = client.post("/move", json=move)
    assert answer.status_code == 409 and "gone on" in answer.json()["error"] and session.view()["played"] == 1


def test_the_record_comes_after_the_end(client):
    assert client.get("/record").status_code == 409
    done = begin((None, RandomAgent()))
    play_to_the_end(done, np.random.default_rng(0))
    answer = testclient.TestClient(server.make_app(Opening(done)), base_url=OWN).get("/record")
    assert answer.json() == json.loads(json.dumps(done.record()))
    assert "attachment" in answer.headers["content-disposition"]


# --- what others try ---


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "", "[::1]:8000"])
@pytest.mark.parametrize("path", ["/", "/state"])
def test_a_name_that_was_bound_to_this_machine_is_refused(host, path, client):
    answer = client.get(path, headers={"Host": host})
    assert answer.status_code == 400 and "pictures" not in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:9000"},
        {"Origin": "https://127.0.0.1:8000"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": OWN},
    ],
)
def test_other_sites_are_refused(headers, client, session):
    move = first_move(client)
    before = session.view()
    for answer in (
        client.post("/move", json=move, headers=headers),
        client.post("/undo", json={"state": move["state"]}, headers=headers),
        client.get("/state", headers=headers),
        client.get("/record", headers=headers),
    ):
        assert answer.status_code == 403 and "access-control-allow-origin" not in answer.headers
    assert session.view() == before


def test_a_link_from_elsewhere_opens_the_page(client):
    assert client.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_a_form_can_send_is_refused(kind, client, session):
    answer = client.post("/move", content=json.dumps(first_move(client)), headers={"Content-Type": kind})
    assert answer.status_code == 415 and session.view()["played"] == 0


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"\xff\xfe", 400),
        (b"[" * 9000, 400),
        (b"9" * 9000, 400),
        (b"null", 400),
        (b'{"state": 1, "action": "-"}', 400),
        (b'{"state": "x"}', 400),
        (b'{"state": "x", "action": "-", "seed": 1}', 400),
        (b'{"state": "x", "action": "-"}', 409),
        (b'{"state": "SEEN", "action": "no such thing"}', 400),
        (b'{"state": "SEEN", "action": "\\ud800<script>"}', 400),
        (b'{"state": "SEEN", "action": "%s"}' % (b"x" * 20_000), 413),
    ],
)
def test_what_is_malformed_changes_nothing(body, status, client, session):
    before = session.view()
    body = body.replace(b"SEEN", session.state.encode())
    answer = client.post("/move", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == status and answer.json()["error"] and session.view() == before


@pytest.mark.parametrize(("method", "path"), [("GET", "/move"), ("POST", "/state"), ("DELETE", "/"), ("GET", "/../x")])
def test_other_requests_are_refused(method, path, client):
    assert client.request(method, path).status_code in (404, 405)


def test_no_seed_and_no_deck_is_told(client, session):
    view = client.get("/state").text
    deck = [session.game.ruleset.tile(tile).id for tile in session.game.state[0].deck.tolist()]
    assert '"seed"' not in view and '"deck"' not in view and DEMO in view
    assert json.dumps(deck[1:4])[1:-1].replace(" ", "") not in view.replace(" ", "")


def test_a_request_that_outlasts_the_server_is_cut_off_without_a_word(session, monkeypatch, caplog):
    asked = threading.Event()

    def view():
        asked.set()
        time.sleep(2)  # as while an agent compiles; the server is patient for one second
        return {}

    def ask(address):
        with suppress(OSError):
            try:
                answer = urllib.request.urlopen(f"{address}state", timeout=20)
            except urllib.error.HTTPError as error:  # an answer too, to be closed
                answer = error
            with answer:
                answer.read()

    monkeypatch.setattr(session, "view", view)
    serving = server.make_server(Opening(session))
    with served(serving) as address:
        page = threading.Thread(target=ask, args=(address,))
        page.start()
        assert asked.wait(20)
    page.join()
    assert caplog.messages == []


# --- what a page is told: everything once, and then only what it does not know ---


MOST = 40_000  # bytes between decisions


class Page:
    """Puts together what it is told, as the script of the page does."""

    def __init__(self):
        self.lines, self.moves, self.known = {}, [], None

    def hear(self, news):
        self.lines |= news["lines"]
        self.moves = self.moves[: news["first"]] + news["moves"]
        self.known = news["revision"]
        pictures = ["\n".join(self.lines[number] for number in numbers) + "\n" for numbers in news["pictures"]]
        told = {key: value for key, value in news.items() if key not in ("first", "lines")}
        return told | {"pictures": pictures, "moves": self.moves}


@pytest.mark.parametrize("ruleset", ["zamek", "sokol", DEMO, "carcassonne"])
def test_a_page_that_is_told_little_knows_everything(ruleset):
    session, delta, page, rng = begin(ruleset=ruleset), ViewDelta(), Page(), np.random.default_rng(0)
    sizes = []
    while not session.game.is_terminal:
        news = delta.tell(session.view(), page.known)
        sizes.append(len(json.dumps(news)))
        assert page.hear(news) == session.view()
        choices = session.view()["choices"]
        session.move(session.state, choices[rng.integers(len(choices))]["action"])
        if session.played.can_undo and rng.random() < 0.2:
            session.undo(session.state)
    assert max(sizes[1:]) < MOST and np.mean(sizes[1:]) < MOST / 2


def test_a_page_that_has_missed_much_is_told_everything():
    session, delta, rng = begin(ruleset=DEMO), ViewDelta(), np.random.default_rng(0)
    first = delta.tell(session.view(), None)
    for _ in range(40):
        choices = session.view()["choices"]
        session.move(session.state, choices[rng.integers(len(choices))]["action"])
        delta.tell(session.view(), None)
    assert Page().hear(delta.tell(session.view(), first["revision"])) == session.view()


def test_lines_of_the_past_are_told_as_they_were():
    session, delta, page, rng = begin(ruleset=DEMO), ViewDelta(), Page(), np.random.default_rng(0)
    page.hear(delta.tell(session.view(), None))
    for _ in range(6):
        choices = session.view()["choices"]
        session.move(session.state, choices[rng.integers(len(choices))]["action"])
        page.hear(delta.tell(session.view(), page.known))
    for played in range(session.view()["played"] + 1):
        past = session.past(played)
        told = delta.tell_past(past, page.known)
        page.lines |= told["lines"]
        text = "\n".join(page.lines[number] for number in told["pictures"][0]) + "\n"
        assert text == past["pictures"][0] and past["scores"] == told["scores"]
        assert 'class="choice"' not in text
