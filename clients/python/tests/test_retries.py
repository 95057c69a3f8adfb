"""What is tried again, when, and what never is."""

from __future__ import annotations

import email.utils
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from answers import USER_ID, changed, countries, link, problem
from conftest import Answer, Service

from aviso import (
    Aviso,
    CallTimeoutError,
    ConflictError,
    ConnectionFailedError,
    ProblemError,
    RateLimitedError,
    ServerError,
)

LOST = Answer(lost=True)
UNAVAILABLE = problem(503, "temporarily_unavailable")


def read(client: Aviso) -> Any:
    return client.providers.list_countries()


def create(client: Aviso) -> Any:
    return client.user(USER_ID).connections.create(provider_id="p", return_url="https://partner.example/")


def delete(client: Aviso) -> Any:
    return client.user(USER_ID).connections.delete("c-1")


def change(client: Aviso) -> Any:
    return client.user(USER_ID).transactions.update("t-1", category_id=570)


@pytest.mark.parametrize(
    ("call", "first", "again"),
    [
        (read, problem(429, "rate_limited"), True),
        (read, UNAVAILABLE, True),
        (read, problem(502), True),
        (read, problem(503), True),
        (read, problem(504), True),
        (read, LOST, True),
        (read, problem(500, "internal_error"), False),
        (read, problem(404, "not_found"), False),
        (create, problem(429, "rate_limited"), True),
        (create, problem(504), True),
        (create, LOST, True),
        (create, problem(409, "idempotency_in_progress"), True),
        (create, problem(409, "conflict"), False),
        (create, problem(422, "validation_failed"), False),
        (delete, UNAVAILABLE, True),
        (delete, LOST, True),
        # Without an idempotency key, only what has had no effect for sure.
        (change, problem(429, "rate_limited"), True),
        (change, UNAVAILABLE, False),
        (change, problem(503), False),
        (change, problem(504), False),
        (change, LOST, False),
    ],
)
def test_what_is_tried_again(service: Service, waits: list[float], call: Any, first: Answer, again: bool) -> None:
    success = {read: countries(), create: link(), delete: Answer(204, b""), change: changed()}[call]
    service.answers = [first, success]
    if again:
        call(service.client())
    else:
        with pytest.raises((ProblemError, ConnectionFailedError)):
            call(service.client())
    assert len(service.received) == (2 if again else 1)


def test_the_key_is_kept(service: Service, waits: list[float]) -> None:
    service.answers = [UNAVAILABLE, LOST, link()]
    client = service.client()
    create(client)
    keys = {r.headers["idempotency-key"] for r in service.received}
    assert len(keys) == 1
    create(client)
    assert service.received[-1].headers["idempotency-key"] not in keys


def test_a_key_can_be_given(service: Service) -> None:
    service.answers = [link()]
    service.client().user(USER_ID).connections.create(provider_id="p", return_url="r", idempotency_key="order-4711")
    assert service.received[0].headers["idempotency-key"] == "order-4711"


def test_retry_after_in_seconds_and_as_a_date(service: Service, waits: list[float]) -> None:
    at = email.utils.format_datetime(datetime.now(timezone.utc) + timedelta(seconds=20), usegmt=True)
    service.answers = [
        problem(429, "rate_limited", {"Retry-After": "7"}),
        problem(429, "rate_limited", {"Retry-After": at}),
        countries(),
    ]
    read(service.client())
    assert waits[0] == 7
    assert 17 < waits[1] <= 20


def test_waits_grow_and_are_random(service: Service, waits: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[float, float]] = []

    def uniform(low: float, high: float) -> float:
        asked.append((low, high))
        return high

    monkeypatch.setattr("aviso._shared.random.uniform", uniform)
    service.answers = [UNAVAILABLE]
    with pytest.raises(ServerError):
        read(service.client(max_retries=6))
    assert asked[:6] == [(0, 0.5), (0, 1), (0, 2), (0, 4), (0, 8), (0, 8)]
    assert len(service.received) == 7


def test_retries_can_be_switched_off(service: Service, waits: list[float]) -> None:
    service.answers = [UNAVAILABLE, countries()]
    with pytest.raises(ServerError):
        read(service.client(max_retries=0))
    assert waits == []


def test_options_of_one_call(service: Service, waits: list[float]) -> None:
    service.answers = [UNAVAILABLE, countries()]
    client = service.client()
    with pytest.raises(ServerError):
        read(client.with_options(max_retries=0, headers={"X-Request-Id": "mine"}))
    assert service.received[0].headers["x-request-id"] == "mine"
    read(client)
    assert "x-request-id" not in service.received[1].headers
    assert len(service.tokens) == 1


def test_a_wait_beyond_the_time_limit_is_not_begun(service: Service, waits: list[float]) -> None:
    service.answers = [problem(429, "refresh_too_early", {"Retry-After": "3600"})]
    with pytest.raises(RateLimitedError) as raised:
        read(service.client())
    assert raised.value.retry_after == 3600
    assert waits == []


def test_the_last_problem_is_raised(service: Service, waits: list[float]) -> None:
    service.answers = [problem(409, "idempotency_in_progress")]
    with pytest.raises(ConflictError):
        create(service.client())
    assert len(service.received) == 4


def test_nobody_listens(make: Callable[..., Aviso], waits: list[float]) -> None:
    with pytest.raises(ConnectionFailedError) as raised:
        change(make("id", "secret", "http://127.0.0.1:1"))
    assert not raised.value.maybe_received
    assert len(waits) == 3


def test_the_time_limit_is_for_the_whole_call(service: Service) -> None:
    release = threading.Event()

    def hang(n: int) -> Answer:
        release.wait(10)
        return Answer(lost=True)

    service.token = hang
    started = time.monotonic()
    with pytest.raises(CallTimeoutError):
        read(service.client(timeout=0.3))
    release.set()
    assert time.monotonic() - started < 2


def test_the_user_agent(service: Service) -> None:
    service.answers = [countries()]
    read(service.client())
    assert service.received[0].headers["user-agent"].startswith("aviso-python/1.0.0")
