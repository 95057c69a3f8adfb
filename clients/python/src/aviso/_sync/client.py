# Generated from _async/client.py by `make clients`; do not edit.
"""The client, and its view for one user."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import TracebackType
from typing import Any, TypeVar

import httpx

from .._shared import Options, setting
from .operations import ClientGroups, UserGroups
from .transport import Caller, Session

Self = TypeVar("Self", bound="Aviso")


class User(UserGroups):
    """What you do for one user: every request says which one, in X-User-Id."""

    def __init__(self, caller: Caller) -> None:
        super().__init__(caller)
        self.id = caller.user_id


class Aviso(ClientGroups):
    """A client of the service. Make one and keep it: it reuses connections and its access token.

    Threads may share a client. What is left out comes from AVISO_CLIENT_ID, AVISO_CLIENT_SECRET and
    AVISO_BASE_URL.
    """

    def __init__(
        self,
        client_id: str | None = None,
        client_secret: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float = Options.timeout,
        connect_timeout: float = Options.connect_timeout,
        max_retries: int = Options.max_retries,
        headers: Mapping[str, str] | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        """Nothing is sent before the first call.

        Args:
            client_id: Your client's ID.
            client_secret: Its secret.
            base_url: Where the service is, such as http://localhost:3000.
            timeout: Seconds that a call may take, with all of its retries.
            connect_timeout: Seconds in which a connection must be there.
            max_retries: How often a call is tried again at most. 0 switches retries off.
            headers: Headers that every request has in addition, such as traceparent.
            http_client: An httpx.Client of your own, for proxies and certificates. You close it.
        """
        session = Session(
            setting("AVISO_CLIENT_ID", client_id),
            setting("AVISO_CLIENT_SECRET", client_secret),
            setting("AVISO_BASE_URL", base_url),
            http_client,
        )
        self._set_up(Caller(session, Options(timeout, connect_timeout, max_retries, dict(headers or {}))))

    def _set_up(self, caller: Caller) -> None:
        self._caller = caller
        ClientGroups.__init__(self, caller)

    def user(self, user_id: str) -> User:
        """Return the view that acts for this user. It sends nothing itself."""
        if not user_id:
            raise ValueError("The user's ID is empty")
        return User(Caller(self._caller.session, self._caller.options, str(user_id)))

    def with_options(
        self: Self,
        *,
        timeout: float | None = None,
        connect_timeout: float | None = None,
        max_retries: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Self:
        """Return a client with other options that shares connections and token with this one."""
        given = {"timeout": timeout, "connect_timeout": connect_timeout, "max_retries": max_retries, "headers": headers}
        changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        options = replace(self._caller.options, **changes)
        other = self.__class__.__new__(self.__class__)
        other._set_up(Caller(self._caller.session, options))
        return other

    def close(self) -> None:
        """Close the connections, also those of the views."""
        if self._caller.session.owns_http:
            self._caller.session.http.close()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
