"""Everything that this package raises. Each error is an AvisoError."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from pydantic import ValidationError as _ModelError

from ._json import loads
from .models import ProblemField


class AvisoError(Exception):
    """Anything that went wrong with the service."""

    retry_after: float | None = None


class ProblemError(AvisoError):
    """The service refused a request (RFC 9457). Act on `code`; quote `trace_id` to support.

    Without a problem document, as from a gateway, the code is empty.
    """

    def __init__(self, status: int, headers: Mapping[str, str], content: bytes) -> None:
        problem = _members(content)
        self.status = status
        self.problem: dict[str, Any] = problem
        # The token endpoint answers as OAuth 2.0 does, with error and error_description.
        self.code = str(problem.get("code") or problem.get("error") or "")
        self.title = str(problem.get("title") or "")
        self.detail = str(problem.get("detail") or problem.get("error_description") or "")
        self.trace_id = str(problem.get("traceId") or headers.get("x-request-id") or "")
        self.errors = _fields(problem.get("errors"))
        self.retry_after = _seconds(headers.get("retry-after"))
        text = f"{status} {self.code}: {self.detail or self.title}"
        if not self.code:
            text = f"{status} without a problem document: is this Aviso's address?"
        super().__init__(text + "".join(map(_part, self.errors)) + (self.trace_id and f", trace ID {self.trace_id}"))


class AuthenticationError(ProblemError):
    """401: the client's ID or secret is wrong."""


class PermissionDeniedError(ProblemError):
    """403: a scope or the user's acceptance of terms is missing, or production does not allow it."""


class NotFoundError(ProblemError):
    """404: it does not exist, or is not yours."""


class ConflictError(ProblemError):
    """409: it does not go with the present state."""


class ValidationError(ProblemError):
    """400, 413, 415 or 422: the request is wrong. `errors` says where."""


class RateLimitedError(ProblemError):
    """429: too many requests, or too early. `retry_after` says how many seconds to wait."""


class ServerError(ProblemError):
    """5xx: the service, or what is in front of it, failed."""


class ConnectionFailedError(AvisoError):
    """No answer arrived. The request may have been received if `maybe_received` is true."""

    def __init__(self, message: str, *, maybe_received: bool) -> None:
        super().__init__(message)
        self.maybe_received = maybe_received


class CallTimeoutError(ConnectionFailedError):
    """No answer arrived in time."""


class UnexpectedAnswerError(AvisoError):
    """The answer is not what the API describes."""


class WebhookVerificationError(AvisoError):
    """A callback is not genuine, too old, or no event. Do not acknowledge it."""

    Reason = Literal["header_missing", "timestamp_invalid", "timestamp_too_old", "timestamp_too_new",
                     "signature_mismatch", "payload_invalid"]  # fmt: skip

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


_BY_STATUS: dict[int, type[ProblemError]] = {
    400: ValidationError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    413: ValidationError,
    415: ValidationError,
    422: ValidationError,
    429: RateLimitedError,
}


def problem(status: int, headers: Mapping[str, str], content: bytes) -> ProblemError:
    """Return the error for an answer with any other status than success."""
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else ProblemError)
    return kind(status, headers, content)


def _members(content: bytes) -> dict[str, Any]:
    try:
        found = loads(content)
    except (json.JSONDecodeError, UnicodeDecodeError):
        return {}
    return found if isinstance(found, dict) else {}


def _fields(found: Any) -> list[ProblemField]:
    fields = []
    for member in found if isinstance(found, list) else []:
        try:
            fields.append(ProblemField.model_validate(member))
        except _ModelError:
            continue
    return fields


def _part(field: ProblemField) -> str:
    """Return what is wrong with a part of the request, which the text of the error shows."""
    where = field.pointer or field.parameter or field.header or field.field_key
    return f" ({where} {field.detail})" if where else f" ({field.detail})"


def _seconds(value: str | None) -> float | None:
    """Return the seconds of a Retry-After header, which has a number or a date."""
    if value is None:
        return None
    if value.isdecimal():
        return float(value)
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=timezone.utc)
    return max(0.0, (at - datetime.now(timezone.utc)).total_seconds())
