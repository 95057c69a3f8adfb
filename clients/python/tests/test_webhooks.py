"""Callbacks: genuine, old, wrong, rotated."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from datetime import datetime, timezone
from email.message import Message
from typing import Any

import pytest
import standardwebhooks

from aviso import UnknownEvent, WebhookVerificationError, acknowledgement, models, verify

NOW = 1772444100
SECRET = "whsec_" + base64.b64encode(b"0123456789abcdef0123456789abcdef").decode()
OTHER = "whsec_" + base64.b64encode(b"another key of thirty-two bytes!").decode()
EVENT = {
    "eventId": "1f0d8a52-5a3c-4c39-9f3e-0f6f1f9d8c11",
    "eventType": "transactions.updated",
    "occurredAt": "2026-03-02T09:34:58Z",
    "environment": "test",
    "isSimulated": False,
    "userId": "8f8e7c1d-0a3b-4f0e-9a55-6f1f2d3c4b5a",
    "data": {"connectionId": "c-1", "added": 3, "modified": 0, "removed": 0, "since": "token"},
}


def signature(body: bytes, secret: str, at: int) -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{EVENT['eventId']}.{at}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def callback(event: Any = EVENT, *secrets: str, at: int = NOW) -> tuple[bytes, dict[str, str]]:
    body = event if isinstance(event, bytes) else json.dumps(event).encode()
    signatures = " ".join(signature(body, s, at) for s in secrets or (SECRET,))
    headers = {"webhook-id": str(EVENT["eventId"]), "webhook-timestamp": str(at), "webhook-signature": signatures}
    return body, headers


def refused(body: bytes, headers: dict[str, str], secrets: Any = SECRET) -> str:
    with pytest.raises(WebhookVerificationError) as raised:
        verify(body, headers, secrets, now=NOW)
    return raised.value.reason


def test_a_genuine_callback() -> None:
    event = verify(*callback(), SECRET, now=NOW)
    assert isinstance(event, models.TransactionsUpdatedEvent)
    assert (event.data.added, event.data.since) == (3, "token")


def test_a_known_answer() -> None:
    """The signature that the specification of Standard Webhooks has as its example."""
    body = b'{"test": 2432232314}'
    headers = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    with pytest.raises(WebhookVerificationError) as raised:
        verify(body, headers, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", now=1614265330)
    assert raised.value.reason == "payload_invalid"  # genuine, but not an event of Aviso


def test_the_signature_of_another_library() -> None:
    at = datetime.now(timezone.utc)
    body, headers = callback(at=int(at.timestamp()))
    headers["webhook-signature"] = standardwebhooks.Webhook(SECRET).sign(headers["webhook-id"], at, body.decode())
    assert verify(body, headers, SECRET)


@pytest.mark.parametrize("secrets", [[OTHER, SECRET], [SECRET, OTHER], (SECRET,), [SECRET, "", None]])
@pytest.mark.parametrize("signers", [(SECRET,), (SECRET, OTHER), (OTHER, SECRET)])
def test_rotated_secrets(secrets: Any, signers: tuple[str, ...]) -> None:
    assert verify(*callback(EVENT, *signers), secrets, now=NOW)


def test_a_wrong_secret_or_body() -> None:
    body, headers = callback()
    assert refused(body, headers, OTHER) == "signature_mismatch"
    assert refused(body + b" ", headers) == "signature_mismatch"
    assert refused(body, {**headers, "webhook-id": "another"}) == "signature_mismatch"


@pytest.mark.parametrize("odd", ["v1", "v1,", "v1,%%%", "v1,é", ",", "v2,x", "v1a,x"])
def test_odd_signatures(odd: str) -> None:
    body, headers = callback()
    genuine = headers["webhook-signature"]
    assert refused(body, {**headers, "webhook-signature": odd}) == "signature_mismatch"
    assert verify(body, {**headers, "webhook-signature": f"{odd} {genuine}"}, SECRET, now=NOW)


@pytest.mark.parametrize(("age", "reason"), [(301, "timestamp_too_old"), (-301, "timestamp_too_new")])
def test_old_and_new_callbacks(age: int, reason: str) -> None:
    assert refused(*callback(at=NOW - age)) == reason
    assert verify(*callback(at=NOW - age), SECRET, now=NOW, tolerance=400)


@pytest.mark.parametrize("timestamp", ["x", "-1", "1.5", "²", "9" * 5000, " 1"])
def test_timestamps_that_are_none(timestamp: str) -> None:
    body, headers = callback()
    assert refused(body, {**headers, "webhook-timestamp": timestamp}) == "timestamp_invalid"


@pytest.mark.parametrize("name", ["webhook-id", "webhook-timestamp", "webhook-signature"])
def test_missing_headers(name: str) -> None:
    body, headers = callback()
    del headers[name]
    assert refused(body, headers) == "header_missing"
    with pytest.raises(WebhookVerificationError, match=f"^{name} is missing$"):
        verify(body, headers, SECRET, now=NOW)


def test_headers_of_any_case_and_kind() -> None:
    body, headers = callback()
    assert verify(body, {k.title(): v for k, v in headers.items()}, SECRET, now=NOW)
    message = Message()
    for name, value in headers.items():
        message[name.upper()] = value
    assert verify(body.decode(), message, SECRET, now=NOW)


def test_an_event_of_a_later_version() -> None:
    event = verify(*callback({**EVENT, "eventType": "moon.rose", "data": {"phase": 0.5}}), SECRET, now=NOW)
    assert isinstance(event, UnknownEvent)
    assert (event.event_type, str(event.data["phase"])) == ("moon.rose", "0.5")
    known = verify(*callback({**EVENT, "mood": "new", "environment": "moon"}), SECRET, now=NOW)
    assert known.environment == "moon"


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"{}", b"\xff", b'{"eventType":"webhook.ping"}', b'{"eventType":[]}']
)
def test_bodies_that_are_no_event(body: bytes) -> None:
    assert refused(*callback(body)) == "payload_invalid"


@pytest.mark.parametrize("secret", ["", None, [], [""], "whsec_", "whsec_%%%", "é", SECRET.removeprefix("whsec_")])
def test_a_secret_that_is_none(secret: Any) -> None:
    with pytest.raises(ValueError, match=r"^the webhook secret must be given as it was issued, with whsec_$"):
        verify(b"", {}, secret, now=NOW)  # before the headers are read


def test_the_acknowledgement() -> None:
    answer = json.loads(acknowledgement())
    assert answer["isAcknowledged"] is True
    assert answer["timestamp"].endswith("+00:00")
