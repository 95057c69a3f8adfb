# Generated from _async/transport.py by `make clients`; do not edit.
"""Sends requests: tokens, retries, time limits."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

import httpx

from .. import errors
from .._json import dumps, loads
from .._shared import USER_AGENT, Options, Request, Token, may_repeat, present, wait_before_retry
from .._waiting import Lock, acquire, sleep

# A token is renewed this many seconds before it expires, so that none expires on its way.
RENEW_EARLY = 60.0

IDEMPOTENT = {"GET", "PUT", "DELETE"}


class Session:
    """What all views of a client share: connections and the access token. Calls in parallel may share it."""

    def __init__(self, client_id: str, client_secret: str, base_url: str, http: httpx.Client | None) -> None:
        self._credentials = (quote(client_id, safe=""), quote(client_secret, safe=""))  # RFC 6749 §2.3.1
        self._base_url = base_url.rstrip("/")
        self._token = Token()
        self._fetching = Lock()
        self.owns_http = http is None
        self.http = http or httpx.Client()

    def send(self, request: Request, options: Options) -> bytes:
        """Return the body of the success. A token that is refused is renewed once."""
        deadline = time.monotonic() + options.timeout
        token = self._fresh_token(options, deadline)
        try:
            return self._with_token(request, token, options, deadline)
        except errors.AuthenticationError:
            if self._token is token:
                token.renew_at = 0.0
            return self._with_token(request, self._fresh_token(options, deadline), options, deadline)

    def _with_token(self, request: Request, token: Token, options: Options, deadline: float) -> bytes:
        headers = {"Authorization": f"Bearer {token.text}"}
        return self._repeat(request, lambda: self._exchange(request, options, deadline, headers), options, deadline)

    def _fresh_token(self, options: Options, deadline: float) -> Token:
        """Return a token that lasts. Calls that need one at the same time wait for one fetch."""
        token = self._token
        if time.monotonic() < token.renew_at:
            return token
        if not acquire(self._fetching, deadline - time.monotonic()):
            raise errors.CallTimeoutError("No access token in time", maybe_received=False)
        try:
            if time.monotonic() >= self._token.renew_at:
                self._token = self._fetch_token(options, deadline)
            return self._token
        finally:
            self._fetching.release()

    def _fetch_token(self, options: Options, deadline: float) -> Token:
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        request = Request("POST", "/oauth2/token", {}, form, "grant_type=client_credentials", repeatable=True)
        auth = httpx.BasicAuth(*self._credentials)
        asked_at = time.monotonic()
        content = self._repeat(
            request, lambda: self._exchange(request, options, deadline, auth=auth), options, deadline
        )
        try:
            answer = loads(content)
            text, lasts = str(answer["access_token"]), float(answer["expires_in"])
        except (ValueError, TypeError, KeyError) as error:
            raise errors.UnexpectedAnswerError("The token endpoint did not answer with a token") from error
        return Token(text, asked_at + max(lasts - RENEW_EARLY, lasts / 2))

    def _repeat(self, request: Request, attempt: Callable[[], bytes], options: Options, deadline: float) -> bytes:
        """Try until there is an answer that another attempt would not change, or time is up."""
        for tried in range(options.max_retries + 1):
            try:
                return attempt()
            except (errors.ProblemError, errors.ConnectionFailedError) as error:
                wait = wait_before_retry(error, tried)
                in_time = time.monotonic() + wait < deadline
                if tried == options.max_retries or not in_time or not may_repeat(request, error):
                    raise
                sleep(wait)
        raise AssertionError("unreachable")

    def _exchange(
        self,
        request: Request,
        options: Options,
        deadline: float,
        headers: Mapping[str, str] | None = None,
        auth: httpx.Auth | None = None,
    ) -> bytes:
        left = deadline - time.monotonic()
        if left <= 0:
            raise errors.CallTimeoutError("No answer in time", maybe_received=False)
        try:
            with self.http.stream(
                request.method,
                self._base_url + request.path,
                params=request.query,
                headers={"User-Agent": USER_AGENT, **options.headers, **request.headers, **(headers or {})},
                content=request.content,
                timeout=httpx.Timeout(left, connect=min(left, options.connect_timeout)),
                auth=auth,
                follow_redirects=False,
            ) as response:
                content = read(response, deadline)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
            kind = (
                errors.CallTimeoutError if isinstance(error, httpx.TimeoutException) else errors.ConnectionFailedError
            )
            raise kind(f"Cannot connect to {self._base_url}: {error}", maybe_received=False) from error
        except httpx.TimeoutException as error:
            raise errors.CallTimeoutError("No answer in time", maybe_received=True) from error
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise errors.ConnectionFailedError(f"Lost the connection: {error}", maybe_received=True) from error
        if not response.is_success:
            raise errors.problem(response.status_code, response.headers, content)
        return content


def read(response: httpx.Response, deadline: float) -> bytes:
    """Read the body. The time limits of httpx are for each read, not for all of them."""
    content = bytearray()
    for chunk in response.iter_bytes():
        content += chunk
        if time.monotonic() > deadline:
            raise httpx.ReadTimeout("The answer is too slow", request=response.request)
    return bytes(content)


class Caller:
    """What the groups of operations call: a session with options, for a user or for none."""

    def __init__(self, session: Session, options: Options, user_id: str = "") -> None:
        self.session = session
        self.options = options
        self.user_id = user_id

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        key: str | None = None,
    ) -> bytes:
        """Send a request and return the body of its success. None stands for what is left out."""
        sent = present(headers) | ({"X-User-Id": self.user_id} if self.user_id else {})
        sent |= {"Idempotency-Key": key} if key is not None else {}
        content = None
        if body is not None:
            sent["Content-Type"] = "application/json"
            content = dumps({name: value for name, value in body.items() if value is not None})
        repeatable = method in IDEMPOTENT or key is not None
        return self.session.send(Request(method, path, present(query), sent, content, repeatable), self.options)
