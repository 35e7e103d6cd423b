"""The page of a `Session`: a Starlette application that answers only browsers on this machine."""

import asyncio
import json
import logging
import re
import socket
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from zamek_agents.base import find_tile_ruleset
from zamek_agents.registry import make_agent
from zamek_env.castle_cards.render.colours import DARK as DARK_CARDS
from zamek_env.castle_cards.render.picture import make_legend, write_zone_colours
from zamek_env.common.messages import show
from zamek_env.render.svg import BOARD, darken
from zamek_scripts.playing.opening import COMPILING, Opening
from zamek_scripts.playing.session import NotNowError, RefusedError, Session
from zamek_scripts.replaying.replay_page import make_page, make_story

MOST_TOLD = 32  # views that are remembered; a page that knows an older one is told everything

View = dict[str, Any]  # as of `zamek_scripts.playing.session`


class ViewDelta:
    """Remembers what pages have been sent, and sends only what is new. All methods may be called from any thread.

    Lines of pictures are sent as numbers, the same for the same line, with the lines that the page does not know.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}  # of each line of a picture that was told
        self._told: dict[str, View] = {}  # by revision, the last ones
        self._lock = threading.Lock()

    def tell(self, view: View, known: str | None) -> View:
        """Return `view` for a page that was sent the revision `known`; None: it knows nothing yet.

        `pictures` becomes lists of numbers, and `lines` holds {number: line} of those that are new. `moves` begins with
        move number `first` of all: those before it are known.
        """
        with self._lock:
            before = self._told.get(known or "")
            self._told[view["revision"]] = view
            while len(self._told) > MOST_TOLD:
                del self._told[next(iter(self._told))]
            first = _count_same(view["moves"], before["moves"]) if before else 0
            pictures = self._tell_pictures(view, before)
        return view | pictures | {"moves": view["moves"][first:], "first": first}

    def tell_past(self, view: View, known: str | None) -> View:
        """Return the `view` of a past position, which no page is sent twice, as `tell` does."""
        with self._lock:
            return view | self._tell_pictures(view, self._told.get(known or ""))

    def _tell_pictures(self, view: View, before: Mapping[str, Any] | None) -> View:
        known = {line for picture in (before or {}).get("pictures") or () for line in picture.splitlines()}
        pictures, lines = [], {}
        for picture in view["pictures"] or ():
            numbers = []
            for line in picture.splitlines():
                number = self._numbers.setdefault(line, len(self._numbers))
                numbers.append(number)
                if line not in known:
                    lines[number] = line
            pictures.append(numbers)
        return {"pictures": pictures, "lines": lines}


def _count_same(these: Sequence[object], those: Sequence[object]) -> int:
    """Return the length of the common beginning of two lists."""
    pairs = enumerate(zip(these, those, strict=False))
    return next((number for number, (one, other) in pairs if one != other), min(len(these), len(those)))


ADDRESS = "127.0.0.1"
HOSTS = [ADDRESS, "localhost"]
# pictures have no styles of their own
DARK = f"{write_zone_colours()}@media (prefers-color-scheme: dark) {{{darken(BOARD)}{darken(BOARD, DARK_CARDS)}}}"
PAGES = Path(__file__).parents[1] / "pages"
PARTS = ("board", "choices", "link", "motion", "new", "past", "progress", "side")  # of play.js
SCRIPTS = ("castle_cards", "play", *(f"play_{part}" for part in PARTS), "zoom")
FILES = {
    "/": "play.html",
    **{f"/{name}.js": f"{name}.js" for name in SCRIPTS},
    **{f"/{name}.css": f"{name}.css" for name in ("play", "castle_cards")},
}
ASKED: dict[str, tuple[Callable[..., None], tuple[str, ...]]] = {  # what is called, and with what besides the state
    "/move": (Session.move, ("action",)),
    "/undo": (Session.undo, ()),
    "/uncover": (Session.uncover, ()),
    "/again": (Session.ask_again, ()),
    "/hurry": (Session.hurry, ()),
    "/hints": (Session.advise, ("agent",)),
    "/pace": (Session.set_pace, ("pace",)),
    "/new": (Opening.begin_anew, ("ruleset", "against", "players", "seat")),
}
MOST_BYTES = 10_000  # of the body of a request
PATIENCE = 20.0  # seconds that a page waits for news before it asks again
TICK = 0.05  # seconds
_POLICY = re.compile('<meta http-equiv="Content-Security-Policy" content="([^"]+)">')  # of a page on its own
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
BLUNDER = 3.0  # points from which a loss is marked


def make_app(opening: Opening) -> Starlette:
    """Return the application, for a game that is ready or being prepared.

    `GET /state` gives what is shown, after `?after=REVISION` once that has changed, or 204 where it does not for long;
    as long as there is no session, an object `{"opening": …}` with the progress. A page that names its revision by
    `?after=` gets what is new since, as `ViewDelta` says. `GET /past/NUMBER` gives the position after that number of
    moves, `GET /box` what does not change during a game, `GET /offers` the other games on offer, and `GET /replay` the
    page that replays a finished one. `GET /doing` says what the agent that decides is doing. `POST /move`, `/undo`,
    `/uncover`, `/again`, `/hurry`, `/hints`, `/pace` and `/new` take a JSON object that names the `state` seen, and
    answer with what is shown then. Errors are a JSON object `{"error": …}`: 400 malformed or illegal, 403 from another
    site, 409 too early, too late or out of turn, 413 too large, 415 not JSON.
    """
    pages = _Pages(opening)
    return Starlette(
        routes=[
            *(Route(path, _serve(PAGES / name)) for path, name in FILES.items()),
            Route("/board.css", lambda request: Response(DARK, media_type="text/css")),
            Route("/castle.json", lambda request: _make_response(make_legend())),
            Route("/state", pages.state),
            Route("/doing", pages.doing),
            Route("/box", pages.box),
            Route("/offers", pages.offers),
            Route("/past/{played:int}", pages.past),
            Route("/record", pages.record),
            Route("/replay", pages.replay),
            *(Route(path, pages.ask, methods=["POST"]) for path in ASKED),
        ],
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS, www_redirect=False),
            Middleware(BaseHTTPMiddleware, dispatch=_guard),
        ],
    )


class _Pages:
    """Answers requests about a game, by a method for each address."""

    def __init__(self, opening: Opening) -> None:
        self._opening, self._delta = opening, ViewDelta()

    def _find_session(self) -> Session:
        """Return the session. Raises `NotNowError` where there is none yet."""
        if self._opening.session is None:
            raise NotNowError("the game is not ready yet")
        return self._opening.session

    # --- the game as it stands ---

    async def state(self, request: Request) -> Response:
        session = self._opening.session
        if session is None:
            return _make_response({"opening": self._opening.view()})
        after = request.query_params.get("after")
        for _ in range(round(PATIENCE / TICK)):
            if session.revision != after or session.closed.is_set():
                break
            await asyncio.sleep(TICK)
        return await self._tell(request, session) if session.revision != after else Response(status_code=204)

    async def _tell(self, request: Request, session: Session) -> Response:
        def tell() -> dict[str, Any]:
            return self._delta.tell(session.view(), request.query_params.get("after"))

        return _make_response(await run_in_threadpool(tell))

    async def ask(self, request: Request) -> Response:
        do, more = ASKED[request.url.path]
        body = await _read_body(request)
        if isinstance(body, Response):
            return body

        def answer() -> None:
            session = self._find_session()
            do(self._opening if do is Opening.begin_anew else session, **_read_fields(body, ("state", *more)))

        return await _try(answer) or await self._tell(request, self._find_session())

    # --- what else is shown ---

    async def doing(self, request: Request) -> Response:
        found = self._opening.session.doing() if self._opening.session else {}
        return _make_response(found | {"compiled": COMPILING.count, "compiling": COMPILING.name})

    async def box(self, request: Request) -> Response | None:
        return await _try(lambda: _make_response(self._find_session().box()))

    async def offers(self, request: Request) -> Response | None:
        return await _try(lambda: _make_response(self._opening.offers.view() if self._opening.offers else {}))

    async def past(self, request: Request) -> Response | None:
        def tell() -> Response:
            view = self._find_session().past(request.path_params["played"])
            return _make_response(self._delta.tell_past(view, request.query_params.get("after")))

        return await _try(tell, wrong=404)

    # --- a game that is over ---

    async def record(self, request: Request) -> Response | None:
        attached = {"Content-Disposition": 'attachment; filename="game.json"'}
        return await _try(lambda: _make_response(self._find_session().record(), headers=attached))

    async def replay(self, request: Request) -> Response | None:
        def make() -> Response:
            page = make_replay(self._find_session(), request.query_params.get("agent", ""))
            policy = f"{_POLICY.findall(page)[0]}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            return Response(page, media_type="text/html", headers={"Content-Security-Policy": policy})

        return await _try(make)


def make_server(opening: Opening) -> uvicorn.Server:
    """Return the server of the page of a game on sockets, until it is interrupted or its `should_exit` is set."""
    config = uvicorn.Config(
        make_app(opening),
        log_config=None,  # the default one closes the handlers of other packages, and absl's then closes its stream
        access_log=False,
        log_level="warning",
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    return _Server(config, opening)


class _Server(uvicorn.Server):
    """A server that closes the game first, so that no page waits for news any more.

    Requests that take longer to end, as while an agent compiles, are cut off silently.
    """

    def __init__(self, config: uvicorn.Config, opening: Opening) -> None:
        super().__init__(config)
        self._opening = opening

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._opening.close()
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # else it prints tracebacks of these
        await super().shutdown(sockets)


def _serve(path: Path) -> Callable[[Request], Awaitable[Response]]:
    async def serve(request: Request) -> Response:
        return FileResponse(path)

    return serve


async def _guard(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
    """Refuse requests from other sites' pages; only the page itself may be opened from elsewhere, by a link."""
    origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    is_ours = origin in (None, f"http://{request.headers['host']}") and site in (None, "same-origin", "none")
    is_link = request.url.path == "/" and origin is None
    if is_ours or is_link:
        response = await call_next(request)
    else:
        response = _refuse(403, "this page is not for other sites")
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


