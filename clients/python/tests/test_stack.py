"""The journey, and the sums, against the stack at AVISO_BASE_URL. Without one, the tests fail."""

from __future__ import annotations

import collections
import os
import pathlib
import re
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from decimal import Decimal

import pytest
from bank import approve

from aviso import Aviso, ConflictError, NotFoundError, PermissionDeniedError, User, ValidationError, models

PACKAGE = pathlib.Path(__file__).parents[1]


@pytest.fixture(scope="module")
def client(make: Callable[..., Aviso]) -> Aviso:
    return make()


def new_user(client: Aviso) -> User:
    return client.user(client.users.create(country_code="DE", language_code="en").user_id)


@pytest.fixture(scope="module")
def user(client: Aviso) -> User:
    """A user with the accounts of a family and of Anna."""
    made = new_user(client)
    for terms in client.terms.list():
        made.terms.accept(terms_type=terms.terms_type, version=terms.version)
    bank = client.providers.list(provider_name_filter="linden", country_code="DE").page().items[0]
    for persona in ("family", "anna"):
        link = made.connections.create(provider_id=bank.id, return_url="http://localhost:8080/")
        approve(link.redirect_url, persona)
        until = time.monotonic() + 60
        while made.connections.get(link.connection_id).last_success_at.year == 1:
            assert time.monotonic() < until, "the bank was not read"
            time.sleep(0.2)
    return made


@pytest.mark.parametrize(("name", "before_rows"), [("quickstart", ["connection.refreshed"]), ("quickstart_async", [])])
def test_the_quickstarts(name: str, before_rows: list[str]) -> None:
    found = {**os.environ, "PYTHONPATH": str(PACKAGE / "src")}
    path = PACKAGE / "examples" / f"{name}.py"
    program = subprocess.Popen([sys.executable, path], stdout=subprocess.PIPE, text=True, env=found)
    try:
        assert program.stdout is not None
        approve(program.stdout.readline().split()[-1], "anna")
        printed, _ = program.communicate(timeout=60)
    finally:
        program.kill()
    assert program.returncode == 0
    printed_lines = printed.splitlines()
    assert printed_lines[: len(before_rows)] == before_rows
    rows = printed_lines[len(before_rows) :]
    assert len(rows) > 50
    assert all(re.match(r" *-?\d+(\.\d{1,2})? ", row) for row in rows), rows[:3]


def test_the_sums_are_the_services_own(user: User) -> None:
    for kind in ("Expense", "Income"):
        sums: collections.Counter[tuple[int, str]] = collections.Counter()
        totals: dict[tuple[int, str], Decimal] = collections.defaultdict(Decimal)
        for row in user.transactions.list(record_type=kind, limit=200):
            if row.record_state != "Void":
                totals[row.category.category_id, row.currency_code] += row.amount
                sums[row.category.category_id, row.currency_code] += 1
        insights = user.insights.list_category_insights(transaction_type=kind).data.insights
        assert totals == {(i.category.id, i.currency_code): i.amount for i in insights}
        assert sums == {(i.category.id, i.currency_code): i.number_of_transactions for i in insights}


def test_there_are_many_rows(user: User) -> None:
    rows = list(user.transactions.list(limit=200))
    assert len(rows) >= 1652
    assert len({row.id for row in rows}) == len(rows)
    assert all(row.amount.as_tuple().exponent in (0, -1, -2) for row in rows)
    one_by_one = user.transactions.list(limit=5).page()
    assert [row.id for row in one_by_one.items] == [row.id for row in rows[:5]]
    assert user.transactions.list(next_token=one_by_one.next_token, limit=5).page().items[0].id == rows[5].id


def test_a_transaction_is_changed_and_restored(user: User) -> None:
    row = user.transactions.list(limit=1).page().items[0]
    assert user.transactions.update(row.id, category_id=570).category.category_id == 570
    user.transactions.delete_category(row.id)
    assert user.transactions.get(row.id).category_source != "Override"


def test_own_transactions_are_sent_exactly(user: User) -> None:
    account = next(a for a in user.accounts.list() if a.account_type == "CurrentAccount")
    rows = [models.TestTransaction(amount=Decimal("-1234.56"), note="the client's own")]
    assert user.sandbox.create_test_transactions(account_id=account.account_id, transactions=rows).added == 1


def test_a_key_gives_the_same_object_again(client: Aviso) -> None:
    key = f"python-{uuid.uuid4()}"
    made = [client.users.create(country_code="DE", language_code="en", idempotency_key=key) for _ in range(2)]
    assert made[0].user_id == made[1].user_id
    with pytest.raises(ValidationError) as raised:
        client.users.create(country_code="AT", language_code="en", idempotency_key=key)
    assert raised.value.code == "idempotency_key_reused"


def test_problems(client: Aviso, user: User) -> None:
    with pytest.raises(NotFoundError) as not_found:
        user.transactions.get(str(uuid.uuid4()))
    assert not_found.value.code == "not_found"
    assert not_found.value.trace_id
    with pytest.raises(PermissionDeniedError) as denied:
        new_user(client).accounts.list().page()
    assert denied.value.code == "terms_not_accepted"
    assert {e.terms_type for e in denied.value.errors} == {"Operator", "BankingSupplier"}
    with pytest.raises(ValidationError) as wrong:
        client.providers.list(limit=-1).page()
    assert wrong.value.errors[0].parameter == "limit"


def test_a_letter(client: Aviso, user: User) -> None:
    found = client.search.catalogue(search_query="vidorma").data.organizations[0]
    offered = client.catalogue.list_products(found.id)[0]
    product = client.catalogue.get_product(found.id, offered.product_id)
    values = {"DATA_DELETE_REQUEST": "true", "EMAIL": "anna@example.org", "ZIP": "50667"}
    fields = [
        models.CancellationParameter(field_key=f.field_key, field_value=values.get(f.field_key, "K-204817"))
        for f in product.template
    ]
    made = user.cancellations.create(
        organization_id=found.id,
        product_id=product.product_id,
        locale="de-DE",
        parameters=fields,
        signature=models.Signature(type="TEXT", data="Anna Sommer"),
    ).cancellation
    assert made is not None
    assert user.cancellations.get_letter(made.cancellation_id).startswith(b"%PDF")
    assert made.cancellation_id in [c.cancellation_id for c in user.cancellations.list()]


def test_subscriptions(client: Aviso) -> None:
    made = client.webhooks.create_subscription(server_url="http://127.0.0.1:9/", events=["webhook.ping"])
    mine = made.subscription.subscription_id
    secret = client.webhooks.create_secret(mine)
    assert {s.status for s in client.webhooks.list_secrets(mine)} == {"Active", "Expiring"}
    with pytest.raises(ConflictError):
        client.webhooks.delete_secret(mine, secret.secret_id)
    event = client.webhooks.simulate_event(event_type="webhook.ping", subscription_id=mine, data={"message": "hello"})
    until = time.monotonic() + 30
    while event.event_id not in [a.event_id for a in client.webhooks.list_delivery_attempts(mine)]:
        assert time.monotonic() < until, "nothing was sent"
        time.sleep(0.2)
    client.webhooks.delete_subscription(mine)
    assert mine not in [s.subscription_id for s in client.webhooks.list_subscriptions()]


def test_every_answer_of_an_event_type_is_typed(client: Aviso) -> None:
    from aviso._events import TYPES

    described = {t.event_type: t.example for t in client.webhooks.list_event_types()}
    assert set(described) == set(TYPES)
    for name, example in described.items():
        TYPES[name].model_fields["data"].annotation.model_validate(example)  # type: ignore[union-attr]
