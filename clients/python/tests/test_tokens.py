"""Tokens are fetched once, renewed before they expire, and once after a 401."""

from __future__ import annotations

import base64
import concurrent.futures
import threading
import time

import pytest
from answers import countries, problem
from conftest import Answer, Service

from aviso import AuthenticationError, CallTimeoutError, UnexpectedAnswerError


def test_nothing_is_sent_before_the_first_call(service: Service) -> None:
    service.client()
    assert service.tokens == []


def test_one_fetch_serves_parallel_calls(service: Service) -> None:
    service.answers = [countries()]

    def slow(n: int) -> Answer:
        time.sleep(0.1)
        return Answer(body={"access_token": f"token-{n}", "expires_in": 3600})

    service.token = slow
    client = service.client()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: client.providers.list_countries(), range(16)))
    assert len(service.tokens) == 1
    assert {r.headers["authorization"] for r in service.received} == {"Bearer token-1"}


def test_nobody_waits_for_anothers_fetch_beyond_the_time_limit(service: Service) -> None:
    release = threading.Event()
    service.answers = [countries()]

    def hang(n: int) -> Answer:
        release.wait(10)
        return Answer(body={"access_token": "t", "expires_in": 3600})

    service.token = hang
    client = service.client()
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        first = pool.submit(client.providers.list_countries)
        while not service.tokens:
            time.sleep(0.01)
        started = time.monotonic()
        with pytest.raises(CallTimeoutError):
            client.with_options(timeout=0.1).providers.list_countries()
        assert time.monotonic() - started < 5
        release.set()
        assert first.result()


def test_the_request_for_a_token(service: Service) -> None:
    service.answers = [countries()]
    service.make("an id", "a:secret", service.url + "/").providers.list_countries()
    sent = service.tokens[0]
    assert sent.body == b"grant_type=client_credentials"
    assert base64.b64decode(sent.headers["authorization"].removeprefix("Basic ")) == b"an%20id:a%3Asecret"


def test_a_token_is_renewed_before_it_expires(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    service.answers = [countries()]
    client = service.client()
    client.providers.list_countries()
    now = time.monotonic()
    for later, tokens in ((3500, 1), (3545, 2), (3600, 2)):
        monkeypatch.setattr("time.monotonic", lambda later=later: now + later)
        client.providers.list_countries()
        assert len(service.tokens) == tokens, later


def test_a_token_that_is_refused_is_renewed_once(service: Service) -> None:
    service.answers = [problem(401, "unauthorized"), countries()]
    assert service.client().providers.list_countries()[0].country_code == "DE"
    assert [r.headers["authorization"] for r in service.received] == ["Bearer token-1", "Bearer token-2"]


def test_a_late_refusal_does_not_renew_again(service: Service) -> None:
    late = threading.Event()
    refusal = problem(401, "unauthorized")
    service.answers = [Answer(401, refusal.body, held=late), refusal, countries()]
    client = service.client()
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        first = pool.submit(client.providers.list_countries)
        while not service.received:
            time.sleep(0.01)
        client.providers.list_countries()
        late.set()
        assert first.result()
    assert len(service.tokens) == 2


def test_a_second_refusal_is_raised(service: Service) -> None:
    service.answers = [problem(401, "unauthorized")]
    with pytest.raises(AuthenticationError) as raised:
        service.client().providers.list_countries()
    assert raised.value.code == "unauthorized"
    assert len(service.received) == 2
    assert len(service.tokens) == 2


def test_a_wrong_secret(service: Service) -> None:
    service.token = lambda n: Answer(401, {"error": "invalid_client", "error_description": "Unknown client."})
    with pytest.raises(AuthenticationError) as raised:
        service.client().providers.list_countries()
    assert (raised.value.code, raised.value.detail) == ("invalid_client", "Unknown client.")
    assert len(service.tokens) == 1


def test_the_token_endpoint_is_asked_again(service: Service, waits: list[float]) -> None:
    service.answers = [countries()]
    service.token = lambda n: (
        problem(503, "temporarily_unavailable", {"Retry-After": "2"})
        if n < 3
        else Answer(body={"access_token": "t", "expires_in": 3600})
    )
    service.client().providers.list_countries()
    assert waits == [2, 2]


def test_no_token_in_the_answer(service: Service) -> None:
    service.token = lambda n: Answer(body=["nothing"])
    with pytest.raises(UnexpectedAnswerError):
        service.client().providers.list_countries()


def test_settings_come_from_the_environment(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    service.answers = [countries()]
    monkeypatch.setenv("AVISO_CLIENT_ID", "id")
    monkeypatch.setenv("AVISO_CLIENT_SECRET", "secret")
    monkeypatch.delenv("AVISO_BASE_URL", raising=False)
    with pytest.raises(ValueError, match="AVISO_BASE_URL"):
        service.make()
    for url in ("localhost:3000", "ftp://localhost", "//localhost"):
        with pytest.raises(ValueError, match="must begin with http:// or https://"):
            service.make(base_url=url)
    monkeypatch.setenv("AVISO_BASE_URL", service.url)
    with service.make() as client:
        assert client.providers.list_countries()