async def _read_body(request: Request) -> bytes | Response:
    """Return the body of a request that changes something, or the response that refuses it."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return _refuse(415, "the body must be application/json")  # which no form of another site can send
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > MOST_BYTES:
                return _refuse(413, f"the body must have at most {MOST_BYTES} bytes")
    except ClientDisconnect:  # the page was closed
        return _refuse(400, "the body must be whole")
    return body


async def _try(do: Callable[[], Response | None], wrong: int = 400) -> Response | None:
    """Return the result of `do`, called in a thread, or the response where it refuses, `wrong` for a `ValueError`."""
    try:
        return await run_in_threadpool(do)
    except RefusedError as error:
        return _refuse(409, error)
    except ValueError as error:
        return _refuse(wrong, error)


def _read_fields(body: bytes, fields: Sequence[str]) -> dict[str, str]:
    try:
        values: Any = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the body must be JSON: {show(error)}") from error
    if not isinstance(values, dict) or set(values) != set(fields):
        raise ValueError(f"the body must be an object with {' and '.join(fields)}, not {show(values)}")
    for name, value in values.items():
        if not isinstance(value, str):
            raise ValueError(f"{name} must be text, not {show(value)}")
    return values


def _refuse(status: int, message: object) -> Response:
    return _make_response({"error": str(message)}, status)


def _make_response(value: dict[str, Any], status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return `value` as JSON in ASCII, which can hold any path and any message: not all of them are UTF-8."""
    return Response(json.dumps(value, allow_nan=False), status, headers, "application/json")


def make_replay(session: Session, agent: str) -> str:
    """Return the page that replays the game, with the thoughts of an agent, one of `Presenter.advisers`; "": of none.

    Raises `NotNowError` before the end, `ValueError` for another name.
    """
    session.check_adviser(agent)
    if not session.game.is_terminal:
        raise NotNowError("there is a replay once the game is over: it shows what is hidden")
    record = session.game.record(list(session.presenter.names))
    ruleset = find_tile_ruleset(session.game)
    components, adviser = ruleset.components if ruleset else None, make_agent(agent) if agent else None
    return make_page(make_story(record, components, adviser, blunder=BLUNDER))
