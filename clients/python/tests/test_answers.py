"""Pages, problems, exact amounts, and what a later version of the service may send."""

from __future__ import annotations

import functools
import json
import pathlib
from decimal import Decimal
from typing import Any

import pydantic
import pytest
import yaml
from answers import USER_ID, countries, enveloped, problem, transaction, transactions
from conftest import Answer, Service

from aviso import UnexpectedAnswerError, ValidationError, errors, models


def test_a_list_goes_through_all_pages(service: Service) -> None:
    rows = [transaction(note=str(n)) for n in range(5)]
    service.answers = [
        transactions(rows[:3], "two"), transactions([], "three"), transactions(rows[3:]),
    ]  # fmt: skip
    listed = service.client().user(USER_ID).transactions.list(limit=3, text="a b")
    assert [t.note for t in listed] == ["0", "1", "2", "3", "4"]
    assert [r.query for r in service.received] == [
        {"limit": "3", "text": "a b"},
        {"limit": "3", "text": "a b", "nextToken": "two"},
        {"limit": "3", "text": "a b", "nextToken": "three"},
    ]


def test_one_page(service: Service) -> None:
    service.answers = [transactions([transaction()], "more")]
    user = service.client().user(USER_ID)
    page = user.transactions.list().page()
    assert (len(page.items), page.next_token) == (1, "more")
    user.transactions.list(next_token="more").page()
    assert service.received[1].query == {"nextToken": "more"}


def test_pages_are_fetched_as_they_are_needed(service: Service) -> None:
    service.answers = [transactions([transaction()], "more")]
    assert next(iter(service.client().user(USER_ID).transactions.list())).note == "KORNBLUME MARKT"
    assert len(service.received) == 1


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "malformed_request", errors.ValidationError),
        (401, "unauthorized", errors.AuthenticationError),
        (403, "terms_not_accepted", errors.PermissionDeniedError),
        (404, "not_found", errors.NotFoundError),
        (409, "conflict", errors.ConflictError),
        (413, "payload_too_large", errors.ValidationError),
        (422, "template_mismatch", errors.ValidationError),
        (429, "rate_limited", errors.RateLimitedError),
        (500, "internal_error", errors.ServerError),
        (405, "method_not_allowed", errors.ProblemError),
        (418, "of_tomorrow", errors.ProblemError),
    ],
)
def test_problems_have_a_class(service: Service, status: int, code: str, kind: type[errors.ProblemError]) -> None:
    service.answers = [problem(status, code)]
    with pytest.raises(errors.ProblemError) as raised:
        service.client(max_retries=0).providers.list_countries()
    assert type(raised.value) is kind
    assert (raised.value.status, raised.value.code, raised.value.trace_id) == (status, code, "trace-1")


def test_the_parts_of_a_problem(service: Service) -> None:
    wrong = [{"parameter": "limit", "code": "invalid", "detail": "expected number <= 200", "hint": "new"}, "odd"]
    service.answers = [problem(422, "validation_failed", errors=wrong)]
    with pytest.raises(ValidationError) as raised:
        service.client().providers.list(limit=1000).page()
    assert [(e.parameter, e.code) for e in raised.value.errors] == [("limit", "invalid")]
    assert str(raised.value) == "422 validation_failed: Detail. (limit expected number <= 200), trace ID trace-1"


@pytest.mark.parametrize("body", [b"", b"<html>", b"\xff", b"[]", b"null"])
def test_a_problem_that_is_no_document(service: Service, body: bytes) -> None:
    service.answers = [Answer(500, body, {"X-Request-Id": "req-1"})]
    with pytest.raises(errors.ServerError) as raised:
        service.client().providers.list_countries()
    assert (raised.value.code, raised.value.trace_id) == ("", "req-1")
    assert str(raised.value) == "500 without a problem document: is this Aviso's address?, trace ID req-1"


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"data":{},"meta":{"pagination":{}}}'])
def test_a_success_that_is_none(service: Service, body: bytes) -> None:
    service.answers = [Answer(200, body)]
    with pytest.raises(UnexpectedAnswerError):
        service.client().providers.list_countries()


