# Generated from _async/groups.py by `make clients`; do not edit.
"""What groups of operations have in common, and lists with pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

import pydantic

from .._json import loads
from .._model import Model
from .._shared import Page
from ..errors import UnexpectedAnswerError
from .transport import Caller

T = TypeVar("T")
M = TypeVar("M", bound=Model)


class Pages(Generic[T]):
    """A list that is fetched page by page, while you iterate over its items."""

    def __init__(self, fetch: Callable[[str | None], Page[T]], start: str | None) -> None:
        self._fetch = fetch
        self._start = start

    def __iter__(self) -> Iterator[T]:
        return (item for page in self.pages() for item in page.items)

    def page(self) -> Page[T]:
        """Fetch one page: the first one, or the one that next_token was given for."""
        return self._fetch(self._start)

    def pages(self) -> Iterator[Page[T]]:
        """Fetch this page and all that follow, one at a time. A page may be empty and not the last."""
        token = self._start
        while True:
            page = self._fetch(token)
            yield page
            token = page.next_token
            if not token:
                return


class Group:
    """A group of operations, such as client.providers."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def _ask(
        self,
        method: str,
        path: str,
        answer: type[M],
        *,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        key: str | None = None,
    ) -> M:
        content = self._caller.send(method, path, query=query, headers=headers, body=body, key=key)
        try:
            return answer.model_validate(loads(content))
        except (pydantic.ValidationError, ValueError) as error:
            raise UnexpectedAnswerError(f"{method} {path}: {error}") from error
