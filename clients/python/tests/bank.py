"""The user at the sandbox bank, over plain HTTP: the link, the bank's form, and the way back."""

from __future__ import annotations

import httpx


def approve(link: str, persona: str) -> None:
    opened = httpx.get(link)
    # The way back needs the link's cookie. It is for HTTPS, so that a cookie jar would hold it back.
    cookies = [cookie.split(";")[0] for cookie in opened.headers.get_list("set-cookie")]
    form = {"persona": persona, "account[]": ["current", "savings", "card", "joint"], "decision": "approve"}
    back = httpx.post(opened.headers["location"], data=form).headers["location"]
    returned = httpx.get(back, headers={"Cookie": "; ".join(cookies)}).headers["location"]
    assert "status=success" in returned, returned
