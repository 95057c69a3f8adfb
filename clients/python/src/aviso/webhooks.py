"""Callbacks: verify that they are genuine, and acknowledge them."""

from __future__ import annotations

import base64
import hmac
import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, Protocol, cast

import pydantic

from ._events import TYPES, Event
from ._json import loads
from ._model import UnknownEvent
from .errors import WebhookVerificationError

TOLERANCE = 300.0
WRONG_SECRET = "the webhook secret must be given as it was issued, with whsec_"
MISMATCH = "no signature matches: the secret is of another subscription, or the body was changed"


class Headers(Protocol):
    """The headers of whatever framework you use."""

    def items(self) -> Iterable[tuple[str, str]]: ...


def verify(
    body: bytes | str,
    headers: Headers,
    secrets: str | Sequence[str | None] | None,
    *,
    tolerance: float = TOLERANCE,
    now: float | None = None,
) -> Event:
    """Return the event of a callback if one of the secrets signed it (Standard Webhooks).

    Args:
        body: The body exactly as received: request.get_data() in Flask, request.body in Django,
            await request.body() in FastAPI. JSON that was parsed and written again does not match.
        headers: The request's headers. Case does not matter.
        secrets: The subscription's secrets (whsec_…). While a secret is replaced there are two.
            Empty ones are ignored if there is another.
        tolerance: How many seconds the callback's time may differ from yours.
        now: Your time in seconds since 1970, for tests.

    Raises:
        WebhookVerificationError: Answer 401, and do not acknowledge it.
    """
    keys = [_key(s) for s in ([secrets] if isinstance(secrets, str) else secrets or []) if s]
    if not keys:
        raise ValueError(WRONG_SECRET)
    raw = body.encode() if isinstance(body, str) else bytes(body)
    given = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp = _header(given, "webhook-id"), _header(given, "webhook-timestamp")
    _check_time(timestamp, tolerance, time.time() if now is None else now)
    signed = f"{message_id}.{timestamp}.".encode() + raw
    wanted = [hmac.digest(key, signed, "sha256") for key in keys]
    sent = list(_signatures(_header(given, "webhook-signature")))
    # Every pair is compared, so that the time says nothing about which one matches.
    if not any([hmac.compare_digest(w, s) for w in wanted for s in sent]):
        raise WebhookVerificationError("signature_mismatch", MISMATCH)
    return _event(raw)


def acknowledgement() -> bytes:
    """Return the body of the answer, with status 200, that acknowledges a callback."""
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
    return json.dumps({"isAcknowledged": True, "timestamp": now}).encode()


def _header(headers: Mapping[str, str], name: str) -> str:
    if not headers.get(name):
        raise WebhookVerificationError("header_missing", f"{name} is missing")
    return headers[name]


def _check_time(timestamp: str, tolerance: float, now: float) -> None:
    if not (timestamp.isascii() and timestamp.isdecimal()) or len(timestamp) > 12:
        raise WebhookVerificationError("timestamp_invalid", "webhook-timestamp is not a number of seconds")
    if int(timestamp) < now - tolerance:
        raise WebhookVerificationError(
            "timestamp_too_old", f"the callback was signed more than {tolerance:g} seconds ago"
        )
    if int(timestamp) > now + tolerance:
        raise WebhookVerificationError(
            "timestamp_too_new", f"the callback was signed more than {tolerance:g} seconds in the future"
        )


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:  # not base64, or not even ASCII
        key = b""
    if not key or not secret.startswith("whsec_"):
        raise ValueError(WRONG_SECRET)
    return key


def _signatures(header: str) -> Iterator[bytes]:
    for part in header.split(" "):
        version, _, signature = part.partition(",")
        if version == "v1":
            try:
                yield base64.b64decode(signature, validate=True)
            except ValueError:
                continue


def _event(body: bytes) -> Event:
    try:
        members: Any = loads(body)
        kind = TYPES.get(members["eventType"], UnknownEvent)
        return cast(Event, kind.model_validate(members))
    except (pydantic.ValidationError, ValueError, TypeError, KeyError) as error:
        raise WebhookVerificationError("payload_invalid", f"The callback is no event: {error}") from error