@functools.cache
def document() -> Any:
    """The document that the core was generated from."""
    return yaml.safe_load((pathlib.Path(__file__).parents[3] / "docs/openapi.yaml").read_text())


def raw_amounts(*amounts: str) -> Answer:
    body = json.dumps(transactions([transaction(amount=f"#{a}#") for a in amounts]).body)
    return Answer(body=body.replace('"#', "").replace('#"', "").encode())


def test_amounts_are_exact(service: Service) -> None:
    service.answers = [raw_amounts("1234567.89", "0.1", "0.2", "-0.3", "100", "123456789012345678.91", "1e2")]
    amounts = [t.amount for t in service.client().user(USER_ID).transactions.list()]
    assert amounts[:3] == [Decimal("1234567.89"), Decimal("0.1"), Decimal("0.2")]
    assert sum(amounts[1:4]) == 0
    assert amounts[4:] == [Decimal(100), Decimal("123456789012345678.91"), Decimal(100)]


def test_amounts_are_sent_exactly(service: Service) -> None:
    service.answers = [enveloped({"testTransactions": {"accountId": "a", "connectionId": "c", "added": 1}})]
    row = models.TestTransaction(amount=Decimal("-1234567.10"), note="x")
    service.client().user(USER_ID).sandbox.create_test_transactions(account_id="a", transactions=[row])
    assert b'"amount":-1234567.10' in service.received[0].body
    assert service.received[0].path == f"/sandbox/v1/users/{USER_ID}/transactions"


def test_amounts_that_are_none_are_not_sent(service: Service) -> None:
    row = models.TestTransaction(amount=Decimal(1), note="x")
    row.amount = Decimal("NaN")
    with pytest.raises(ValueError, match="not an amount"):
        service.client().user(USER_ID).sandbox.create_test_transactions(account_id="a", transactions=[row])


def test_python_names_in_a_dict_are_refused_at_the_call(service: Service) -> None:
    user = service.client().user("u")
    wrong: Any = [{"field_key": "NAME", "field_value": "Anna Sommer"}]
    with pytest.raises(TypeError, match="'field_key' is 'fieldKey'"):
        user.cancellations.create(
            locale="de-DE", organization_id="o", product_id="p", parameters=wrong,
            signature=models.Signature(type="TEXT", data="Anna Sommer"),
        )  # fmt: skip
    assert not service.received
    assert not service.tokens


def test_unknown_values_and_members_are_kept(service: Service) -> None:
    service.answers = [transactions([transaction(paymentType="Telepathy", mood={"a": [1]})])]
    got = service.client().user(USER_ID).transactions.list().page().items[0]
    assert got.payment_type == "Telepathy"
    assert got.model_extra == {"mood": {"a": [1]}}


@pytest.mark.parametrize("name", [n for n, m in vars(models).items() if hasattr(m, "model_fields")])
def test_every_name_is_the_services(name: str) -> None:
    """The names of Python are made from those of the document, and lead back to them."""
    properties = document()["components"]["schemas"].get(name, {}).get("properties", {})
    model: type[pydantic.BaseModel] = getattr(models, name)
    assert {info.alias for info in model.model_fields.values()} == set(properties)


def test_what_acts_for_a_user_says_for_which(service: Service) -> None:
    service.answers = [transactions([])]
    client = service.client()
    assert not hasattr(client, "accounts")
    client.user(USER_ID).transactions.list().page()
    assert service.received[0].headers["x-user-id"] == USER_ID
    service.answers = [countries()]
    client.providers.list_countries()
    assert "x-user-id" not in service.received[1].headers


def test_ids_stay_in_their_place(service: Service) -> None:
    client = service.client(max_retries=0)
    service.answers = [problem(404, "not_found")]
    with pytest.raises(errors.NotFoundError):
        client.users.get("a/../b?c#d")
    assert service.received[0].path == "/identity/v1/users/a%2F..%2Fb%3Fc%23d"
    for wrong in ("", ".", ".."):
        with pytest.raises(ValueError, match="not an ID"):
            client.users.delete(wrong)
    with pytest.raises(ValueError, match="empty"):
        client.user("")
