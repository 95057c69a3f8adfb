# Generated from _async/operations.py by `make clients`; do not edit.
from __future__ import annotations

import builtins
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Literal

from .. import models
from .._shared import Page, at, new_key
from .groups import Group, Pages
from .transport import Caller


class Catalogue(Group):
    def list_cancellation_categories(self, *, locale: str | None = None) -> builtins.list[models.OrganizationCategory]:
        """List the categories of organizations.

        All categories, in display order.

        Args:
            locale: The language of the names; English by default, and for a name without a translation.
        """
        answer = self._ask(
            "GET", "/cancellations/v1/categories", models.OrganizationCategoryListResponse, query={"locale": locale}
        )
        return answer.data.categories

    def list_organizations(
        self,
        *,
        limit: int | None = None,
        category_id: str | None = None,
        locale: str | None = None,
        confirmed: Literal["true", "false"] | str | None = None,
        next_token: str | None = None,
    ) -> Pages[models.Organization]:
        """List organizations.

        Organizations whose contracts can be cancelled, sorted by name.

        Args:
            limit: Maximum number of elements in the response; more than 200 count as 200.
            category_id: Only organizations in this category.
            locale: Only organizations that offer this locale.
            confirmed: Only organizations whose address is confirmed, or only the others.
        """

        def page(token: str | None) -> Page[models.Organization]:
            answer = self._ask(
                "GET",
                "/cancellations/v1/organizations",
                models.OrganizationListResponse,
                query={
                    "nextToken": token,
                    "limit": limit,
                    "categoryId": category_id,
                    "locale": locale,
                    "confirmed": confirmed,
                },
            )
            return Page(answer.data.organizations, answer.meta.pagination.next_token)

        return Pages(page, next_token)

    def get_organization(self, organization_id: str) -> models.Organization:
        """Get an organization.

        The organization that a product, a cancellation or a recurring contract names by its organizationId.
        """
        answer = self._ask(
            "GET", at("/cancellations/v1/organizations/{}", organization_id), models.OrganizationResponse
        )
        return answer.data.organization

    def list_products(self, organization_id: str, *, locale: str | None = None) -> builtins.list[models.Product]:
        """List an organization's products.

        What can be cancelled with the organization.

        Args:
            locale: Only products that offer this locale.
        """
        answer = self._ask(
            "GET",
            at("/cancellations/v1/organizations/{}/products", organization_id),
            models.ProductListResponse,
            query={"locale": locale},
        )
        return answer.data.products

    def get_product(self, organization_id: str, product_id: str, *, locale: str | None = None) -> models.ProductDetail:
        """Get a product with its template.

        The template lists the fields that the user fills in to cancel the product.

        Args:
            locale: The language of the labels: one of the product's locales, the first by default.
        """
        answer = self._ask(
            "GET",
            at("/cancellations/v1/organizations/{}/products/{}", organization_id, product_id),
            models.ProductResponse,
            query={"locale": locale},
        )
        return answer.data.product

    def get_deadline(
        self,
        organization_id: str,
        product_id: str,
        *,
        locale: str | None = None,
        contract_start: date | None = None,
        cancelled_on: date | None = None,
        channel: Literal["Email", "Mail", "RegisteredMail", "Fax"] | str | None = None,
    ) -> models.Deadline:
        """Get the deadline of a contract.

        When a contract for the product can end, and by when a cancellation must be sent by each channel.
        Each step names its source: the product's terms, or the statute that overrides them. The deadline is
        computed without the contract itself, and is not legal advice.

        Args:
            locale: The language of the texts, and the country whose law applies: one of the product's
                locales, the first by default.
            contract_start: First day of the contract.
            cancelled_on: The day on which the cancellation is sent; today by default, where the recipient
                is.
            channel: The channel that counts for earliestEnd; the product's first by default.
        """
        answer = self._ask(
            "GET",
            at("/cancellations/v1/organizations/{}/products/{}/deadline", organization_id, product_id),
            models.DeadlineResponse,
            query={"locale": locale, "contractStart": contract_start, "cancelledOn": cancelled_on, "channel": channel},
        )
        return answer.data.deadline

    def calculate_deadline(
        self,
        organization_id: str,
        product_id: str,
        *,
        locale: str | None = None,
        agreed_terms: models.AgreedTerms | None = None,
        cancelled_on: date | None = None,
        channel: Literal["Email", "Mail", "RegisteredMail", "Fax"] | str | None = None,
        concluded_on: date | None = None,
        contract_start: date | None = None,
        customer: Literal["Consumer", "SmallBusiness", "Business"] | str | None = None,
        last_renewal: date | None = None,
        renewal_reminder: Literal["Sent", "NotSent"] | str | None = None,
    ) -> models.Deadline:
        """Calculate the deadline of a contract from more facts.

        Like getDeadline, but with facts that only the user knows. Nothing is stored.

        Args:
            locale: The language of the texts, and the country whose law applies: one of the product's
                locales, the first by default.
            agreed_terms: Terms that differ from those of the product. Each that you send replaces the
                product's.
            cancelled_on: The day on which the cancellation is sent; today by default, where the recipient
                is.
            channel: The channel that counts for earliestEnd; the product's first by default.
            concluded_on: The day on which the contract was concluded, which decides which law and terms
                apply; contractStart by default. A right to withdraw is counted from it, and only if you
                send it.
            contract_start: First day of the contract.
            customer: Whether the user concluded the contract as a consumer (default) or a business.
                SmallBusiness: one that some statutes protect like a consumer.
            last_renewal: First day of the current term, if known. Renewals are counted from it.
            renewal_reminder: Whether the organization told the user in time that the contract would
                renew; sent by default.
        """
        answer = self._ask(
            "POST",
            at("/cancellations/v1/organizations/{}/products/{}/deadline", organization_id, product_id),
            models.DeadlineResponse,
            query={"locale": locale},
            body={
                "agreedTerms": agreed_terms,
                "cancelledOn": cancelled_on,
                "channel": channel,
                "concludedOn": concluded_on,
                "contractStart": contract_start,
                "customer": customer,
                "lastRenewal": last_renewal,
                "renewalReminder": renewal_reminder,
            },
        )
        return answer.data.deadline


