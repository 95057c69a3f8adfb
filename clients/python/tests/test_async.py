"""What only tasks can do: be cancelled, and wait for each other on one event loop."""

from __future__ import annotations

import asyncio
import threading

import httpx
import pytest
from answers import countries, transaction, transactions
from conftest import Answer, Service

from aviso import AsyncAviso

pytestmark = pytest.mark.parametrize("make", ["async"], indirect=True)


def client_of(service: Service) -> AsyncAviso:
    return AsyncAviso("id", "secret", service.url)


def test_many_tasks_share_one_fetch(service: Service) -> None:
    service.answers = [countries()]

    async def main() -> None:
        async with client_of(service) as client:
            await asyncio.gather(*(client.providers.list_countries() for _ in range(50)))

    asyncio.run(main())
    assert len(service.received) == 50
    assert len(service.tokens) == 1


def test_another_task_fetches_if_the_first_is_cancelled(service: Service) -> None:
    release = threading.Event()
    service.answers = [countries()]

    def token(n: int) -> Answer:
        if n == 1:
            release.wait(10)
        return Answer(body={"access_token": "t", "expires_in": 3600})

    service.token = token

    async def main() -> None:
        async with client_of(service) as client:
            first = asyncio.create_task(client.providers.list_countries())
            while not service.tokens:
                await asyncio.sleep(0.01)
            second = asyncio.create_task(client.providers.list_countries())
            await asyncio.sleep(0.05)
            first.cancel()
            assert await second
            with pytest.raises(asyncio.CancelledError):
                await first

    asyncio.run(main())
    release.set()
    assert len(service.tokens) == 2


def test_pages_and_their_items(service: Service) -> None:
    service.answers = [transactions([transaction(note="a")], "two"), transactions([transaction(note="b")])]

    async def main() -> list[str]:
        async with client_of(service) as client:
            return [t.note async for page in client.user("u").transactions.list().pages() for t in page.items]

    assert asyncio.run(main()) == ["a", "b"]


def test_connections_are_closed_unless_they_are_yours(service: Service) -> None:
    service.answers = [countries()]

    async def main() -> None:
        async with httpx.AsyncClient() as http:
            async with AsyncAviso("id", "secret", service.url, http_client=http) as client:
                await client.providers.list_countries()
            assert not http.is_closed
        async with client_of(service) as client:
            await client.providers.list_countries()
        with pytest.raises(RuntimeError, match="closed"):
            await client.providers.list_countries()

    asyncio.run(main())
