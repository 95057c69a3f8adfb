"""Connects two people's accounts and reads them with the generated client."""

import base64
import json
import os
import time
import urllib.request
import uuid
from decimal import Decimal
from typing import TypeVar

from aviso_client import AuthenticatedClient
from aviso_client.api.accounts import list_accounts
from aviso_client.api.authentication import create_token
from aviso_client.api.connections import create_connection, get_connection
from aviso_client.api.providers import list_providers
from aviso_client.api.terms import accept_terms, list_terms
from aviso_client.api.transactions import get_transaction, list_transactions
from aviso_client.api.users import create_user
from aviso_client.models import (
    AcceptTermsRequest, AcceptTermsRequestTermsType, AccountListResponse, ConnectionLinkResponse, ConnectionResponse,
    CreateConnectionRequest, CreateTokenRequest, CreateTokenRequestGrantType, CreateUserRequest, Problem,
    ProviderListResponse, TermsListResponse, TokenResponse, TransactionListResponse, UserResponse)
from aviso_client.types import UNSET, Response, Unset

T = TypeVar("T")


def want(kind: type[T], answer: object) -> T:
    assert isinstance(answer, kind), answer
    return answer


def exact(answer: Response[Problem | TransactionListResponse]) -> TransactionListResponse:
    """Reads the transactions again, with decimals instead of binary fractions."""
    return TransactionListResponse.from_dict(json.loads(answer.content, parse_float=Decimal))


def connect(client: AuthenticatedClient, user: uuid.UUID, persona: str) -> uuid.UUID:
    banks = want(ProviderListResponse, list_providers.sync(client=client, provider_name_filter="linden"))
    link = want(ConnectionLinkResponse, create_connection.sync(client=client, x_user_id=str(user), body=CreateConnectionRequest(
        provider_id=banks.data.providers[0].id, return_url="http://localhost:8080/"))).data
    urllib.request.urlopen(os.environ["APPROVE_URL"] + persona, link.redirect_url.encode()).close()
    while True:
        state = want(ConnectionResponse, get_connection.sync(link.connection_id, client=client, x_user_id=str(user)))
        if state.data.connection.last_success_at.year > 1:
            return link.connection_id
        time.sleep(0.2)


def main() -> None:
    address = os.environ["BASE_URL"]
    basic = AuthenticatedClient(base_url=address, prefix="Basic", token=base64.b64encode(b"sandbox:sandbox-secret").decode())
    token = want(TokenResponse, create_token.sync(client=basic, body=CreateTokenRequest(
        CreateTokenRequestGrantType.CLIENT_CREDENTIALS))).access_token
    client = AuthenticatedClient(base_url=address, token=token)

    created = want(UserResponse, create_user.sync(client=client, body=CreateUserRequest("DE", "en")))
    user = created.data.user.user_id
    print("user", user)
    for terms in want(TermsListResponse, list_terms.sync(client=client)).data.terms:
        accept_terms.sync(user, client=client, body=AcceptTermsRequest(
            AcceptTermsRequestTermsType(terms.terms_type), terms.version))
    connection = [connect(client, user, persona) for persona in ("family", "anna")][-1]

    accounts = want(AccountListResponse, list_accounts.sync(client=client, x_user_id=str(user)))
    print("accounts", len(accounts.data.accounts))
    count, total = 0, Decimal()
    more: str | Unset = UNSET
    while True:
        page = exact(list_transactions.sync_detailed(client=client, x_user_id=str(user), limit=200, next_token=more))
        count += len(page.data.transactions)
        total = sum((Decimal(row.amount) for row in page.data.transactions), total)
        more = page.meta.pagination.next_token
        if not more:
            break
    print("transactions", count)
    print("sum", total)

    missing = want(Problem, get_transaction.sync(uuid.uuid4(), client=client, x_user_id=str(user)))
    print("error", missing.status, missing.code)

    later = AuthenticatedClient(base_url=os.environ["FUTURE_URL"], token=token)
    state = want(ConnectionResponse, get_connection.sync(connection, client=later, x_user_id=str(user)))
    accounts = want(AccountListResponse, list_accounts.sync(client=later, x_user_id=str(user)))
    rows = exact(list_transactions.sync_detailed(client=later, x_user_id=str(user), limit=4)).data.transactions
    print("future", *(row.amount for row in rows), state.data.connection.connection_status,
          accounts.data.accounts[0].account_type, rows[0].record_state)


main()
