"""What the async and the sync client share: what is sent, and when it is sent again."""

from __future__ import annotations

import os
import platform
import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from . import errors
from ._version import VERSION

T = TypeVar("T")

USER_AGENT = f"aviso-python/{VERSION} python/{platform.python_version()}"

FIRST_WAIT, LONGEST_WAIT = 0.5, 8.0


@dataclass(frozen=True)
class Options:
    timeout: float = 60.0
    connect_timeout: float = 5.0
    max_retries: int = 3
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    content: str | None = None
    repeatable: bool = False
    """Whether nothing happens twice if the service receives it twice."""


@dataclass
class Token:
    text: str = ""
    renew_at: float = 0.0


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list. Its next_token is None if it is the last one."""

    items: list[T]
    next_token: str | None


def may_repeat(request: Request, error: errors.ProblemError | errors.ConnectionFailedError) -> bool:
    """Whether another attempt may help and cannot do anything twice."""
    if isinstance(error, errors.ConnectionFailedError):
        return request.repeatable or not error.maybe_received
    # Only a 429 says that nothing was done. A 503 may follow a write whose answer was lost.
    if error.status in (502, 503, 504):
        return request.repeatable
    return error.status == 429 or error.code == "idempotency_in_progress"


def wait_before_retry(error: errors.AvisoError, tried: int) -> float:
    """Return the seconds that the service asks for, or exponential ones with full jitter."""
    if error.retry_after is not None:
        return error.retry_after
    return random.uniform(0, min(LONGEST_WAIT, FIRST_WAIT * 2**tried))


def new_key() -> str:
    return str(uuid.uuid4())


def at(template: str, *ids: str) -> str:
    """Return the path with the IDs in place. No ID may lead to another path."""
    for value in ids:
        if str(value) in ("", ".", ".."):
            raise ValueError(f"{value!r} is not an ID")
    return template.format(*(quote(str(value), safe="") for value in ids))


def present(values: Mapping[str, Any] | None) -> dict[str, str]:
    return {name: text(value) for name, value in (values or {}).items() if value is not None}


def text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else str(value)


def setting(variable: str, given: str | None) -> str:
    value = given or os.environ.get(variable, "")
    if not value:
        raise ValueError(f"{variable} is not set, and {variable.removeprefix('AVISO_').lower()} is not given")
    if variable == "AVISO_BASE_URL" and not value.startswith(("http://", "https://")):
        raise ValueError("the base URL must begin with http:// or https://")
    return value
