"""Connects two people's accounts and reads them with the generated client."""

import os
import time
import urllib.request
import uuid
from decimal import Decimal

import aviso_client as aviso


def client(address: str, token: str | None = None) -> aviso.ApiClient:
    return aviso.ApiClient(aviso.Configuration(host=address, access_token=token))


def connect(api: aviso.ApiClient, user: uuid.UUID, persona: str) -> uuid.UUID:
    bank = aviso.ProvidersApi(api).list_providers(provider_name_filter="linden").data.providers[0]
    link = aviso.ConnectionsApi(api).create_connection(str(user), aviso.CreateConnectionRequest(
        providerId=bank.id, returnUrl="http://localhost:8080/")).data
    urllib.request.urlopen(os.environ["APPROVE_URL"] + persona, link.redirect_url.encode()).close()
    while aviso.ConnectionsApi(api).get_connection(
            str(user), link.connection_id).data.connection.last_success_at.year == 1:
        time.sleep(0.2)
    return link.connection_id


def main() -> None:
    token = aviso.AuthenticationApi(client(os.environ["BASE_URL"])).create_token(
        "client_credentials", "sandbox", "sandbox-secret").access_token
    api = client(os.environ["BASE_URL"], token)

    user = aviso.UsersApi(api).create_user(aviso.CreateUserRequest(countryCode="DE", languageCode="en")).data.user.user_id
    print("user", user)
    for terms in aviso.TermsApi(api).list_terms().data.terms:
        aviso.TermsApi(api).accept_terms(user, aviso.AcceptTermsRequest(
            termsType=terms.terms_type, version=terms.version))
    connection = [connect(api, user, persona) for persona in ("family", "anna")][-1]

    print("accounts", len(aviso.AccountsApi(api).list_accounts(str(user)).data.accounts))
    count, total = 0, Decimal()
    more = None
    while True:
        page = aviso.TransactionsApi(api).list_transactions(str(user), limit=200, next_token=more)
        count += len(page.data.transactions)
        total = sum((row.amount for row in page.data.transactions), total)
        more = page.meta.pagination.next_token
        if not more:
            break
    print("transactions", count)
    print("sum", total)

    try:
        aviso.TransactionsApi(api).get_transaction(str(user), uuid.uuid4())
    except aviso.exceptions.NotFoundException as refused:
        assert isinstance(refused.data, aviso.Problem)
        print("error", refused.data.status, refused.data.code)

    later = client(os.environ["FUTURE_URL"], token)
    state = aviso.ConnectionsApi(later).get_connection(str(user), connection)
    accounts = aviso.AccountsApi(later).list_accounts(str(user))
    rows = aviso.TransactionsApi(later).list_transactions(str(user), limit=4).data.transactions
    print("future", *(row.amount for row in rows), state.data.connection.connection_status,
          accounts.data.accounts[0].account_type, rows[0].record_state)


main()