class Providers(Group):
    def list(
        self,
        *,
        limit: int | None = None,
        country_code: str | None = None,
        provider_name_filter: str | None = None,
        bic: str | None = None,
        bank_code: str | None = None,
        next_token: str | None = None,
    ) -> Pages[models.Provider]:
        """List or search banks.

        Ordered by name. With bic or bankCode, ordered by country.

        Args:
            limit: Maximum number of elements in the response; more than 200 count as 200.
            country_code: Only providers in this country. Case does not matter.
            provider_name_filter: Only providers with this text in their name. Case, accents and the
                spelling of umlauts do not matter: töchter, toechter and tochter are the same.
            bic: Only providers with this BIC. Case does not matter, and a BIC without branch is the same
                as one that ends with XXX.
            bank_code: Only providers with this national bank code, such as a German Bankleitzahl. Case
                does not matter.
        """

        def page(token: str | None) -> Page[models.Provider]:
            answer = self._ask(
                "GET",
                "/openbanking/v1/providers",
                models.ProviderListResponse,
                query={
                    "nextToken": token,
                    "limit": limit,
                    "countryCode": country_code,
                    "providerNameFilter": provider_name_filter,
                    "bic": bic,
                    "bankCode": bank_code,
                },
            )
            return Page(answer.data.providers, answer.meta.pagination.next_token)

        return Pages(page, next_token)

    def list_countries(self) -> builtins.list[models.ProviderCountry]:
        """List countries that have banks.

        Countries with at least one bank, ordered by code.
        """
        answer = self._ask("GET", "/openbanking/v1/providers/countries", models.ProviderCountryListResponse)
        return answer.data.countries

    def get(self, provider_id: str) -> models.Provider:
        """Get a bank.

        One bank by its ID.
        """
        answer = self._ask("GET", at("/openbanking/v1/providers/{}", provider_id), models.ProviderResponse)
        return answer.data.provider


class Search(Group):
    def catalogue(
        self,
        *,
        search_query: str,
        limit: int | None = None,
        locale: str | None = None,
        category_id: str | None = None,
        confirmed: Literal["true", "false"] | str | None = None,
        next_token: str | None = None,
    ) -> models.SearchResponse:
        """Search organizations and products.

        Searches names by their words, in any order, and returns the best match first. Case, accents and the
        spelling of umlauts (ä, ae, a) do not matter. Words of four or more letters may contain one typo.
        The beginning of a word also matches. A product also matches by the name of its organization. If no
        name contains all words, rare words decide and common ones are ignored.

        Args:
            limit: Maximum number of elements in each of the two lists; more than 200 count as 200.
            search_query: Words from the name of an organization, a product, or both; the last word may be
                incomplete.
            locale: Only what is offered in this locale.
            category_id: Only organizations in this category, and their products.
            confirmed: Only organizations whose address is confirmed, or only the others, and their
                products.
        """
        return self._ask(
            "GET",
            "/cancellations/v1/search",
            models.SearchResponse,
            query={
                "nextToken": next_token,
                "limit": limit,
                "searchQuery": search_query,
                "locale": locale,
                "categoryId": category_id,
                "confirmed": confirmed,
            },
        )


class Terms(Group):
    def list(self) -> builtins.list[models.Terms]:
        """List the terms in force.

        Users accept exactly these versions. Once a new version is in force, they have to accept again. A
        version that is published ahead is listed after the one that it replaces; who accepts it needs no
        other. Users who have not accepted can still list their connections, end them, and leave.
        """
        answer = self._ask("GET", "/identity/v1/terms", models.TermsListResponse)
        return answer.data.terms


class Transactions(Group):
    def list_categories(self) -> builtins.list[models.TopCategory]:
        """List the transaction categories.

        Top-level categories (L1) with their subcategories (L2), ordered by ID.
        """
        answer = self._ask("GET", "/openbanking/v1/categories", models.TopCategoryListResponse)
        return answer.data.categories


class UserAccounts(Group):
    def list(self, *, limit: int | None = None, next_token: str | None = None) -> Pages[models.Account]:
        """List a user's accounts.

        Accounts from all of the user's connections. An account that several connections share is in the
        list once, with the connection that holds it.

        Args:
            limit: Maximum number of elements in the response; more than 200 count as 200.
        """

        def page(token: str | None) -> Page[models.Account]:
            answer = self._ask(
                "GET",
                "/openbanking/v1/accounts",
                models.AccountListResponse,
                query={"nextToken": token, "limit": limit},
            )
            return Page(answer.data.accounts, answer.meta.pagination.next_token)

        return Pages(page, next_token)


