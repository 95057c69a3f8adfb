"""An AsyncAviso that is used like an Aviso, so that one test is for both."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Coroutine, Iterator
from types import TracebackType
from typing import Any, cast

from aviso import AsyncAviso, Aviso

LOOP = asyncio.new_event_loop()
threading.Thread(target=LOOP.run_forever, daemon=True).start()


def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run_coroutine_threadsafe(coroutine, LOOP).result()


def blocking_aviso(*args: Any, **options: Any) -> Aviso:
    return cast(Aviso, Blocking(AsyncAviso(*args, **options)))


def blocking(value: Any) -> Any:
    if inspect.iscoroutine(value):
        return run(value)
    ours = type(value).__module__.startswith("aviso._async")
    return Blocking(value) if ours or callable(value) else value


class Blocking:
    def __init__(self, wrapped: Any) -> None:
        self._wrapped = wrapped

    def __getattr__(self, name: str) -> Any:
        return blocking(getattr(self._wrapped, name))

    def __call__(self, *args: Any, **options: Any) -> Any:
        return blocking(self._wrapped(*args, **options))

    def __iter__(self) -> Iterator[Any]:
        items = self._wrapped.__aiter__()
        end = object()
        while (item := run(anext(items, end))) is not end:
            yield item

    def __enter__(self) -> Blocking:
        run(self._wrapped.__aenter__())
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        run(self._wrapped.__aexit__(kind, error, at))
