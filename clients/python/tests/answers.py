"""Answers that the service gives."""

from __future__ import annotations

from typing import Any

from conftest import Answer

USER_ID = "1b4e28ba-2fa1-4d1e-883f-0016d3cca427"
NO_REFERENCE = {"id": "", "name": ""}
CATEGORY = {"categoryId": 520, "categoryName": "FOOD", "subcategoryId": 521, "subcategoryName": "FOOD__Groceries"}


def enveloped(data: Any, next_token: str | None = None) -> Answer:
    return Answer(body={"data": data, "meta": {"pagination": {"nextToken": next_token} if next_token else {}}})


def problem(status: int, code: str = "", headers: dict[str, str] | None = None, **members: Any) -> Answer:
    body = {"type": f"https://aviso.example/problems/{code}", "title": "Title", "status": status, "detail": "Detail."}
    body |= {"code": code, "traceId": "trace-1", **members} if code else {"message": "a gateway's"}
    return Answer(status, body, headers or {})


def countries() -> Answer:
    return enveloped({"countries": [{"countryCode": "DE", "providerCount": 3}]})


def transaction(**members: Any) -> dict[str, Any]:
    return {
        "id": "5d8e0c3a-8b44-4b4e-9b19-0a0f6a2d7c55",
        "account": NO_REFERENCE,
        "category": CATEGORY,
        "merchant": NO_REFERENCE,
        "createdAt": "2026-03-02T09:30:00Z",
        "updatedAt": "2026-03-02T09:30:00Z",
        "recordDate": "2026-03-02T00:00:00Z",
        "amount": -23.90,
        "currencyCode": "EUR",
        "note": "KORNBLUME MARKT",
        "paymentType": "DebitCard",
        "recordState": "Cleared",
        "recordType": "Expense",
        "recurrenceFrequency": "Once",
        "subscription": False,
        "payee": "",
        **members,
    }


def transactions(rows: list[dict[str, Any]], next_token: str | None = None) -> Answer:
    return enveloped({"transactions": rows}, next_token)


def changed() -> Answer:
    detail = transaction(categorySource="Override", ruleId="")
    return enveloped({"transaction": detail})


def link() -> Answer:
    return enveloped({"redirectUrl": "http://x/connect", "expiresAt": "2026-03-02T10:05:00Z", "connectionId": "c-1"})
