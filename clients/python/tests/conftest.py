"""A small service that answers what a test tells it to, and both clients of it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from blocking import blocking_aviso

from aviso import Aviso

MAKERS: dict[str, Callable[..., Aviso]] = {"sync": Aviso, "async": blocking_aviso}


@dataclass
class Received:
    method: str
    path: str
    query: dict[str, str]
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Answer:
    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    lost: bool = False
    """The connection is closed instead."""
    held: threading.Event | None = None
    """It is sent once this is set."""


@dataclass
class Service:
    """Answers requests with the answers in turn, and the last one again and again."""

    make: Callable[..., Aviso]
    answers: list[Answer] = field(default_factory=list)
    token: Callable[[int], Answer] = lambda n: Answer(body={"access_token": f"token-{n}", "expires_in": 3600})
    received: list[Received] = field(default_factory=list)
    tokens: list[Received] = field(default_factory=list)
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, request: Received) -> Answer:
        if request.path == "/oauth2/token":
            with self.lock:
                self.tokens.append(request)
                count = len(self.tokens)
            return self.token(count)
        with self.lock:
            self.received.append(request)
            return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def client(self, **options: Any) -> Aviso:
        return self.make("id", "secret", self.url, **options)


@pytest.fixture(params=MAKERS, scope="session")
def make(request: pytest.FixtureRequest) -> Callable[..., Aviso]:
    """What makes a client: a test that uses it, or the service, runs with each of the two."""
    return MAKERS[request.param]


@pytest.fixture
def service(make: Callable[..., Aviso]) -> Iterator[Service]:
    made = Service(make)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {k.lower(): v for k, v in self.headers.items()}
            answer = made.answer(Received(self.command, parts.path, dict(parse_qsl(parts.query)), headers, body))
            if answer.held:
                answer.held.wait(10)
            if answer.lost:
                self.close_connection = True
                return
            raw = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = handle_any  # noqa: N815

        def log_message(self, *_: Any) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
    made.url = f"http://127.0.0.1:{server.server_port}"
    yield made
    server.shutdown()
    server.server_close()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the client would have waited, instead of waiting."""
    waited: list[float] = []

    async def wait(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("aviso._sync.transport.sleep", waited.append)
    monkeypatch.setattr("aviso._async.transport.async_sleep", wait)
    return waited