class UserCancellations(Group):
    def list(
        self,
        *,
        limit: int | None = None,
        status: Literal[
            "Created", "Queued", "Sent", "Delivered", "Confirmed", "DeliveryFailed", "Rejected", "Withdrawn"
        ]
        | str
        | None = None,
        external_cancellation_request_identifier: str | None = None,
        next_token: str | None = None,
    ) -> Pages[models.Cancellation]:
        """List a user's cancellations.

        The newest first.

        Args:
            limit: Maximum number of elements in the response; more than 200 count as 200.
            status: Only cancellations with this status.
            external_cancellation_request_identifier: Only the cancellation with this identifier.
        """

        def page(token: str | None) -> Page[models.Cancellation]:
            answer = self._ask(
                "GET",
                "/cancellations/v1/cancellations",
                models.CancellationListResponse,
                query={
                    "nextToken": token,
                    "limit": limit,
                    "status": status,
                    "externalCancellationRequestIdentifier": external_cancellation_request_identifier,
                },
            )
            return Page(answer.data.cancellations, answer.meta.pagination.next_token)

        return Pages(page, next_token)

    def create(
        self,
        *,
        locale: str,
        organization_id: str,
        parameters: Sequence[models.CancellationParameter],
        product_id: str,
        signature: models.Signature,
        dry_run: bool | None = None,
        end_date: date | None = None,
        external_cancellation_request_identifier: str | None = None,
        extra_consent: bool | None = None,
        reason: models.GivenReason | None = None,
        repeat: bool | None = None,
        reply_to: str | None = None,
        subscription_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.CreatedCancellationData:
        """Cancel a contract.

        We write a letter and send it by e-mail, fax, mail or registered mail. With dryRun, nothing is
        stored or sent, and the response is 200 with the letter. If the user already has a cancellation with
        the same external identifier and content, the response is 200 with that cancellation. A second
        letter for the same contract is usually a mistake. So the answer is 409 already_cancelled with the
        cancellationId of the first, unless you send repeat, or that cancellation failed, was rejected or
        withdrawn, or its contract has ended. Another customer, contract or phone number, or another number
        plate, means another contract. The answer is 422 form_not_supported if the law wants an original
        signature; dryRun then gives the letter to print. It is 422 reason_not_available if the law does not
        know the reason, or if the period of a withdrawal is over. Electricity, gas and water need endDate,
        unless the user withdraws: the new supplier cancels, and an own letter can end the supply.

        Args:
            dry_run: Preview the letter: nothing is stored or sent, and the response is 200 with
                data.letter.
            end_date: Last day of the contract, from today to ten years ahead; the earliest possible by
                default. If the contract cannot end on it, the error has the next day as earliestEnd. That
                is not checked if the terms of the product are not known, or depend on when the contract
                began.
            external_cancellation_request_identifier: Your own identifier, unique per user. Sending it
                again with the same content returns the first cancellation.
            extra_consent: The user consents to a letter that reveals an opinion or belief. Must be true
                if the organization's extraConsent is.
            locale: Language of the letter: one of the locales of the product.
            organization_id: Who the contract is with.
            parameters: One for each field of the product's template.
            product_id: What to cancel; one of the products of the organization.
            reason: Why; Ordinary by default. 422 if we know no such right in the country for this kind of
                contract, or if its date is missing.
            repeat: Cancel even if the user has already cancelled this contract. Otherwise you get
                already_cancelled.
            reply_to: E-mail address for the organization's answer, if the template has no EMAIL. Without
                either, it goes to the user's postal address and our mailbox.
            signature: Signature of the user, for the letter.
            subscription_id: The contract in the user's account, from listRecurringContracts. Without it,
                we look for the only contract with the organization.
        """
        answer = self._ask(
            "POST",
            "/cancellations/v1/cancellations",
            models.CreatedCancellationResponse,
            query={"dryRun": dry_run},
            body={
                "endDate": end_date,
                "externalCancellationRequestIdentifier": external_cancellation_request_identifier,
                "extraConsent": extra_consent,
                "locale": locale,
                "organizationId": organization_id,
                "parameters": parameters,
                "productId": product_id,
                "reason": reason,
                "repeat": repeat,
                "replyTo": reply_to,
                "signature": signature,
                "subscriptionId": subscription_id,
            },
            key=idempotency_key or new_key(),
        )
        return answer.data

    def get(self, cancellation_id: str) -> models.Cancellation:
        """Get a cancellation.

        Its status, and every status before.
        """
        answer = self._ask(
            "GET", at("/cancellations/v1/cancellations/{}", cancellation_id), models.CancellationResponse
        )
        return answer.data.cancellation

    def get_evidence(self, cancellation_id: str) -> bytes:
        """Get the evidence of a cancellation.

        A ZIP archive that records what happened, and that can be verified offline: the letter, every step
        in a chain of digests (evidence.json), the same in words for people and judges (evidence.pdf), our
        signature (evidence.jws), a time stamp of it (evidence.tsr, RFC 3161), and what carriers sent. It
        has the same bytes until something happens. If the time-stamp authority does not answer, the archive
        has timestamp-pending.txt instead; fetch it again later. The ID of an objection gives the evidence
        of that letter.
        """
        return self._caller.send("GET", at("/cancellations/v1/cancellations/{}/evidence", cancellation_id))

    def get_letter(self, cancellation_id: str) -> bytes:
        """Get the letter of a cancellation.

        The PDF that was or will be sent. Its SHA-256 is the cancellation's letterSha256. The ID of an
        objection gives its letter.
        """
        return self._caller.send("GET", at("/cancellations/v1/cancellations/{}/letter", cancellation_id))

    def create_objection(
        self,
        cancellation_id: str,
        *,
        parameters: Sequence[models.CancellationParameter],
        signature: models.Signature,
        reply_to: str | None = None,
    ) -> models.CancellationLetter:
        """Preview a letter that objects to debits.

        The same letter as in sendObjection, for the user to send. We neither store nor send it. It offers
        the evidence on request. If no debit is unpaid, the answer is conflict.

        Args:
            parameters: One for each field of the product's template.
            reply_to: As in createCancellation.
            signature: Signature of the user, for the letter.
        """
        answer = self._ask(
            "POST",
            at("/cancellations/v1/cancellations/{}/objection", cancellation_id),
            models.ObjectionResponse,
            body={"parameters": parameters, "replyTo": reply_to, "signature": signature},
        )
        return answer.data.letter

    def list_objections(self, cancellation_id: str) -> builtins.list[models.Objection]:
        """List the objections to debits.

        Objections to debits after the end of the contract, oldest first.
        """
        answer = self._ask(
            "GET", at("/cancellations/v1/cancellations/{}/objections", cancellation_id), models.ObjectionListResponse
        )
        return answer.data.objections

    def send_objection(
        self,
        cancellation_id: str,
        *,
        parameters: Sequence[models.CancellationParameter],
        signature: models.Signature,
        dry_run: bool | None = None,
        channel: Literal["Email", "Mail", "RegisteredMail", "Fax"] | str | None = None,
        reply_to: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.SentObjectionData:
        """Send a letter that objects to debits.

        If debits came after the end of the contract, the letter asks for the money back, withdraws the
        permission to debit, and names the cancellation with its digest. It goes the same way as the letter
        of cancellation, and encloses its evidence. With dryRun, nothing is stored or sent, and the response
        is 200 with the letter. If the outcome is not StillDebited, the answer is conflict. Each debit has
        one objection. If all debits already have one, the answer is conflict with its objectionId. An
        objection that could not be delivered does not count.

        Args:
            dry_run: Preview the letter: nothing is stored or sent, and the response is 200 with
                data.letter.
            channel: The channel to try first, one of those that the product allows. By default it is the
                one that the cancellation went by.
            parameters: One for each field of the product's template.
            reply_to: As in createCancellation.
            signature: Signature of the user, for the letter.
        """
        answer = self._ask(
            "POST",
            at("/cancellations/v1/cancellations/{}/objections", cancellation_id),
            models.SentObjectionResponse,
            query={"dryRun": dry_run},
            body={"channel": channel, "parameters": parameters, "replyTo": reply_to, "signature": signature},
            key=idempotency_key or new_key(),
        )
        return answer.data

    def update_outcome(
        self,
        cancellation_id: str,
        *,
        status: Literal["Confirmed", "Rejected"] | str,
        end_date: date | None = None,
        status_reason: Literal["UserNotFound", "InconsistentData", "AlreadyCancelled", "BindingPeriod"]
        | str
        | None = None,
    ) -> models.Cancellation:
        """Report the organization's answer.

        For an answer that the user got in another way, such as by post. The history and the evidence say
        that it is your word. If the cancellation is not waiting for an answer, the answer is conflict. The
        same report again has no effect.

        Args:
            end_date: Last day of the contract, for Confirmed; absent if unknown.
            status: Whether the organization accepts the cancellation.
            status_reason: Why it is rejected. Required for Rejected.
        """
        answer = self._ask(
            "POST",
            at("/cancellations/v1/cancellations/{}/outcome", cancellation_id),
            models.CancellationResponse,
            body={"endDate": end_date, "status": status, "statusReason": status_reason},
        )
        return answer.data.cancellation

    def list_replies(self, cancellation_id: str) -> builtins.list[models.Reply]:
        """List the organization's answers.

        What the organization has answered to replyAddress, newest first. A confirmation or a rejection that
        is clear changes the status of the cancellation. All others only inform you.
        """
        answer = self._ask(
            "GET", at("/cancellations/v1/cancellations/{}/replies", cancellation_id), models.ReplyListResponse
        )
        return answer.data.replies

    def get_reply(self, cancellation_id: str, reply_id: str) -> models.Reply:
        """Get an answer with its text.

        The text is without quotations of your letter, and includes that of PDF files.
        """
        answer = self._ask(
            "GET", at("/cancellations/v1/cancellations/{}/replies/{}", cancellation_id, reply_id), models.ReplyResponse
        )
        return answer.data.reply

    def answer_reply(
        self,
        cancellation_id: str,
        reply_id: str,
        *,
        parameters: Sequence[models.CancellationParameter],
        idempotency_key: str | None = None,
    ) -> models.Reply:
        """Send what the organization asks for.

        For a reply of kind NeedsInformation. The fields go to the organization by e-mail, in the thread of
        its mail: to its sender if the sender is authenticated, or else to the address that the letter went
        to. A reply has one answer; if it has one that was not refused by the mail server, or cannot be
        answered, the answer is conflict.

        Args:
            parameters: The fields of neededFields, without SIGNATURE and PROOF, which are not text. Other
                fields of the product's template may be sent along.
        """
        answer = self._ask(
            "POST",
            at("/cancellations/v1/cancellations/{}/replies/{}/answer", cancellation_id, reply_id),
            models.ReplyResponse,
            body={"parameters": parameters},
            key=idempotency_key or new_key(),
        )
        return answer.data.reply

    def get_raw_reply(self, cancellation_id: str, reply_id: str) -> bytes:
        """Get an answer as it was received.

        The mail as a file. A mail of more than 4 MB is not kept; the answer is then 404.
        """
        return self._caller.send(
            "GET", at("/cancellations/v1/cancellations/{}/replies/{}/raw", cancellation_id, reply_id)
        )

    def withdraw(self, cancellation_id: str) -> models.Cancellation:
        """Withdraw a cancellation.

        Possible until the letter is being handed to a carrier. Withdrawing again has no effect.
        """
        answer = self._ask(
            "POST", at("/cancellations/v1/cancellations/{}/withdraw", cancellation_id), models.CancellationResponse
        )
        return answer.data.cancellation


class UserClients(Group):
    def create_open_banking_client(
        self, *, country_code: str, language_code: str, idempotency_key: str | None = None
    ) -> models.OpenBankingClient:
        """Create a client.

        Deprecated. No longer needed: remove the call. It returns the same ID for a user every time.

        Args:
            country_code: The user's country (ISO 3166-1 alpha-2). Case does not matter.
            language_code: The user's language (ISO 639), in lower case.
        """
        answer = self._ask(
            "POST",
            "/openbanking/v1/clients",
            models.OpenBankingClientResponse,
            body={"countryCode": country_code, "languageCode": language_code},
            key=idempotency_key or new_key(),
        )
        return answer.data.client


class UserConnections(Group):
    def list(self, *, limit: int | None = None, next_token: str | None = None) -> Pages[models.Connection]:
        """List a user's connections.

        All of the user's connections, whatever their status. The order is stable but has no meaning.

        Args:
            limit: Maximum number of elements in the response; more than 200 count as 200.
        """

        def page(token: str | None) -> Page[models.Connection]:
            answer = self._ask(
                "GET",
                "/openbanking/v1/connections",
                models.ConnectionListResponse,
                query={"nextToken": token, "limit": limit},
            )
            return Page(answer.data.connections, answer.meta.pagination.next_token)

        return Pages(page, next_token)

    def create(
        self,
        *,
        provider_id: str,
        account_type: Literal[
            "CurrentAccount",
            "SavingAccount",
            "BonusAccount",
            "CreditCard",
            "Loan",
            "Mortgage",
            "Overdraft",
            "Investment",
            "Insurance",
            "Cash",
            "General",
        ]
        | str
        | None = None,
        return_url: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.ConnectionLink:
        """Connect a user's bank account.

        Send the user to redirectUrl before expiresAt. The bank asks the user for consent. Then the user
        returns to returnUrl, with connectionId and status (success, failed, cancelled) in the query. If the
        user has connected this bank before, the new connection takes over the accounts that both list, with
        their IDs, history and categories. An older connection that keeps no account becomes Expired with
        the reason ConsentReplaced.

        Args:
            account_type: Optional, and ignored: the user picks the accounts at the bank.
            provider_id: The bank, from GET /openbanking/v1/providers.
            return_url: Where the user returns to. Must be under a URL that is registered for you, else
                the answer is 422 return_url_not_registered, whose errors[].detail lists the registered
                ones. Without it, the first of those is used. We add connectionId and status to its query.
        """
        answer = self._ask(
            "POST",
            "/openbanking/v1/connections",
            models.ConnectionLinkResponse,
            body={"accountType": account_type, "providerId": provider_id, "returnUrl": return_url},
            key=idempotency_key or new_key(),
        )
        return answer.data

    def delete(self, connection_id: str) -> None:
        """Delete a connection.

        The connection and the accounts that it holds disappear at once, their transactions within 20
        seconds. Accounts that another connection has taken over stay. We end the consent at the bank.
        """
        self._caller.send("DELETE", at("/openbanking/v1/connections/{}", connection_id))

    def get(self, connection_id: str) -> models.Connection:
        """Get a connection.

        Its status, and the reason for it.
        """
        answer = self._ask("GET", at("/openbanking/v1/connections/{}", connection_id), models.ConnectionResponse)
        return answer.data.connection

    def list_consents(self, connection_id: str) -> builtins.list[models.Consent]:
        """List the consents of a connection.

        For a permission dashboard: each answer that the user gave on our consent page, the latest first,
        with the words of the page and how the consent ended. They stay when the connection is deleted.
        Empty if the operator has no consent page; then keep your own record.
        """
        answer = self._ask(
            "GET", at("/openbanking/v1/connections/{}/consents", connection_id), models.ConsentListResponse
        )
        return answer.data.consents

    def reconnect(
        self, connection_id: str, *, return_url: str | None = None, idempotency_key: str | None = None
    ) -> models.ConnectionLink:
        """Renew or repair a connection.

        Creates a new link to the bank for the same connection. The connection, its accounts and its
        transactions keep their IDs. An Active connection stays as it is until the user authorises the new
        consent; any other becomes Pending. Any earlier link stops working. If the user shares none of the
        accounts that we know, we read nothing and end the new consent: the connection becomes
        ActionRequired with the reason AccountsMismatch.

        Args:
            return_url: Where the user returns to, as for a new connection.
        """
        answer = self._ask(
            "POST",
            at("/openbanking/v1/connections/{}/reconnect", connection_id),
            models.ConnectionLinkResponse,
            body={"returnUrl": return_url},
            key=idempotency_key or new_key(),
        )
        return answer.data

    def refresh(
        self,
        connection_id: str,
        *,
        psu_ip_address: str | None = None,
        psu_accept: str | None = None,
        psu_accept_charset: str | None = None,
        psu_accept_encoding: str | None = None,
        psu_accept_language: str | None = None,
        psu_user_agent: str | None = None,
        psu_http_method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] | str | None = None,
        psu_device_id: str | None = None,
        psu_geo_location: str | None = None,
        psu_ip_port: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.Connection:
        """Refresh a connection now.

        We read the bank within seconds; lastSuccessAt shows when we succeeded. Possible from
        nextRefreshPossibleAt on, and at most four times in any 24 hours without the user, automatic
        refreshes included.

        Args:
            psu_ip_address: The user's IP address, if the user is present. Such a refresh does not count
                towards the four in any 24 hours without the user.
            psu_accept: With X-Psu-Ip-Address: the header Accept of the user's call to you. This and the
                following headers are passed on to banks that want them.
            psu_accept_charset: The header Accept-Charset of the user's call.
            psu_accept_encoding: The header Accept-Encoding of the user's call.
            psu_accept_language: The header Accept-Language of the user's call.
            psu_user_agent: The header User-Agent of the user's call.
            psu_http_method: The method of the user's call.
            psu_device_id: A UUID of the user's device, or of your app on it.
            psu_geo_location: Where the user is.
            psu_ip_port: The port of the user's call.
        """
        answer = self._ask(
            "POST",
            at("/openbanking/v1/connections/{}/refresh", connection_id),
            models.ConnectionResponse,
            headers={
                "X-Psu-Ip-Address": psu_ip_address,
                "X-Psu-Accept": psu_accept,
                "X-Psu-Accept-Charset": psu_accept_charset,
                "X-Psu-Accept-Encoding": psu_accept_encoding,
                "X-Psu-Accept-Language": psu_accept_language,
                "X-Psu-User-Agent": psu_user_agent,
                "X-Psu-Http-Method": psu_http_method,
                "X-Psu-Device-Id": psu_device_id,
                "X-Psu-Geo-Location": psu_geo_location,
                "X-Psu-Ip-Port": psu_ip_port,
            },
            key=idempotency_key or new_key(),
        )
        return answer.data.connection


class UserInsights(Group):
    def list_category_insights(
        self,
        *,
        transaction_type: Literal["Income", "Expense"] | str | None = None,
        granularity: Literal["alltime", "daily", "weekly", "monthly", "quarterly", "yearly"] | str | None = None,
        order_by: Literal["amount", "numberOfTransactions", "name"] | str | None = None,
        date_from: date | None = None,
        date_to: date | None = None,
        account_id: str | None = None,
        limit: int | None = None,
        category_level: Literal["L1", "L2"] | str | None = None,
        next_token: str | None = None,
    ) -> models.CategoryInsightListResponse:
        """Sum a user's transactions by category.

        One element for each category, currency and period. Pending transactions count; void ones do not.
        Sums are signed. Without a limit, you get all elements, at most 10,000. With a limit, you get pages.

        Args:
            transaction_type: Direction to sum.
            granularity: Length of a period. Weeks start on Monday.
            order_by: amount sorts by absolute value, largest first.
            date_from: First day to include.
            date_to: Last day to include.
            account_id: Only transactions of this account.
            limit: Maximum number of elements in the response; more than 200 count as 200. Without it, the
                response has all.
            category_level: L1: categories; L2: subcategories.
        """
        return self._ask(
            "GET",
            "/openbanking/v1/insights/categories",
            models.CategoryInsightListResponse,
            query={
                "nextToken": next_token,
                "transactionType": transaction_type,
                "granularity": granularity,
                "orderBy": order_by,
                "dateFrom": date_from,
                "dateTo": date_to,
                "accountId": account_id,
                "limit": limit,
                "categoryLevel": category_level,
            },
        )

    def list_merchant_insights(
        self,
        *,
        transaction_type: Literal["Income", "Expense"] | str | None = None,
        granularity: Literal["alltime", "daily", "weekly", "monthly", "quarterly", "yearly"] | str | None = None,
        order_by: Literal["amount", "numberOfTransactions", "name"] | str | None = None,
        date_from: date | None = None,
        date_to: date | None = None,
        account_id: str | None = None,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> models.MerchantInsightListResponse:
        """Sum a user's transactions by merchant.

        One element for each merchant, currency and period. Transactions that name neither merchant nor
        counterparty are left out, as are cash and transfers between the user's own accounts, so that the
        sums may be less than those by category. Pending transactions count; void ones do not. Sums are
        signed. Without a limit, you get all elements, at most 10,000. With a limit, you get pages.

        Args:
            transaction_type: Direction to sum.
            granularity: Length of a period. Weeks start on Monday.
            order_by: amount sorts by absolute value, largest first.
            date_from: First day to include.
            date_to: Last day to include.
            account_id: Only transactions of this account.
            limit: Maximum number of elements in the response; more than 200 count as 200. Without it, the
                response has all.
        """
        return self._ask(
            "GET",
            "/openbanking/v1/insights/merchants",
            models.MerchantInsightListResponse,
            query={
                "nextToken": next_token,
                "transactionType": transaction_type,
                "granularity": granularity,
                "orderBy": order_by,
                "dateFrom": date_from,
                "dateTo": date_to,
                "accountId": account_id,
                "limit": limit,
            },
        )

    def list_price_changes(
        self, *, subscription_id: str | None = None, notice_date: date | None = None, locale: str | None = None
    ) -> builtins.list[models.PriceChange]:
        """List how prices of recurring contracts changed.

        How the prices of running contracts changed, based on the latest payments, and whether a rise gives
        a right to end the contract early. Amounts that change all the time, promotions that end, and steps
        of over 30 percent are not price changes. Not paginated.

        Args:
            subscription_id: Only changes of this contract.
            notice_date: The day on which the organization told the user of the rise, for lastDay. It
                needs subscriptionId.
            locale: The language of the texts, and the country whose law applies to contracts whose
                product is not known. By default the language is that of the product.
        """
        answer = self._ask(
            "GET",
            "/openbanking/v1/insights/price-changes",
            models.PriceChangeListResponse,
            query={"subscriptionId": subscription_id, "noticeDate": notice_date, "locale": locale},
        )
        return answer.data.price_changes

    def list_savings(self) -> builtins.list[models.Savings]:
        """List what cancelled contracts save.

        Contracts that were cancelled and whose debits have stopped: the cancellation's outcome is Ended.
        One element for each currency; amounts are not converted. Not paginated.
        """
        answer = self._ask("GET", "/openbanking/v1/insights/savings", models.SavingsListResponse)
        return answer.data.savings

    def list_recurring_contracts(self) -> builtins.list[models.RecurringContract]:
        """List a user's recurring contracts.

        Contracts found in the user's payments, such as phone, streaming, insurance and gym. Rent, loans,
        taxes and transfers between own accounts are left out, and so are contracts that have ended. The
        largest yearly cost comes first; amounts are not converted. Not paginated.
        """
        answer = self._ask("GET", "/openbanking/v1/insights/subscriptions", models.RecurringContractListResponse)
        return answer.data.subscriptions

    def update_recurring_contract(
        self,
        subscription_id: str,
        *,
        contract_start: date | None = None,
        organization_id: str | None = None,
        product_id: str | None = None,
    ) -> models.RecurringContract:
        """Say when a contract began, or what it is for.

        What the user says replaces what was found in the payments, and stays when the bank is read again.
        The deadline is computed from it. You can also change contracts that have ended.

        Args:
            contract_start: First day of the contract, from 1900-01-01 to today. Null removes it.
            organization_id: The product's organization. Default: that of cancellable.
            product_id: The product in the catalogue that the contract is for. Null removes it.
        """
        answer = self._ask(
            "PATCH",
            at("/openbanking/v1/insights/subscriptions/{}", subscription_id),
            models.RecurringContractResponse,
            body={"contractStart": contract_start, "organizationId": organization_id, "productId": product_id},
        )
        return answer.data.subscription


class UserSandbox(Group):
    def get_clock(self) -> models.Clock:
        """Get a user's clock.

        Every user of a sandbox has a clock of their own. It shows real time until you advance it. In
        production this operation does not exist.
        """
        answer = self._ask("GET", at("/sandbox/v1/users/{}/clock", self._caller.user_id), models.ClockResponse)
        return answer.data.clock

    def advance_clock(
        self, *, advance_by: str | None = None, advance_to: datetime | None = None, idempotency_key: str | None = None
    ) -> models.Clock:
        """Advance a user's clock.

        Everything that would have happened to the user until then happens now, in the right order: the bank
        books what was pending, and continues with salary, rent and contracts; connections with
        automaticFetch are refreshed once a day; links and consents expire, with the events before that;
        letters are delivered, come back or are answered; callbacks that failed are repeated. Answers and
        events have the user's time. Other users are not affected. A clock only moves forward. Read it until
        its status is Ready. In production this operation does not exist.

        Args:
            advance_by: By how much: an ISO 8601 duration, at most two years. A month later is the same
                day of the next month, or its last one.
            advance_to: The user's new time: at most two years after the present one, and ten years ahead
                of real time.
        """
        answer = self._ask(
            "POST",
            at("/sandbox/v1/users/{}/clock", self._caller.user_id),
            models.ClockResponse,
            body={"advanceBy": advance_by, "advanceTo": advance_to},
            key=idempotency_key or new_key(),
        )
        return answer.data.clock

    def create_test_transactions(
        self, *, account_id: str, transactions: Sequence[models.TestTransaction], idempotency_key: str | None = None
    ) -> models.AddedTestTransactions:
        """Add transactions to a sandbox account.

        The sandbox bank reports the rows from then on, and the next refresh of the connection reads them.
        That refresh is possible at once, whatever nextRefreshPossibleAt says. An account takes at most 500
        added rows. In production this operation does not exist.

        Args:
            account_id: One of the user's accounts at a sandbox bank.
            transactions: The transactions to add.
        """
        answer = self._ask(
            "POST",
            at("/sandbox/v1/users/{}/transactions", self._caller.user_id),
            models.TestTransactionsResponse,
            body={"accountId": account_id, "transactions": transactions},
            key=idempotency_key or new_key(),
        )
        return answer.data.test_transactions


class UserTerms(Group):
    def list_acceptances(self) -> builtins.list[models.TermsAcceptance]:
        """List the terms a user accepted.

        Oldest first, including previous versions.
        """
        answer = self._ask(
            "GET",
            at("/identity/v1/users/{}/terms-acceptances", self._caller.user_id),
            models.TermsAcceptanceListResponse,
        )
        return answer.data.terms_acceptances

    def accept(
        self,
        *,
        terms_type: Literal["Operator", "BankingSupplier", "CancellationProvider"] | str,
        version: str,
        idempotency_key: str | None = None,
    ) -> models.TermsAcceptance:
        """Record that a user accepts terms.

        Only the version in force can be accepted, or the one that follows. Accepting it again changes
        nothing.

        Args:
            terms_type: The type of the terms.
            version: The version in force, from GET /identity/v1/terms.
        """
        answer = self._ask(
            "POST",
            at("/identity/v1/users/{}/terms-acceptances", self._caller.user_id),
            models.TermsAcceptanceResponse,
            body={"termsType": terms_type, "version": version},
            key=idempotency_key or new_key(),
        )
        return answer.data.terms_acceptance


class UserTransactions(Group):
    def list(
        self,
        *,
        limit: int | None = None,
        account_id: str | None = None,
        date_from: date | None = None,
        date_to: date | None = None,
        record_state: Literal["Cleared", "Uncleared", "Void"] | str | None = None,
        category_id: int | None = None,
        merchant_id: str | None = None,
        record_type: Literal["Income", "Expense"] | str | None = None,
        amount_from: str | None = None,
        amount_to: str | None = None,
        text: str | None = None,
        next_token: str | None = None,
    ) -> Pages[models.Transaction]:
        """List a user's transactions.

        Newest day first. If few transactions match the filters, a page may have fewer elements than the
        limit, or none, although another page follows. Continue while there is a nextToken.

        Args:
            limit: Maximum number of elements in the response; more than 200 count as 200.
            account_id: Only transactions of this account.
            date_from: First day to include.
            date_to: Last day to include.
            record_state: Only transactions in this state.
            category_id: Only transactions in this category, given as an L1 or L2 ID.
            merchant_id: Only transactions with this merchant or counterparty.
            record_type: Only transactions of this type.
            amount_from: Smallest amount to include, in major units of whatever currency. Expenses are
                negative: amountTo=-100 lists expenses of 100 or more.
            amount_to: Largest amount to include.
            text: Only transactions that contain all of these words: in the note, the merchant's name, or
                the counterparty's name, account, mandate or creditor ID. Case, accents and the spelling
                of umlauts do not matter. Parts of words are found too; a word of one or two characters
                must begin a word.
        """

        def page(token: str | None) -> Page[models.Transaction]:
            answer = self._ask(
                "GET",
                "/openbanking/v1/transactions",
                models.TransactionListResponse,
                query={
                    "nextToken": token,
                    "limit": limit,
                    "accountId": account_id,
                    "dateFrom": date_from,
                    "dateTo": date_to,
                    "recordState": record_state,
                    "categoryId": category_id,
                    "merchantId": merchant_id,
                    "recordType": record_type,
                    "amountFrom": amount_from,
                    "amountTo": amount_to,
                    "text": text,
                },
            )
            return Page(answer.data.transactions, answer.meta.pagination.next_token)

        return Pages(page, next_token)

    def list_changes(self, *, since: str | None = None, limit: int | None = None) -> models.TransactionChangeList:
        """Follow changes to a user's transactions.

        Changes since the previous call, in the order in which they happened. If a transaction changed
        several times, only the last change is listed. Call again with the new since until changes is empty.

        Args:
            since: The since of the previous response. Omit it to start from the beginning.
            limit: Maximum number of changes in the response; more than 200 count as 200.
        """
        answer = self._ask(
            "GET",
            "/openbanking/v1/transactions/changes",
            models.TransactionChangeListResponse,
            query={"since": since, "limit": limit},
        )
        return answer.data

    def get(self, transaction_id: str) -> models.TransactionDetail:
        """Get a transaction.

        One transaction, and how its category was found.
        """
        answer = self._ask("GET", at("/openbanking/v1/transactions/{}", transaction_id), models.TransactionResponse)
        return answer.data.transaction

    def update(
        self, transaction_id: str, *, category_id: int, apply_to: Literal["Transaction", "Merchant"] | str | None = None
    ) -> models.TransactionDetail:
        """Set a transaction's category.

        The user's choice stays when we read the bank again. deleteTransactionCategory undoes it.

        Args:
            apply_to: Merchant: the category also holds for all other transactions with the same merchant,
                now and in the future. If the merchant is unknown, the counterparty's name counts. The
                others follow within moments; those with a category of their own choice keep it. Default:
                Transaction.
            category_id: An L1 or L2 ID. An L1 ID selects the category's catch-all subcategory.
        """
        answer = self._ask(
            "PATCH",
            at("/openbanking/v1/transactions/{}", transaction_id),
            models.TransactionResponse,
            body={"applyTo": apply_to, "categoryId": category_id},
        )
        return answer.data.transaction

    def delete_category(self, transaction_id: str) -> None:
        """Take back the user's category.

        The transaction gets the category that was found for it. If the user has chosen the category for the
        merchant, that choice ends for all of the merchant's transactions; the others follow within moments.
        Without a choice, nothing changes.
        """
        self._caller.send("DELETE", at("/openbanking/v1/transactions/{}/category", transaction_id))


class Users(Group):
    def get_erasure(self, erasure_id: str) -> models.ErasureReceipt:
        """Get the receipt of an erasure.

        The status of the erasure, and how much was erased of each kind. The receipt has no personal data,
        and we keep it.
        """
        answer = self._ask("GET", at("/identity/v1/erasures/{}", erasure_id), models.ErasureReceiptResponse)
        return answer.data.erasure

    def find(self, *, external_id: str) -> models.User:
        """Find a Partner User by your own ID.

        The user that you created with this externalId.

        Args:
            external_id: Your own ID for the user.
        """
        answer = self._ask("GET", "/identity/v1/users", models.UserResponse, query={"externalId": external_id})
        return answer.data.user

    def create(
        self,
        *,
        country_code: str,
        language_code: str,
        external_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.User:
        """Create a Partner User.

        If you already have a user with this externalId, the response is 200 with that user, unchanged.

        Args:
            country_code: The user's country (ISO 3166-1 alpha-2).
            external_id: Your own ID for the user. The same ID always returns the same user. Do not use a
                name or an e-mail address.
            language_code: Language (ISO 639) of our pages for the user.
        """
        answer = self._ask(
            "POST",
            "/identity/v1/users",
            models.UserResponse,
            body={"countryCode": country_code, "externalId": external_id, "languageCode": language_code},
            key=idempotency_key or new_key(),
        )
        return answer.data.user

    def delete(self, user_id: str) -> models.Erasure:
        """Erase a Partner User.

        From now on, every call for the user returns 404, including this one, and you can use the externalId
        for a new user. We delete all data of the user within minutes, and then end the consents at the
        banks. If a bank does not respond, we retry for up to an hour. A letter that has not been handed to
        its carrier by now is never sent; `withdrawals` counts these.
        """
        answer = self._ask("DELETE", at("/identity/v1/users/{}", user_id), models.ErasureResponse)
        return answer.data.erasure

    def get(self, user_id: str) -> models.User:
        """Get a Partner User.

        One of your users, by the ID that we gave it.
        """
        answer = self._ask("GET", at("/identity/v1/users/{}", user_id), models.UserResponse)
        return answer.data.user

    def update(
        self,
        user_id: str,
        *,
        country_code: str | None = None,
        external_id: str | None = None,
        language_code: str | None = None,
    ) -> models.User:
        """Update a Partner User.

        Members that are not sent keep their values. If another user has the externalId, the answer is 409.

        Args:
            country_code: The user's country (ISO 3166-1 alpha-2).
            external_id: Your own ID of the user, corrected.
            language_code: Language (ISO 639) of our pages for the user.
        """
        answer = self._ask(
            "PATCH",
            at("/identity/v1/users/{}", user_id),
            models.UserResponse,
            body={"countryCode": country_code, "externalId": external_id, "languageCode": language_code},
        )
        return answer.data.user

    def create_export(self, user_id: str, *, idempotency_key: str | None = None) -> models.Export:
        """Export all data of a user.

        For users who want a copy of their data (GDPR, articles 15 and 20). The links lead to archives of
        JSON Lines with what this API answers, and letters as PDF: one archive for each scope of your token.
        Give them to nobody but the user: they need no token. They show the data of the moment at which they
        are opened, need no accepted terms, and end with an erasure. An archive of more than 4 MB is
        answered with 422; then read the lists.
        """
        answer = self._ask(
            "POST",
            at("/identity/v1/users/{}/exports", user_id),
            models.ExportResponse,
            key=idempotency_key or new_key(),
        )
        return answer.data.export

    def get_export(self, user_id: str, export_id: str) -> models.Export:
        """Get new links of an export.

        Each link works for an hour. Ask for new ones within a day.
        """
        answer = self._ask("GET", at("/identity/v1/users/{}/exports/{}", user_id, export_id), models.ExportResponse)
        return answer.data.export


class Webhooks(Group):
    def list_event_types(self) -> builtins.list[models.EventType]:
        """List event types.

        Each event type has the JSON Schema of its data and an example.
        """
        answer = self._ask("GET", "/webhooks/v1/event-types", models.EventTypeListResponse)
        return answer.data.event_types

    def simulate_event(
        self,
        *,
        event_type: str,
        data: dict[str, Any] | None = None,
        subscription_id: str | None = None,
        user_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.SimulatedEvent:
        """Simulate an event.

        The event is delivered like any other, with isSimulated set to true. Refused if no Active
        subscription includes its type. Not available in production.

        Args:
            data: Data that matches the type's schema. Default: the type's example.
            event_type: A type of GET /webhooks/v1/event-types.
            subscription_id: Send only to this subscription. Default: all subscriptions to the type.
            user_id: The user the event is about. Default: no user.
        """
        answer = self._ask(
            "POST",
            "/webhooks/v1/events",
            models.SimulatedEventResponse,
            body={"data": data, "eventType": event_type, "subscriptionId": subscription_id, "userId": user_id},
            key=idempotency_key or new_key(),
        )
        return answer.data.event

    def list_subscriptions(self) -> builtins.list[models.WebhookSubscription]:
        """List webhook subscriptions.

        All of your subscriptions, at most 50.
        """
        answer = self._ask("GET", "/webhooks/v1/subscriptions", models.WebhookSubscriptionListResponse)
        return answer.data.subscriptions

    def create_subscription(
        self,
        *,
        events: Sequence[str],
        server_url: str,
        description: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.CreatedWebhookSubscriptionData:
        """Subscribe to events.

        The subscription comes with its first secret. Only this response has its key: store it.

        Args:
            description: Your own note. Default: empty.
            events: Event types of GET /webhooks/v1/event-types, or only "*" for all types, including
                future ones.
            server_url: The URL to post events to: https on port 443, 8443 or 8843, in production on any
                port, or http on 80, 8080 or 8888.
        """
        answer = self._ask(
            "POST",
            "/webhooks/v1/subscriptions",
            models.CreatedWebhookSubscriptionResponse,
            body={"description": description, "events": events, "serverUrl": server_url},
            key=idempotency_key or new_key(),
        )
        return answer.data

    def delete_subscription(self, subscription_id: str) -> None:
        """Delete a webhook subscription.

        Deliveries that are pending are given up.
        """
        self._caller.send("DELETE", at("/webhooks/v1/subscriptions/{}", subscription_id))

    def get_subscription(self, subscription_id: str) -> models.WebhookSubscription:
        """Get a webhook subscription.

        The URL and events of the subscription, and whether it receives events.
        """
        answer = self._ask(
            "GET", at("/webhooks/v1/subscriptions/{}", subscription_id), models.WebhookSubscriptionResponse
        )
        return answer.data.subscription

    def update_subscription(
        self,
        subscription_id: str,
        *,
        description: str | None = None,
        events: Sequence[str] | None = None,
        server_url: str | None = None,
    ) -> models.WebhookSubscription:
        """Update a webhook subscription.

        Members that are not sent keep their values. Further attempts of pending deliveries use the new
        values.

        Args:
            description: Your own note.
            events: The event types, instead of the earlier ones.
            server_url: Where to post events.
        """
        answer = self._ask(
            "PATCH",
            at("/webhooks/v1/subscriptions/{}", subscription_id),
            models.WebhookSubscriptionResponse,
            body={"description": description, "events": events, "serverUrl": server_url},
        )
        return answer.data.subscription

    def list_delivery_attempts(
        self, subscription_id: str, *, limit: int | None = None, next_token: str | None = None
    ) -> Pages[models.DeliveryAttempt]:
        """List delivery attempts.

        Every callback of the last 30 days and its outcome, newest first.

        Args:
            limit: Maximum number of elements in the response; more than 200 count as 200.
        """

        def page(token: str | None) -> Page[models.DeliveryAttempt]:
            answer = self._ask(
                "GET",
                at("/webhooks/v1/subscriptions/{}/attempts", subscription_id),
                models.DeliveryAttemptListResponse,
                query={"nextToken": token, "limit": limit},
            )
            return Page(answer.data.attempts, answer.meta.pagination.next_token)

        return Pages(page, next_token)

    def list_secrets(self, subscription_id: str) -> builtins.list[models.WebhookSecret]:
        """List the secrets of a subscription.

        Newest first, without their keys. Revoked secrets stay in the list for 30 days.
        """
        answer = self._ask(
            "GET", at("/webhooks/v1/subscriptions/{}/secrets", subscription_id), models.WebhookSecretListResponse
        )
        return answer.data.secrets

    def create_secret(self, subscription_id: str, *, idempotency_key: str | None = None) -> models.WebhookSecret:
        """Create a secret.

        The new secret signs from now on. The previous one keeps signing for 24 hours; during that time a
        callback has both signatures. Only this response contains the key.
        """
        answer = self._ask(
            "POST",
            at("/webhooks/v1/subscriptions/{}/secrets", subscription_id),
            models.WebhookSecretResponse,
            body={},
            key=idempotency_key or new_key(),
        )
        return answer.data.secret

    def delete_secret(self, subscription_id: str, secret_id: str) -> None:
        """Revoke a secret.

        The secret stops signing at once. Refused if no other secret is Active.
        """
        self._caller.send("DELETE", at("/webhooks/v1/subscriptions/{}/secrets/{}", subscription_id, secret_id))

    def update_subscription_status(
        self, subscription_id: str, *, status: Literal["Active", "Paused"] | str
    ) -> models.WebhookSubscription:
        """Pause or resume a webhook subscription.

        A paused subscription never gets the events that happen meanwhile. If the next attempt of a delivery
        is due during the pause, the delivery is given up.

        Args:
            status: Disabled cannot be set: it is set by the operator, or automatically after failures.
        """
        answer = self._ask(
            "PUT",
            at("/webhooks/v1/subscriptions/{}/status", subscription_id),
            models.WebhookSubscriptionResponse,
            body={"status": status},
        )
        return answer.data.subscription


class ClientGroups:
    def __init__(self, caller: Caller) -> None:
        self.catalogue = Catalogue(caller)
        self.providers = Providers(caller)
        self.search = Search(caller)
        self.terms = Terms(caller)
        self.transactions = Transactions(caller)
        self.users = Users(caller)
        self.webhooks = Webhooks(caller)


class UserGroups:
    def __init__(self, caller: Caller) -> None:
        self.accounts = UserAccounts(caller)
        self.cancellations = UserCancellations(caller)
        self.clients = UserClients(caller)
        self.connections = UserConnections(caller)
        self.insights = UserInsights(caller)
        self.sandbox = UserSandbox(caller)
        self.terms = UserTerms(caller)
        self.transactions = UserTransactions(caller)
