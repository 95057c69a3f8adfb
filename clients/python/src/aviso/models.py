# Generated from docs/openapi.yaml by `make clients`; do not edit.

from __future__ import annotations

from datetime import date as date_aliased
from decimal import Decimal
from typing import Annotated, Any, Literal

from aviso._model import Model
from pydantic import AwareDatetime, ConfigDict, Field
from pydantic.alias_generators import to_camel


class AddedTestTransactions(Model):
    """
    What was added, and what to refresh.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    account_id: str
    """
    The account that has the new rows.
    """
    added: int
    """
    How many rows were added.
    """
    connection_id: str
    """
    Refresh this connection to read the rows.
    """


class AgreedTerms(Model):
    """
    What a contract says about its end. Durations have one unit: P24M, P1Y, P2W, P14D.
    """

    model_config = ConfigDict(
        extra="forbid",
        populate_by_name=True,
        alias_generator=to_camel,
    )
    concluded_at: Literal["Distance", "Doorstep", "Shop"] | None = None
    """
    Where it was concluded. Distance: online, by phone or by letter. Doorstep: with an agent, outside the organization's premises. A right to withdraw often depends on it.
    """
    end_of: (
        Literal[
            "Day", "Month", "Quarter", "HalfYear", "CalendarYear", "ContractMonth", "ContractHalfYear", "ContractYear"
        ]
        | None
    ) = None
    """
    The days on which it can end.
    """
    minimum_term: str | None = None
    """
    The first term.
    """
    notice_period: str | None = None
    """
    How long before the end a cancellation must arrive.
    """
    renewal: Literal["None", "Fixed", "Open"] | None = None
    """
    What happens after the first term. None: the contract ends. Fixed: it renews for renewalTerm. Open: it runs on.
    """
    renewal_term: str | None = None
    """
    For how long it renews.
    """
    sector: (
        Literal[
            "Telecom",
            "Television",
            "Energy",
            "EnergyBasicSupply",
            "Heat",
            "Water",
            "Insurance",
            "MotorInsurance",
            "HomeInsurance",
            "HealthInsurance",
            "StatutoryHealth",
            "Life",
            "Affinity",
            "Rental",
            "Press",
            "Association",
            "Party",
            "Course",
            "Banking",
            "Care",
            "Goods",
            "Services",
        ]
        | None
    ) = None
    """
    The kind of contract, which decides what statutes apply. HealthInsurance: private. Affinity: insurance sold with goods or a service. Rental: of a home. Course: a distance course. Banking: a payment account. Care: a home that cares for those who live in it.
    """


class CancellableContract(Model):
    """
    The catalogue's entry for a contract.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    organization_id: str
    """
    The organization to cancel with.
    """
    product_id: str
    """
    The product to cancel.
    """


class CancellationConfirmedEventData(Model):
    """
    The data of cancellation.confirmed.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    cancellation_id: str
    """
    The cancellation.
    """
    channel: str
    """
    How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one.
    """
    end_date: str
    """
    Last day of the contract, as the organization says; empty if it names none.
    """
    external_cancellation_request_identifier: str
    """
    The partner's own identifier; empty if it gave none.
    """
    status: str
    """
    The new status. Known values: `Confirmed`. More may be added: do not fail on an unknown one.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class CancellationCreatedEventData(Model):
    """
    The data of cancellation.created.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    cancellation_id: str
    """
    The cancellation.
    """
    channel: str
    """
    How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one.
    """
    external_cancellation_request_identifier: str
    """
    The partner's own identifier; empty if it gave none.
    """
    status: str
    """
    The new status. Known values: `Created`. More may be added: do not fail on an unknown one.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class CancellationDebitAfterEndEventData(Model):
    """
    The data of cancellation.debit_after_end.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    cancellation_id: str
    """
    The cancellation.
    """
    channel: str
    """
    How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one.
    """
    external_cancellation_request_identifier: str
    """
    The partner's own identifier; empty if it gave none.
    """
    outcome: str
    """
    What the user's account shows. Known values: `StillDebited`, `Waiting`, `Ended`. More may be added: do not fail on an unknown one.
    """
    status: str
    """
    The new status. Known values: `Delivered`, `Sent`, `Confirmed`. More may be added: do not fail on an unknown one.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """
    subscription_id: str
    """
    The recurring contract.
    """
    transaction_ids: list[str]
    """
    The debits. The cancellation has them with their amounts.
    """


class CancellationDeliveredEventData(Model):
    """
    The data of cancellation.delivered.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    cancellation_id: str
    """
    The cancellation.
    """
    channel: str
    """
    How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one.
    """
    external_cancellation_request_identifier: str
    """
    The partner's own identifier; empty if it gave none.
    """
    status: str
    """
    The new status. Known values: `Delivered`. More may be added: do not fail on an unknown one.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class CancellationDeliveryFailedEventData(Model):
    """
    The data of cancellation.delivery_failed.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    cancellation_id: str
    """
    The cancellation.
    """
    channel: str
    """
    How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one.
    """
    external_cancellation_request_identifier: str
    """
    The partner's own identifier; empty if it gave none.
    """
    status: str
    """
    The new status. Known values: `DeliveryFailed`. More may be added: do not fail on an unknown one.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class CancellationEffectiveEventData(Model):
    """
    The data of cancellation.effective.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    cancellation_id: str
    """
    The cancellation.
    """
    channel: str
    """
    How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one.
    """
    external_cancellation_request_identifier: str
    """
    The partner's own identifier; empty if it gave none.
    """
    outcome: str
    """
    What the user's account shows. Known values: `Ended`. More may be added: do not fail on an unknown one.
    """
    status: str
    """
    The new status. Known values: `Delivered`, `Sent`, `Confirmed`. More may be added: do not fail on an unknown one.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """
    subscription_id: str
    """
    The recurring contract.
    """


class CancellationLetter(Model):
    """
    A preview of a letter.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    channel: str
    """
    The channel that would be tried first. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one.
    """
    end_date: date_aliased | None = None
    """
    Last day of the contract that the letter names. Absent if it names none.
    """
    locale: str
    """
    Language of the letter, in the form <language>-<COUNTRY>.
    """
    pdf: Annotated[str, Field(json_schema_extra={"contentEncoding": "base64"})]
    """
    The letter as PDF.
    """
    reply_to: str | None = None
    """
    The e-mail address that the organization's answer goes to. Absent if there is none.
    """
    sha256: str
    """
    SHA-256 of the PDF, in hexadecimal.
    """


class CancellationParameter(Model):
    """
    The user's value for a field of the template.
    """

    model_config = ConfigDict(
        extra="forbid",
        populate_by_name=True,
        alias_generator=to_camel,
    )
    example: str | None = None
    """
    Ignored, as label.
    """
    field_key: str
    """
    The fieldKey of the field.
    """
    field_value: str
    """
    At most 300 characters, and must match the field's format. Before that is checked, values are read as people
    mean them: other spaces become spaces, hyphens and dashes (except in ADDRESS) become hyphens, and
    characters without a width and spaces around the value are removed. The letter has the value after these
    changes, so dryRun shows it. Accents may be sent in any form. If the letter cannot have a character, the
    error says which and where.

    """
    format: str | None = None
    """
    Ignored, as label.
    """
    help: str | None = None
    """
    Ignored, as label.
    """
    label: str | None = None
    """
    Ignored, so that a field of the template may be sent back with its value.
    """
    type: str | None = None
    """
    Ignored, as label.
    """


class CancellationQueuedEventData(Model):
    """
    The data of cancellation.queued.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    cancellation_id: str
    """
    The cancellation.
    """
    channel: str
    """
    How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one.
    """
    external_cancellation_request_identifier: str
    """
    The partner's own identifier; empty if it gave none.
    """
    status: str
    """
    The new status. Known values: `Queued`. More may be added: do not fail on an unknown one.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class CancellationRejectedEventData(Model):
    """
    The data of cancellation.rejected.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    cancellation_id: str
    """
    The cancellation.
    """
    channel: str
    """
    How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one.
    """
    external_cancellation_request_identifier: str
    """
    The partner's own identifier; empty if it gave none.
    """
    status: str
    """
    The new status. Known values: `Rejected`. More may be added: do not fail on an unknown one.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class CancellationRepliedEventData(Model):
    """
    The data of cancellation.replied.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    cancellation_id: str
    """
    The cancellation.
    """
    channel: str
    """
    How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one.
    """
    end_date: str
    """
    Last day of the contract, as the organization says; empty if it names none.
    """
    external_cancellation_request_identifier: str
    """
    The partner's own identifier; empty if it gave none.
    """
    kind: str
    """
    What the reply means. Known values: `Confirmed`, `Rejected`, `NeedsInformation`, `Received`, `Offer`, `AutoReply`, `Unclear`. More may be added: do not fail on an unknown one.
    """
    needed_fields: list[str]
    """
    What the organization asks for: keys of template fields, SIGNATURE or PROOF.
    """
    reply_id: str
    """
    The reply.
    """
    status: str
    """
    The new status. Known values: `Sent`, `Delivered`, `Confirmed`, `Rejected`, `DeliveryFailed`, `Withdrawn`. More may be added: do not fail on an unknown one.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class CancellationSentEventData(Model):
    """
    The data of cancellation.sent.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    cancellation_id: str
    """
    The cancellation.
    """
    channel: str
    """
    How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one.
    """
    external_cancellation_request_identifier: str
    """
    The partner's own identifier; empty if it gave none.
    """
    status: str
    """
    The new status. Known values: `Sent`. More may be added: do not fail on an unknown one.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class CancellationWithdrawnEventData(Model):
    """
    The data of cancellation.withdrawn.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    cancellation_id: str
    """
    The cancellation.
    """
    channel: str
    """
    How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one.
    """
    external_cancellation_request_identifier: str
    """
    The partner's own identifier; empty if it gave none.
    """
    status: str
    """
    The new status. Known values: `Withdrawn`. More may be added: do not fail on an unknown one.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class Category(Model):
    """
    The category (L1) and subcategory (L2) of a transaction.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    category_id: int
    """
    L1 ID. GET /openbanking/v1/categories lists all.
    """
    category_name: str
    """
    Stable name for programs, such as HOUSING.
    """
    subcategory_id: int
    """
    L2 ID.
    """
    subcategory_name: str
    """
    Stable name for programs, such as HOUSING__Rent.
    """


class Clock(Model):
    """
    The clock of a sandbox's user.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    advanced_to: AwareDatetime | None = None
    """
    The time to which the clock was last advanced, or is being advanced. Absent if never.
    """
    now: AwareDatetime
    """
    The user's present time. While the clock is being advanced, it is the time up to which everything has happened.
    """
    status: str
    """
    Advancing until everything that was due has happened, then Ready. Known values: `Ready`, `Advancing`. More may be added: do not fail on an unknown one.
    """
    user_id: str
    """
    The user.
    """


class ClockData(Model):
    """
    The clock of a sandbox's user.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    clock: Clock
    """
    The clock of a sandbox's user.
    """


class ConnectionActionRequiredEventData(Model):
    """
    The data of connection.action_required.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    connection_id: str
    """
    The connection.
    """
    connection_status: str
    """
    The connection's status. Known values: `ActionRequired`. More may be added: do not fail on an unknown one.
    """
    provider_id: str
    """
    The connection's bank.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class ConnectionActivatedEventData(Model):
    """
    The data of connection.activated.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    connection_id: str
    """
    The connection.
    """
    connection_status: str
    """
    The connection's status. Known values: `Active`. More may be added: do not fail on an unknown one.
    """
    provider_id: str
    """
    The connection's bank.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class ConnectionDataExpiringEventData(Model):
    """
    The data of connection.data_expiring.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    connection_id: str
    """
    The connection.
    """
    connection_status: str
    """
    The connection's status. Known values: `Expired`, `Revoked`, `Failed`. More may be added: do not fail on an unknown one.
    """
    data_expires_at: AwareDatetime
    """
    When the connection and its data are deleted.
    """
    provider_id: str
    """
    The connection's bank.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class ConnectionDeletedEventData(Model):
    """
    The data of connection.deleted.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    connection_id: str
    """
    The connection.
    """
    connection_status: str
    """
    The connection's status. Known values: `Active`, `Pending`, `ActionRequired`, `Failed`, `Expired`, `Revoked`. More may be added: do not fail on an unknown one.
    """
    provider_id: str
    """
    The connection's bank.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class ConnectionExpiredEventData(Model):
    """
    The data of connection.expired.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    connection_id: str
    """
    The connection.
    """
    connection_status: str
    """
    The connection's status. Known values: `Expired`. More may be added: do not fail on an unknown one.
    """
    consent_expires_at: AwareDatetime
    """
    When the consent expires, or when it ended: from this moment on it is not valid.
    """
    provider_id: str
    """
    The connection's bank.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class ConnectionExpiringEventData(Model):
    """
    The data of connection.expiring.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    connection_id: str
    """
    The connection.
    """
    connection_status: str
    """
    The connection's status. Known values: `Active`. More may be added: do not fail on an unknown one.
    """
    consent_expires_at: AwareDatetime
    """
    When the consent expires, or when it ended: from this moment on it is not valid.
    """
    provider_id: str
    """
    The connection's bank.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class ConnectionFailedEventData(Model):
    """
    The data of connection.failed.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    connection_id: str
    """
    The connection.
    """
    connection_status: str
    """
    The connection's status. Known values: `Failed`. More may be added: do not fail on an unknown one.
    """
    provider_id: str
    """
    The connection's bank.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class ConnectionInfo(Model):
    """
    The connection that an account is read through.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    bank_logo_url: str
    """
    Address of the bank's logo, an image.
    """
    bank_name: str
    """
    The bank's name.
    """
    connection_id: str
    """
    The connection that holds the account.
    """
    connection_status: str
    """
    Status of the connection. If it is not Active, the account keeps what was read last. Known values: `Pending`, `Active`, `ActionRequired`, `Failed`, `Expired`, `Revoked`. More may be added: do not fail on an unknown one.
    """
    consent_expires_at: AwareDatetime
    """
    When the consent expires, or when it ended; 0001-01-01T00:00:00Z if unknown.
    """
    is_active: bool
    """
    Whether connectionStatus is Active, so that we can read the account.
    """
    is_interactive: bool
    """
    Whether we can read the account only after the user has authorised again.
    """
    last_success_at: AwareDatetime
    """
    When we last read all of the connection's accounts; 0001-01-01T00:00:00Z before the first time.
    """
    next_refresh_possible_at: AwareDatetime
    """
    The earliest time for a refresh with the user; 0001-01-01T00:00:00Z if unknown.
    """


class ConnectionLink(Model):
    """
    A link that takes the user to the bank.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    connection_id: str
    """
    The connection that the link is for.
    """
    expires_at: AwareDatetime
    """
    When the link expires. The user must finish before that.
    """
    redirect_url: str
    """
    Send the user here to authorise the connection, and nobody else: the address contains a secret, and whoever opens it can authorise.
    """


class ConnectionRefreshedEventData(Model):
    """
    The data of connection.refreshed.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    connection_id: str
    """
    The connection.
    """
    connection_status: str
    """
    The connection's status. Known values: `Active`. More may be added: do not fail on an unknown one.
    """
    provider_id: str
    """
    The connection's bank.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class ConnectionRevokedEventData(Model):
    """
    The data of connection.revoked.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    connection_id: str
    """
    The connection.
    """
    connection_status: str
    """
    The connection's status. Known values: `Revoked`. More may be added: do not fail on an unknown one.
    """
    provider_id: str
    """
    The connection's bank.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class ConnectionSyncFailedEventData(Model):
    """
    The data of connection.sync_failed.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    connection_id: str
    """
    The connection.
    """
    connection_status: str
    """
    The connection's status. Known values: `Active`. More may be added: do not fail on an unknown one.
    """
    provider_id: str
    """
    The connection's bank.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class ConnectionSyncRecoveredEventData(Model):
    """
    The data of connection.sync_recovered.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    connection_id: str
    """
    The connection.
    """
    connection_status: str
    """
    The connection's status. Known values: `Active`. More may be added: do not fail on an unknown one.
    """
    provider_id: str
    """
    The connection's bank.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class Consent(Model):
    """
    What a user was told and answered on our consent page, and what happened to it.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    account_ids: list[str]
    """
    The accounts that the user chose at the bank, as the first sync found them.
    """
    answered_at: AwareDatetime
    """
    When the user pressed a button.
    """
    authorised_at: AwareDatetime | None = None
    """
    When the bank authorised the consent.
    """
    connection_id: str
    """
    The connection that the user agreed to.
    """
    consent_id: str
    """
    Identifies the record.
    """
    consent_status: str
    """
    Given: the user agreed, and has not finished at the bank. Active: the bank is read with it. Declined: the user left. Unused: the user did not finish at the bank, or none of the known accounts came. Expired: its time was up. Revoked: ended at the bank. Replaced: by a newer one. Withdrawn: the connection was deleted. Erased: the user was erased. Known values: `Given`, `Active`, `Declined`, `Unused`, `Expired`, `Revoked`, `Replaced`, `Withdrawn`, `Erased`. More may be added: do not fail on an unknown one.
    """
    ended_at: AwareDatetime | None = None
    """
    When the consent ended, or was declined.
    """
    language_code: str
    """
    Language of the text (ISO 639-1).
    """
    provider_id: str
    """
    The bank.
    """
    provider_name: str
    """
    The bank's name.
    """
    text: str
    """
    What the page said, in the user's language, one paragraph a line.
    """
    text_sha256: str
    """
    SHA-256 of the text in UTF-8, in hexadecimal.
    """
    text_version: int
    """
    Version of the wording, apart from names and days.
    """
    valid_until: AwareDatetime
    """
    When the consent ends by itself.
    """


class ConsentList(Model):
    """
    The user's answers, the latest first.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    consents: list[Consent]
    """
    The user's answers, the latest first.
    """


class ContractDeadlineApproachingEventData(Model):
    """
    The data of contract.deadline_approaching.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    certainty: str
    """
    As in getDeadline: with Latest, the law may allow an earlier end. Known values: `Exact`, `Latest`. More may be added: do not fail on an unknown one.
    """
    channel: str
    """
    The product's first channel. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one.
    """
    contract_start: date_aliased
    """
    First day of the contract.
    """
    contract_start_source: str
    """
    FirstPayment: a guess. User: what the user said. Known values: `FirstPayment`, `User`. More may be added: do not fail on an unknown one.
    """
    earliest_end: date_aliased
    """
    When the contract ends, without costs, if the deadline is met.
    """
    next_chance: date_aliased
    """
    When the contract ends if the deadline is missed.
    """
    organization_id: str
    """
    The organization to cancel with.
    """
    product_id: str
    """
    The product to cancel.
    """
    send_by: date_aliased
    """
    The last day to send the cancellation by that channel.
    """
    subscription_id: str
    """
    The contract, of GET /openbanking/v1/insights/subscriptions.
    """


class ContractForm(Model):
    """
    What a cancellation must look like to be valid, as in getDeadline.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    reason: str
    """
    Why, for the user.
    """
    requirement: str
    """
    What is required. Known values: `Text`, `Written`, `Registered`, `NewProvider`. More may be added: do not fail on an unknown one.
    """


class ContractPriceIncreasedEventData(Model):
    """
    The data of contract.price_increased.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    since: date_aliased
    """
    Day of that debit.
    """
    subscription_id: str
    """
    The contract, of GET /openbanking/v1/insights/subscriptions.
    """
    transaction_id: str
    """
    The first debit at the new price.
    """


class ContractSendBy(Model):
    """
    The last day for one channel.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    channel: str
    """
    How the cancellation is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one.
    """
    date: date_aliased
    """
    The last day to send it.
    """


class ContractStart(Model):
    """
    When the contract began.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    date: date_aliased
    """
    First day of the contract.
    """
    source: str
    """
    FirstPayment: a guess, the day of the first known payment. User: what the user said. Known values: `FirstPayment`, `User`. More may be added: do not fail on an unknown one.
    """


class DeadlineStep(Model):
    """
    A step of the computation.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    rule: str
    """
    What the step does, such as notice_period. The guide to deadlines lists the rules.
    """
    source: str
    """
    Where the rule is from: a statute with the address of its official text, the product's terms, or the source of the public holidays. Empty for a missing fact.
    """
    text: str
    """
    The step for the user, in the language of the locale.
    """


class DebitAfterEnd(Model):
    """
    A payment for a contract after its end.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    amount: Decimal
    """
    Negative, in major units.
    """
    currency_code: str
    """
    ISO 4217.
    """
    date: date_aliased
    """
    Its day.
    """
    refund_transaction_id: str | None = None
    """
    The transaction that paid it back in full; absent if none has.
    """
    transaction_id: str
    """
    The transaction in the user's account.
    """


class DeliveryAttempt(Model):
    """
    One attempt to post an event to you.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    attempt_id: str
    """
    Identifies the attempt.
    """
    attempt_number: int
    """
    Which of the three attempts this was.
    """
    detail: str
    """
    What went wrong, such as a member missing from the acknowledgement; otherwise empty.
    """
    duration_ms: int
    """
    How long the attempt took, in milliseconds.
    """
    event_id: str
    """
    The event. It equals the id of the callback, and is the same in every attempt.
    """
    event_type: str
    """
    The type of the event.
    """
    http_status: int | None
    """
    HTTP status of your response; null if there was none.
    """
    next_attempt_at: AwareDatetime | None
    """
    When the event is posted again; null after an acknowledgement and after the last attempt.
    """
    outcome: str
    """
    How the attempt ended. Only Acknowledged ends the delivery; The guide to webhooks says what to do about the others. Known values: `Acknowledged`, `NotAcknowledged`, `InvalidAcknowledgement`, `HttpError`, `RedirectRefused`, `Timeout`, `DnsError`, `TlsError`, `ConnectionError`, `AddressRefused`, `ResponseTooLarge`. More may be added: do not fail on an unknown one.
    """
    payload: dict[str, Any] | None = None
    """
    The body of the callback as it was sent, with the members described under Events. Kept for testing only, in environments with a sandbox; in production nothing is kept. Missing for user.erased, for callbacks of more than 16 KB, and once the user has been erased.
    """
    started_at: AwareDatetime
    """
    When the attempt started.
    """


class DeliveryAttemptList(Model):
    """
    One page of attempts, newest first.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    attempts: list[DeliveryAttempt]
    """
    One page of attempts, newest first.
    """


class Erasure(Model):
    """
    The erasure of a user, as it begins.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    erasure_id: str
    """
    The ID of the receipt. Keep it: nothing else leads to the receipt once the user is erased.
    """
    status: str
    """
    Running until everything is deleted, then Completed. Known values: `Running`, `Completed`. More may be added: do not fail on an unknown one.
    """


class ErasureData(Model):
    """
    The erasure of a user, as it begins.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    erasure: Erasure
    """
    The erasure of a user, as it begins.
    """


class ErasureReceipt(Model):
    """
    The receipt of an erasure. It has no personal data.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    completed_at: AwareDatetime | None = None
    """
    Absent while the erasure is running.
    """
    counts: dict[str, int]
    """
    How much was erased, by kind. We may add kinds. Final when the status is Completed.
    """
    erasure_id: str
    """
    The ID that the erasure returned.
    """
    requested_at: AwareDatetime
    """
    When calls stopped finding the user.
    """
    status: str
    """
    Running until everything is deleted, then Completed. Known values: `Running`, `Completed`. More may be added: do not fail on an unknown one.
    """


class ErasureReceiptData(Model):
    """
    The receipt of an erasure. It has no personal data.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    erasure: ErasureReceipt
    """
    The receipt of an erasure. It has no personal data.
    """


class EventType(Model):
    """
    A type of event that you can subscribe to.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    description: str
    """
    What has happened, and what to do.
    """
    event_type: str
    """
    Name of the type.
    """
    example: dict[str, Any]
    """
    An example of the data.
    """
    schema_: Annotated[dict[str, Any], Field(alias="schema")]
    """
    The JSON Schema (2020-12) of the callback's data.
    """


class EventTypeList(Model):
    """
    All types of events.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    event_types: list[EventType]
    """
    All types of events.
    """


class ExportFile(Model):
    """
    An archive in the format ZIP.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    expires_at: AwareDatetime
    """
    Until when the address works.
    """
    name: str
    """
    user.zip, banking.zip or cancellations.zip.
    """
    url: str
    """
    The archive. Whoever has the address can read it.
    """


class GivenReason(Model):
    """
    Why the user is cancelling. The letter names the reason with its article.
    """

    model_config = ConfigDict(
        extra="forbid",
        populate_by_name=True,
        alias_generator=to_camel,
    )
    date: date_aliased | None = None
    """
    The day of the price rise, move or death or, for a withdrawal, the day on which the contract was concluded.
    """
    kind: Literal[
        "Ordinary", "Withdrawal", "PriceRise", "Moved", "NotReminded", "NoCancellationButton", "Death", "Special"
    ]
    """
    Ordinary: at the end of the term, by notice. The others end it early, where the law knows them: getDeadline lists them. Withdrawal: within the first days. Special: good cause.
    """
    text: str | None = None
    """
    What happened, and when. The letter says it. Good cause is nothing without it.
    """


class InsightCategory(Model):
    """
    A category or, with categoryLevel=L2, a subcategory.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    id: int
    """
    L1 or L2 ID.
    """
    name: str
    """
    Stable name for programs, such as FOOD_AND_DRINKS.
    """


class KnownReason(Model):
    """
    A reason to end a contract before its term.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    confirmed: bool
    """
    Whether we read the law itself, or a report of it.
    """
    kind: str
    """
    The kind, as createCancellation takes it. Known values: `Withdrawal`, `PriceRise`, `Moved`, `NotReminded`, `NoCancellationButton`, `Death`, `Special`. More may be added: do not fail on an unknown one.
    """
    needs_date: bool
    """
    Whether it needs a date.
    """
    needs_text: bool
    """
    Whether it needs a text, because the law wants the facts in the letter.
    """
    source: str
    """
    The article, with the address of its official text.
    """


class LastDebit(Model):
    """
    The last payment for a contract.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    amount: Decimal
    """
    Negative, in major units.
    """
    date: date_aliased
    """
    Its day.
    """
    transaction_id: str
    """
    The transaction.
    """


class LetterDelay(Model):
    """
    The carrier reported a delay, and still tries to deliver the letter. The status does not change.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    at: AwareDatetime
    """
    When it was first reported.
    """
    reason: str
    """
    The carrier's code, such as MailboxFull.
    """


class ObjectionData(Model):
    """
    A preview of a letter.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    letter: CancellationLetter
    """
    A preview of a letter.
    """


class ObjectionDeliveredEventData(Model):
    """
    The data of objection.delivered.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    cancellation_id: str
    """
    The cancellation.
    """
    channel: str
    """
    How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one.
    """
    external_cancellation_request_identifier: str
    """
    The partner's own identifier; empty if it gave none.
    """
    objection_id: str
    """
    The objection, of GET /cancellations/v1/cancellations/{cancellationId}/objections.
    """
    status: str
    """
    The new status. Known values: `Delivered`. More may be added: do not fail on an unknown one.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class ObjectionDeliveryFailedEventData(Model):
    """
    The data of objection.delivery_failed.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    cancellation_id: str
    """
    The cancellation.
    """
    channel: str
    """
    How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one.
    """
    external_cancellation_request_identifier: str
    """
    The partner's own identifier; empty if it gave none.
    """
    objection_id: str
    """
    The objection, of GET /cancellations/v1/cancellations/{cancellationId}/objections.
    """
    status: str
    """
    The new status. Known values: `DeliveryFailed`. More may be added: do not fail on an unknown one.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class ObjectionSentEventData(Model):
    """
    The data of objection.sent.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    cancellation_id: str
    """
    The cancellation.
    """
    channel: str
    """
    How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one.
    """
    external_cancellation_request_identifier: str
    """
    The partner's own identifier; empty if it gave none.
    """
    objection_id: str
    """
    The objection, of GET /cancellations/v1/cancellations/{cancellationId}/objections.
    """
    status: str
    """
    The new status. Known values: `Sent`. More may be added: do not fail on an unknown one.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """


class OpenBankingClient(Model):
    """
    A client of the deprecated operation. Nothing else uses it.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    id: str
    """
    No operation needs this ID.
    """


class OpenBankingClientData(Model):
    """
    A client of the deprecated operation. Nothing else uses it.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    client: OpenBankingClient
    """
    A client of the deprecated operation. Nothing else uses it.
    """


class Organization(Model):
    """
    A company, club or other body that contracts can be cancelled with.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    category_id: str
    """
    Category of the organization.
    """
    confirmed: bool
    """
    Whether its address is confirmed for cancellations. Letters to others go out by post or fax alone.
    """
    extra_consent: bool
    """
    Whether a cancellation reveals an opinion or belief and so needs the extra consent of the user.
    """
    id: str
    """
    Identifies the organization.
    """
    locales: list[str]
    """
    Languages of its letters, in the form <language>-<COUNTRY>.
    """
    name: str
    """
    Its name, for the user.
    """
    source: str
    """
    Where its data comes from, and when; empty if the operator keeps it.
    """
    url: str
    """
    Its web site; empty if unknown.
    """


class OrganizationCategory(Model):
    """
    A category of organizations.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    id: str
    """
    Identifies the category.
    """
    name: str
    """
    Its name in the requested language.
    """


class OrganizationCategoryList(Model):
    """
    All categories, in display order.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    categories: list[OrganizationCategory]
    """
    All categories, in display order.
    """


class OrganizationData(Model):
    """
    A company, club or other body that contracts can be cancelled with.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    organization: Organization
    """
    A company, club or other body that contracts can be cancelled with.
    """


class OrganizationList(Model):
    """
    One page of organizations, sorted by name.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    organizations: list[Organization]
    """
    One page of organizations, sorted by name.
    """


class Pagination(Model):
    """
    Where a list continues. Empty after its last page, and for what is not a list.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    next_token: str | None = None
    """
    Opaque. Pass it as the query parameter nextToken to get the next page. Valid for 24 hours, for the same user and filters.
    """


class PartialData(Model):
    """
    How much of the bank's data the last sync could not read.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    accounts: int
    """
    Number of accounts whose balance or transactions could not be read in full. What was read before stays as it is.
    """
    rows: int
    """
    How many transactions could not be read.
    """
    until: AwareDatetime | None = None
    """
    When the bank's limit on an account ends. Left out if no limit is the cause, or if the bank has not named a time.
    """


class PriceRiseReason(Model):
    """
    A reason, as createCancellation takes it.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    date: date_aliased
    """
    The first payment at the new price. If you know the day from which the price counts, send that.
    """
    kind: str
    """
    The kind. Known values: `PriceRise`. More may be added: do not fail on an unknown one.
    """


class ProblemField(Model):
    """
    One reason for an error, mostly an invalid part of the request.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    code: str
    """
    Machine-readable reason, such as required or invalid. We may add new ones.
    """
    detail: str
    """
    What is expected, for the developer. Never contains a submitted value.
    """
    earliest_end: date_aliased | None = None
    """
    The first day from endDate on that the contract can end on; if it ends before by itself, its last day.
    """
    field_key: str | None = None
    """
    The field of the product's template.
    """
    header: str | None = None
    """
    Name of the header that is wrong.
    """
    limit: int | None = None
    """
    The number that must not be exceeded.
    """
    parameter: str | None = None
    """
    Name of the path or query parameter that is wrong.
    """
    pointer: str | None = None
    """
    JSON Pointer (RFC 6901) to the part of the body that is wrong.
    """
    retry_after: int | None = None
    """
    Equals Retry-After, in seconds.
    """
    terms_type: str | None = None
    """
    The terms that the user has to accept. Known values: `Operator`, `BankingSupplier`, `CancellationProvider`. More may be added: do not fail on an unknown one.
    """
    url: str | None = None
    """
    Where to read the terms.
    """
    version: str | None = None
    """
    Version of the terms that is in force.
    """


class Product(Model):
    """
    A contract of an organization that can be cancelled.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    locales: list[str]
    """
    Locales in which a letter can be written, in the form <language>-<COUNTRY>; the first is the default.
    """
    name: str
    """
    Its name, for the user.
    """
    organization_id: str
    """
    Who offers it.
    """
    product_id: str
    """
    Identifies the product.
    """


class ProductList(Model):
    """
    All products of the organization.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    products: list[Product]
    """
    All products of the organization.
    """


class Provider(Model):
    """
    A bank that users can connect.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    automatic_fetch: bool | None = None
    """
    Whether accounts are refreshed without the user. Absent means no.
    """
    country_code: str
    """
    Country of the bank (ISO 3166-1 alpha-2), in upper case.
    """
    id: str
    """
    Identifies the bank when you connect it.
    """
    logo: str
    """
    Address of the bank's logo, an image.
    """
    max_consent_days: int
    """
    For how many days a consent is valid at most. Then the user has to authorise again.
    """
    max_fetch_interval: int
    """
    How many days of history the bank provides.
    """
    meta: dict[str, str]
    """
    More about the provider. supplier is Xs2a if we call the bank ourselves, Aggregator if an aggregator does. scaApproaches says how its users authorise, separated by commas: Redirect, OAuth2, Decoupled. bic and bankCode are the bank's codes, separated by commas if there are several.
    """
    name: str
    """
    The bank's name, for the user.
    """
    refresh_timeout_minutes: int
    """
    The minutes that must pass between two refreshes.
    """
    regulated: bool
    """
    Whether we reach the bank through its PSD2 interface.
    """
    status: str
    """
    Only Active banks can be connected. Inactive: for the time being not. Disabled: no longer. Known values: `Active`, `Inactive`, `Disabled`. More may be added: do not fail on an unknown one.
    """
    supported_account_types: list[str]
    """
    The kinds of accounts that the bank shares.
    """
    timezone: str
    """
    Time zone of the bank (IANA), such as Europe/Berlin.
    """


class ProviderCountry(Model):
    """
    A country, and how many banks we have there.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    country_code: str
    """
    ISO 3166-1 alpha-2, in upper case.
    """
    provider_count: int
    """
    Number of banks.
    """


class ProviderCountryList(Model):
    """
    The countries, ordered by code.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    countries: list[ProviderCountry]
    """
    The countries, ordered by code.
    """


class ProviderData(Model):
    """
    A bank that users can connect.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    provider: Provider
    """
    A bank that users can connect.
    """


class ProviderList(Model):
    """
    One page of banks.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    providers: list[Provider]
    """
    One page of banks.
    """


class Reason(Model):
    """
    Why the user is cancelling. The letter names the reason with its article.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    date: date_aliased | None = None
    """
    The day of the price rise, move or death or, for a withdrawal, the day on which the contract was concluded.
    """
    kind: str
    """
    Ordinary: at the end of the term, by notice. The others end it early, where the law knows them: getDeadline lists them. Withdrawal: within the first days. Special: good cause. Known values: `Ordinary`, `Withdrawal`, `PriceRise`, `Moved`, `NotReminded`, `NoCancellationButton`, `Death`, `Special`. More may be added: do not fail on an unknown one.
    """
    text: str | None = None
    """
    What happened, and when. The letter says it. Good cause is nothing without it.
    """


class Reference(Model):
    """
    An account or a merchant, with its name.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    id: str
    """
    Its ID.
    """
    name: str
    """
    Its name; empty if unknown.
    """


class ReplyAttachment(Model):
    """
    A file in a mail. getRawReply has its content.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    content_type: str
    """
    Media type, as the mail says.
    """
    name: str
    """
    The name of the file; may be empty.
    """
    size: int
    """
    Size in bytes.
    """


class RequiredForm(Model):
    """
    What a cancellation must look like to be valid.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    reason: str
    """
    Why, for the user, in the language of the locale.
    """
    requirement: str
    """
    Text: any text will do, whatever the contract asks for. Written: a signed letter. Registered: a registered letter or its legal equivalent. NewProvider: the new provider cancels for the user. Known values: `Text`, `Written`, `Registered`, `NewProvider`. More may be added: do not fail on an unknown one.
    """


class Saving(Model):
    """
    A contract that has ended: no debit has come for one and a half periods.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    cancellation_id: str
    """
    The cancellation that ended it.
    """
    end_date: date_aliased
    """
    Last day of the contract, as far as we know.
    """
    last_debit: LastDebit
    """
    The last payment that was not paid back.
    """
    merchant: Reference
    """
    The merchant or, if it is unknown, the counterparty.
    """
    recurrence_frequency: str
    """
    How often a payment was due. Known values: `Weekly`, `BiWeekly`, `Monthly`, `Quarterly`, `SemiAnnually`, `Annually`. More may be added: do not fail on an unknown one.
    """
    saved_so_far: Decimal
    """
    The payments that would have been due since the last debit, at its last price, positive.
    """
    subscription_id: str
    """
    The contract that was in listRecurringContracts.
    """
    yearly_saving: Decimal
    """
    What it cost in a year, positive.
    """


class Savings(Model):
    """
    What contracts that have ended save, in one currency.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    contracts: list[Saving]
    """
    The contracts, the largest yearly saving first.
    """
    currency_code: str
    """
    Currency of all amounts (ISO 4217).
    """
    saved_so_far: Decimal
    """
    What the contracts would have cost until today, positive.
    """
    yearly_saving: Decimal
    """
    What all of the contracts cost in a year, positive.
    """


class SavingsList(Model):
    """
    One element for each currency.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    savings: list[Savings]
    """
    One element for each currency.
    """


class SearchData(Model):
    """
    What was found.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    organizations: list[Organization]
    """
    Organizations that match, the best first.
    """
    products: list[Product]
    """
    Products that match, the best first.
    """


class SendBy(Model):
    """
    The last day to send by a channel.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    channel: str
    """
    The channel. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one.
    """
    date: date_aliased
    """
    The last day, in the time zone of the recipient. It leaves room for delivery, week-ends and public holidays.
    """


class Signature(Model):
    """
    Signature of the user: a typed name or a picture.
    """

    model_config = ConfigDict(
        extra="forbid",
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: str
    """
    TEXT: the typed name, at most 300 characters. IMAGE: a PNG of the handwritten signature, at most 100 KB, in base64.
    """
    type: Literal["TEXT", "IMAGE"]
    """
    Which of the two data is.
    """


class SimulatedEvent(Model):
    """
    A simulated event.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    event_id: str
    """
    Find its delivery by this ID in the list of attempts.
    """
    event_type: str
    """
    The type of the event.
    """


class SimulatedEventData(Model):
    """
    A simulated event.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    event: SimulatedEvent
    """
    A simulated event.
    """


class SpecialRight(Model):
    """
    Whether the change gives a right to end the contract early. It is computed from statutes; it is not legal advice.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    answer: str
    """
    Yes: the law gives a right if the organization decided on the rise. No: it gives none. Unknown: we do not know, or it depends on what missing says. Known values: `Yes`, `No`, `Unknown`. More may be added: do not fail on an unknown one.
    """
    last_day: date_aliased | None = None
    """
    The last day on which the cancellation may arrive. Absent if it cannot be computed; missing says why.
    """
    missing: list[str]
    """
    Facts that would change the answer. product: name it with updateRecurringContract, or send a locale. reason: why the debits rose. noticeDate: send it. effectDate: when the new price takes effect.
    """
    reason: PriceRiseReason | None = None
    """
    The reason to send with createCancellation, to use the right. Absent if there is none.
    """
    source: str
    """
    The statute with the address of its official text; empty if we know none.
    """
    text: str
    """
    The answer for the user, in the language of the locale.
    """


class Subcategory(Model):
    """
    A subcategory of transactions (L2).
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    subcategory_id: int
    """
    L2 ID.
    """
    subcategory_name: str
    """
    Stable name for programs, such as HOUSING__Rent. It starts with the name of the category.
    """


class SubscriptionFailingEventData(Model):
    """
    The data of subscription.failing.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    failing_detail: str
    """
    The same in words; empty if the reason says it all.
    """
    failing_reason: str
    """
    How the last attempt ended, as in the list of attempts.
    """
    failing_since: AwareDatetime
    """
    When it began to fail: when the first event was given up.
    """
    status: str
    """
    The subscription's status. Known values: `Active`, `Disabled`. More may be added: do not fail on an unknown one.
    """
    status_reason: str
    """
    The reason for the status; empty if there is none.
    """
    subscription_id: str
    """
    The subscription that fails.
    """


class TemplateField(Model):
    """
    A field that the user fills in.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    example: str | None = None
    """
    A value that the field accepts, to show as a placeholder.
    """
    field_key: str
    """
    Name of the field in the parameters of a cancellation.
    """
    format: str
    """
    A regular expression in the syntax that RE2, ECMAScript (also with the flag v, as the pattern of an input) and Python share. A value that matches is accepted. A field whose format matches the empty text is optional.
    """
    help: str | None = None
    """
    A sentence for the user, in the language of the locale: where to find a number, or what an address is for.
    """
    label: str
    """
    Label for the user, in the language of the locale.
    """
    type: str
    """
    Which input suits the field. A Date is written as 2026-01-31, a Boolean as true or false. Known values: `Text`, `Email`, `Phone`, `Date`, `Boolean`. More may be added: do not fail on an unknown one.
    """


class Terms(Model):
    """
    Terms and conditions in force, or published ahead.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    effective_from: AwareDatetime | None = None
    """
    When the version becomes or became required. Absent if that was at once.
    """
    terms_type: str
    """
    Operator: for every user. BankingSupplier: before a bank is connected. CancellationProvider: before a contract is cancelled. Known values: `Operator`, `BankingSupplier`, `CancellationProvider`. More may be added: do not fail on an unknown one.
    """
    url: str
    """
    The URL of the text to show to the user.
    """
    version: str
    """
    The version in force, or the next one if effectiveFrom is in the future.
    """


class TermsAcceptance(Model):
    """
    A user's acceptance of a version of terms.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    accepted_at: AwareDatetime
    """
    When this version was first accepted.
    """
    terms_type: str
    """
    The terms that were accepted. Known values: `Operator`, `BankingSupplier`, `CancellationProvider`. More may be added: do not fail on an unknown one.
    """
    version: str
    """
    The version that was accepted.
    """


class TermsAcceptanceData(Model):
    """
    A user's acceptance of a version of terms.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    terms_acceptance: TermsAcceptance
    """
    A user's acceptance of a version of terms.
    """


class TermsAcceptanceList(Model):
    """
    What the user accepted, oldest first.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    terms_acceptances: list[TermsAcceptance]
    """
    What the user accepted, oldest first.
    """


class TermsList(Model):
    """
    One element for each type, and one more for a version that is published ahead.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    terms: list[Terms]
    """
    One element for each type, and one more for a version that is published ahead.
    """


class TestTransaction(Model):
    """
    A transaction that the sandbox bank will report.
    """

    model_config = ConfigDict(
        extra="forbid",
        populate_by_name=True,
        alias_generator=to_camel,
    )
    amount: Decimal
    """
    In the account's currency, negative for a debit. At most 1000000, with at most two decimal places, and not 0.
    """
    booking_date: date_aliased | None = None
    """
    From the first day of the bank's history (maxFetchInterval) to today (UTC), which is the default.
    """
    counterparty: str | None = None
    """
    Name of the payer or payee; empty by default.
    """
    creditor_id: str | None = None
    """
    The creditor identifier of a direct debit, which makes a debit one, too.
    """
    mandate_id: str | None = None
    """
    The mandate of a direct debit. It makes a debit one, unless it is a card payment.
    """
    merchant_category_code: str | None = None
    """
    ISO 18245. It makes the row a card payment.
    """
    note: str
    """
    The bank's text for the transaction.
    """
    pending: bool | None = None
    """
    Whether the bank reports the row as pending first, and books it three days after bookingDate. Some banks do not report it until then. Default: false.
    """


class TestTransactionsData(Model):
    """
    What was added, and what to refresh.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    test_transactions: AddedTestTransactions
    """
    What was added, and what to refresh.
    """


class TopCategory(Model):
    """
    A category of transactions (L1) and its subcategories.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    category_id: int
    """
    L1 ID.
    """
    category_name: str
    """
    Stable name for programs, such as HOUSING. Translate it yourself.
    """
    subcategories: list[Subcategory]
    """
    The subcategories (L2), ordered by ID. One of them is the catch-all.
    """


class TopCategoryList(Model):
    """
    All categories, ordered by ID.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    categories: list[TopCategory]
    """
    All categories, ordered by ID.
    """


class Transaction(Model):
    """
    A transaction of a connected account.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    account: Reference
    """
    The account that the transaction is on.
    """
    amount: Decimal
    """
    In major units of currencyCode; negative for an expense.
    """
    category: Category
    """
    What the money was for, found by rules or chosen by the user.
    """
    created_at: AwareDatetime
    """
    When we read the transaction for the first time.
    """
    currency_code: str
    """
    ISO 4217.
    """
    id: str
    """
    Never changes, not even when a pending transaction is booked.
    """
    merchant: Reference
    """
    Who the money went to or came from: the merchant, or the counterparty if the merchant is unknown, with its name as a person would write it. The name is empty for cash, between the user's own accounts, and if the row names nobody. The ID of a counterparty follows from its name; those without a name share one.
    """
    note: str
    """
    The bank's text for the transaction.
    """
    payee: str
    """
    The counterparty's account: an IBAN or another number; empty if the bank does not tell.
    """
    payment_type: str
    """
    How it was paid, as far as the bank tells. Known values: `Cash`, `DebitCard`, `CreditCard`, `Transfer`, `Voucher`, `MobilePayment`, `WebPayment`. More may be added: do not fail on an unknown one.
    """
    record_date: AwareDatetime
    """
    The day it was booked or is expected to be booked; the time part is zero.
    """
    record_state: str
    """
    Cleared: booked. Uncleared: pending. Void: a pending transaction that vanished, or a booked one that the bank has withdrawn; leave it out of sums. Known values: `Cleared`, `Uncleared`, `Void`. More may be added: do not fail on an unknown one.
    """
    record_type: str
    """
    Whether money came in (Income) or went out (Expense). Known values: `Income`, `Expense`. More may be added: do not fail on an unknown one.
    """
    recurrence_frequency: str
    """
    How often the payment recurs; Once if it is not known to recur. Known values: `Once`, `Weekly`, `BiWeekly`, `Monthly`, `Quarterly`, `SemiAnnually`, `Annually`. More may be added: do not fail on an unknown one.
    """
    subscription: bool
    """
    Whether the transaction is a payment of a recurring contract.
    """
    updated_at: AwareDatetime
    """
    When something about the transaction last changed.
    """


class TransactionChange(Model):
    """
    What happened to one transaction since the previous call.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    change: str
    """
    Added and Modified: save the transaction as it is now. Removed: delete your copy. Known values: `Added`, `Modified`, `Removed`. More may be added: do not fail on an unknown one.
    """
    transaction: Transaction | None = None
    """
    Current state; absent if change is Removed.
    """
    transaction_id: str
    """
    The transaction that changed.
    """


class TransactionChangeList(Model):
    """
    The next changes, and where to continue.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    changes: list[TransactionChange]
    """
    Changes in the order in which they happened. Empty if there is nothing new.
    """
    since: str
    """
    Pass it as since in the next call. Valid for 30 days.
    """


class TransactionDetail(Model):
    """
    A transaction, and how its category was found.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    account: Reference
    """
    The account that the transaction is on.
    """
    amount: Decimal
    """
    In major units of currencyCode; negative for an expense.
    """
    category: Category
    """
    What the money was for, found by rules or chosen by the user.
    """
    category_source: str
    """
    How the category was found: by the user (Override), between own accounts (OwnTransfer), by the bank's code, the merchant, the merchant category code (Mcc) or a word (Keyword), or not at all (None). Known values: `Override`, `OwnTransfer`, `BankCode`, `Merchant`, `Mcc`, `Keyword`, `None`. More may be added: do not fail on an unknown one.
    """
    created_at: AwareDatetime
    """
    When we read the transaction for the first time.
    """
    currency_code: str
    """
    ISO 4217.
    """
    id: str
    """
    Never changes, not even when a pending transaction is booked.
    """
    merchant: Reference
    """
    Who the money went to or came from: the merchant, or the counterparty if the merchant is unknown, with its name as a person would write it. The name is empty for cash, between the user's own accounts, and if the row names nobody. The ID of a counterparty follows from its name; those without a name share one.
    """
    note: str
    """
    The bank's text for the transaction.
    """
    payee: str
    """
    The counterparty's account: an IBAN or another number; empty if the bank does not tell.
    """
    payment_type: str
    """
    How it was paid, as far as the bank tells. Known values: `Cash`, `DebitCard`, `CreditCard`, `Transfer`, `Voucher`, `MobilePayment`, `WebPayment`. More may be added: do not fail on an unknown one.
    """
    record_date: AwareDatetime
    """
    The day it was booked or is expected to be booked; the time part is zero.
    """
    record_state: str
    """
    Cleared: booked. Uncleared: pending. Void: a pending transaction that vanished, or a booked one that the bank has withdrawn; leave it out of sums. Known values: `Cleared`, `Uncleared`, `Void`. More may be added: do not fail on an unknown one.
    """
    record_type: str
    """
    Whether money came in (Income) or went out (Expense). Known values: `Income`, `Expense`. More may be added: do not fail on an unknown one.
    """
    recurrence_frequency: str
    """
    How often the payment recurs; Once if it is not known to recur. Known values: `Once`, `Weekly`, `BiWeekly`, `Monthly`, `Quarterly`, `SemiAnnually`, `Annually`. More may be added: do not fail on an unknown one.
    """
    rule_id: str
    """
    The rule that found it; empty if no rule did.
    """
    subscription: bool
    """
    Whether the transaction is a payment of a recurring contract.
    """
    updated_at: AwareDatetime
    """
    When something about the transaction last changed.
    """


class TransactionList(Model):
    """
    One page of the user's transactions.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    transactions: list[Transaction]
    """
    One page of the user's transactions.
    """


class TransactionsUpdatedEventData(Model):
    """
    The data of transactions.updated.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    added: int
    """
    How many transactions are new.
    """
    connection_id: str
    """
    The connection.
    """
    modified: int
    """
    How many have changed.
    """
    removed: int
    """
    How many are gone.
    """
    since: str
    """
    The since parameter of GET /openbanking/v1/transactions/changes.
    """


class User(Model):
    """
    A Partner User: a person that you act for.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    country_code: str
    """
    The user's country (ISO 3166-1 alpha-2).
    """
    created_at: AwareDatetime
    """
    When the user was created.
    """
    external_id: str
    """
    Your own ID for the user; empty if you gave none.
    """
    language_code: str
    """
    Language (ISO 639) of our pages for the user.
    """
    user_id: str
    """
    Send it as X-User-Id to act on behalf of the user.
    """


class UserData(Model):
    """
    A Partner User: a person that you act for.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    user: User
    """
    A Partner User: a person that you act for.
    """


class UserErasedEventData(Model):
    """
    The data of user.erased.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    erasure_id: str
    """
    The erasure, of GET /identity/v1/erasures/{erasureId}.
    """


class WebhookPingEventData(Model):
    """
    The data of webhook.ping.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    message: str
    """
    Any text.
    """


class WebhookSecret(Model):
    """
    A secret that signs callbacks (Standard Webhooks).
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    created_at: AwareDatetime
    """
    When the secret was created. It signs from then on.
    """
    expires_at: AwareDatetime | None
    """
    When the secret expires or expired; null if that is not known yet.
    """
    key: str | None = None
    """
    whsec_ and 32 bytes in base64. Only in the response that creates the secret.
    """
    secret_id: str
    """
    Identifies the secret. The key cannot be found from it.
    """
    status: str
    """
    Active and Expiring secrets sign. Expiring: a newer one has replaced it. Revoked: no longer signs. Known values: `Active`, `Expiring`, `Revoked`. More may be added: do not fail on an unknown one.
    """


class WebhookSecretData(Model):
    """
    A secret that signs callbacks (Standard Webhooks).
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    secret: WebhookSecret
    """
    A secret that signs callbacks (Standard Webhooks).
    """


class WebhookSecretList(Model):
    """
    The secrets, newest first, without their keys.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    secrets: list[WebhookSecret]
    """
    The secrets, newest first, without their keys.
    """


class WebhookSubscription(Model):
    """
    A subscription to events, and whether it receives them.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    created_at: AwareDatetime
    """
    When the subscription was created.
    """
    description: str
    """
    Your own note; empty if there is none.
    """
    events: list[str]
    """
    The event types, or only "*" for all types.
    """
    failing_detail: str | None = None
    """
    Only with failingSince: the same in words, if there is more to say.
    """
    failing_reason: str | None = None
    """
    Only with failingSince: how the last attempt ended, as in the list of attempts. Known values: `NotAcknowledged`, `InvalidAcknowledgement`, `HttpError`, `RedirectRefused`, `Timeout`, `DnsError`, `TlsError`, `ConnectionError`, `AddressRefused`, `ResponseTooLarge`. More may be added: do not fail on an unknown one.
    """
    failing_since: AwareDatetime | None = None
    """
    When it began to fail: when the first event was given up. Only until it acknowledges an event again.
    """
    server_url: str
    """
    Where we post events to.
    """
    status: str
    """
    Active: receives events. Paused: you paused it. Disabled: set by the operator, or after failures. Known values: `Active`, `Paused`, `Disabled`. More may be added: do not fail on an unknown one.
    """
    status_reason: str
    """
    Why it is Disabled; otherwise empty. Known values: `DisabledByOperator`, `TooManyFailures`. More may be added: do not fail on an unknown one.
    """
    subscription_id: str
    """
    Identifies the subscription.
    """
    updated_at: AwareDatetime
    """
    When the subscription was last changed.
    """


class WebhookSubscriptionData(Model):
    """
    A subscription to events, and whether it receives them.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    subscription: WebhookSubscription
    """
    A subscription to events, and whether it receives them.
    """


class WebhookSubscriptionList(Model):
    """
    All of your subscriptions.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    subscriptions: list[WebhookSubscription]
    """
    All of your subscriptions.
    """


class Withdrawal(Model):
    """
    The right to withdraw from a new contract without a reason.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    source: str
    """
    The article, with the address of its official text.
    """
    until: date_aliased
    """
    The last day to send the withdrawal, with reason.kind Withdrawal. Sending it in time is enough.
    """


class Account(Model):
    """
    An account of a user at a connected bank, as we last read it.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    account_id: str
    """
    Stable: neither the bank nor a reconnect nor a new connection to the same bank changes it.
    """
    account_name: str
    """
    The bank's name for the account.
    """
    account_number: str
    """
    Domestic or masked number; may be empty.
    """
    account_type: str
    """
    What kind of account the bank says it is. Known values: `CurrentAccount`, `SavingAccount`, `BonusAccount`, `CreditCard`, `Loan`, `Mortgage`, `Overdraft`, `Investment`, `Insurance`, `Cash`, `General`. More may be added: do not fail on an unknown one.
    """
    balance: Decimal
    """
    Booked balance in major units; negative if the user owes money.
    """
    connection_info: ConnectionInfo
    """
    The connection that an account is read through.
    """
    created_at: AwareDatetime
    """
    When we read the account for the first time.
    """
    currency_code: str
    """
    Currency of the account and its balance (ISO 4217).
    """
    iban: str
    """
    IBAN without spaces; empty if the account has none or the bank does not tell.
    """
    updated_at: AwareDatetime
    """
    When something about the account, such as its balance, last changed.
    """


class AccountList(Model):
    """
    One page of the user's accounts.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    accounts: list[Account]
    """
    One page of the user's accounts.
    """


class CancellationConfirmedEvent(Model):
    """
    The organization has confirmed the cancellation.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: CancellationConfirmedEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["cancellation.confirmed"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class CancellationCreatedEvent(Model):
    """
    A cancellation has been created and its letter written.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: CancellationCreatedEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["cancellation.created"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class CancellationDebitAfterEndEvent(Model):
    """
    The contract has ended, but the user's account has been debited for it. Sent once for each debit.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: CancellationDebitAfterEndEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["cancellation.debit_after_end"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class CancellationDeliveredEvent(Model):
    """
    The letter has been delivered to the organization.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: CancellationDeliveredEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["cancellation.delivered"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class CancellationDeliveryFailedEvent(Model):
    """
    The letter could not be delivered through any channel.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: CancellationDeliveryFailedEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["cancellation.delivery_failed"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class CancellationEffectiveEvent(Model):
    """
    No debit for the contract has come for one and a half periods: it has ended. Sent once.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: CancellationEffectiveEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["cancellation.effective"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class CancellationQueuedEvent(Model):
    """
    The letter is waiting to be sent, for the first time or through the next channel.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: CancellationQueuedEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["cancellation.queued"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class CancellationRejectedEvent(Model):
    """
    The organization has rejected the cancellation.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: CancellationRejectedEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["cancellation.rejected"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class CancellationRepliedEvent(Model):
    """
    The organization has answered by mail. getReply has the text.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: CancellationRepliedEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["cancellation.replied"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class CancellationSentEvent(Model):
    """
    The letter has been handed over for delivery.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: CancellationSentEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["cancellation.sent"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class CancellationStep(Model):
    """
    A status, and when it began.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    at: AwareDatetime
    """
    When the status began.
    """
    delay: LetterDelay | None = None
    """
    Present if the letter was late then.
    """
    reason: Reason | None = None
    """
    In the first step: why the user is cancelling, unless that is Ordinary.
    """
    status: str
    """
    The status. Known values: `Created`, `Queued`, `Sent`, `Delivered`, `Confirmed`, `DeliveryFailed`, `Rejected`, `Withdrawn`. More may be added: do not fail on an unknown one.
    """


class CancellationWithdrawnEvent(Model):
    """
    The cancellation has been withdrawn before its letter was sent.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: CancellationWithdrawnEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["cancellation.withdrawn"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class CategoryInsight(Model):
    """
    The sum of one category, in one currency and one period.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    amount: Decimal
    """
    Sum in major units; negative for expenses.
    """
    category: InsightCategory
    """
    A category or, with categoryLevel=L2, a subcategory.
    """
    currency_code: str
    """
    ISO 4217. Amounts are not converted.
    """
    number_of_transactions: int
    """
    How many transactions the sum is of.
    """
    period_start: date_aliased | None = None
    """
    First day of the period; absent for alltime.
    """


class CategoryInsightList(Model):
    """
    Sums of transactions by category.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    granularity: str
    """
    Length of a period, as requested. Known values: `alltime`, `daily`, `weekly`, `monthly`, `quarterly`, `yearly`. More may be added: do not fail on an unknown one.
    """
    insights: list[CategoryInsight]
    """
    The sums, ordered as orderBy says.
    """


class Connection(Model):
    """
    A user's connection to a bank: the consent to read accounts there.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    connection_id: str
    """
    Identifies the connection. A reconnect does not change it.
    """
    connection_status: str
    """
    Pending: the user has not authorised yet. Active: we read the bank. ActionRequired: reconnect. Failed, Expired, Revoked: no consent. Known values: `Pending`, `Active`, `ActionRequired`, `Failed`, `Expired`, `Revoked`. More may be added: do not fail on an unknown one.
    """
    consent_expires_at: AwareDatetime
    """
    When the consent expires, or when it ended; 0001-01-01T00:00:00Z if unknown.
    """
    created_at: AwareDatetime
    """
    When the connection was created.
    """
    is_active: bool
    """
    Whether connectionStatus is Active.
    """
    last_success_at: AwareDatetime
    """
    When we last read all accounts; 0001-01-01T00:00:00Z before the first time.
    """
    next_refresh_possible_at: AwareDatetime
    """
    The earliest time for a refresh with the user; 0001-01-01T00:00:00Z if unknown.
    """
    partial_data: PartialData | None = None
    """
    Bank data that the last sync could not read. Only if statusReason is PartialData.
    """
    provider_id: str
    """
    The bank.
    """
    provider_name: str
    """
    The bank's name.
    """
    status_reason: str
    """
    Why the connection has this status; empty if there is nothing to report. The guide to errors says what each means and what to do. Known values: `PartiallyAuthorised`, `LinkExpired`, `UserCancelled`, `AuthorisationFailed`, `ConsentExpired`, `ConsentRevoked`, `ConsentReplaced`, `TermsNotAccepted`, `PartialData`, `AccountsMismatch`, `SupplierUnavailable`, `SupplierRateLimited`, `SupplierInvalidResponse`, `SupplierRejected`, `SupplierConsentInvalid`, `SupplierConsentExpired`, `SupplierConsentUnknown`, `InternalError`. More may be added: do not fail on an unknown one.
    """


class ConnectionActionRequiredEvent(Model):
    """
    No data can be read until the user authorises access again. Reconnect the connection.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ConnectionActionRequiredEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["connection.action_required"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class ConnectionActivatedEvent(Model):
    """
    The user has authorised access: for the first time, after a reconnect, or to renew it before it expires. A sync follows.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ConnectionActivatedEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["connection.activated"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class ConnectionData(Model):
    """
    A user's connection to a bank: the consent to read accounts there.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    connection: Connection
    """
    A user's connection to a bank: the consent to read accounts there.
    """


class ConnectionDataExpiringEvent(Model):
    """
    The connection ended weeks ago, and nobody has reconnected it. At dataExpiresAt, the connection and all that was read with it are deleted. Reconnect it to keep them.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ConnectionDataExpiringEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["connection.data_expiring"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class ConnectionDeletedEvent(Model):
    """
    The connection has been deleted and its data is being deleted. Status and reason are its last ones.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ConnectionDeletedEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["connection.deleted"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class ConnectionExpiredEvent(Model):
    """
    The consent has expired. Data that was read is kept until connection.data_expiring says otherwise. Reconnect the connection to read new data.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ConnectionExpiredEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["connection.expired"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class ConnectionExpiringEvent(Model):
    """
    The consent expires in seven days, or in one day. Reconnect the connection to renew it.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ConnectionExpiringEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["connection.expiring"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class ConnectionFailedEvent(Model):
    """
    The user did not complete the authorisation, so there is no consent.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ConnectionFailedEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["connection.failed"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class ConnectionList(Model):
    """
    One page of the user's connections.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    connections: list[Connection]
    """
    One page of the user's connections.
    """


class ConnectionRefreshedEvent(Model):
    """
    All accounts have been read from the bank, whether or not there was anything new.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ConnectionRefreshedEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["connection.refreshed"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class ConnectionRevokedEvent(Model):
    """
    The user has revoked the consent at the bank.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ConnectionRevokedEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["connection.revoked"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class ConnectionSyncFailedEvent(Model):
    """
    A sync has failed for good: its retries are used up, or the bank refuses. The connection stays Active, its data is as old as lastSuccessAt, and syncs go on. Sent once, until a sync succeeds again.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ConnectionSyncFailedEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["connection.sync_failed"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class ConnectionSyncRecoveredEvent(Model):
    """
    A sync has succeeded again after connection.sync_failed.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ConnectionSyncRecoveredEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["connection.sync_recovered"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class ContractDeadline(Model):
    """
    When a contract can end. getDeadline explains each step, and takes more facts.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    certainty: str | None = None
    """
    As in getDeadline: with Latest, the law may allow an earlier end. Known values: `Exact`, `Latest`. More may be added: do not fail on an unknown one.
    """
    costs: bool
    """
    True if earliestEnd may cost something.
    """
    earliest_end: date_aliased
    """
    When the contract ends if it is cancelled today by the product's first channel.
    """
    earliest_free_end: date_aliased
    """
    The earliest end that costs nothing and rests on confirmed law. sendBy and nextChance refer to it.
    """
    form: ContractForm | None = None
    """
    Absent if any text will do.
    """
    missing: list[str]
    """
    Facts that would change the deadline, as in getDeadline.
    """
    next_chance: date_aliased | None = None
    """
    When the contract ends if the first day of sendBy is missed.
    """
    send_by: list[ContractSendBy]
    """
    The last day to send a cancellation by each channel, the product's first channel first. Empty if the contract ends by itself, and if certainty is Latest.
    """


class ContractDeadlineApproachingEvent(Model):
    """
    A recurring contract must be cancelled in 30 days, or in 7, or it runs for more than a month longer. Sent once each for every deadline. The days follow from what is known; contractStartSource says whether the start is a guess.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ContractDeadlineApproachingEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["contract.deadline_approaching"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class ContractPriceIncreasedEvent(Model):
    """
    A recurring contract costs more: a debit, or two if they come every month, had a new price after at least two or three at the old one. Sent once for each rise, unless the debit is more than 60 days old. GET /openbanking/v1/insights/price-changes has the prices, and whether the rise gives a right to end the contract.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ContractPriceIncreasedEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["contract.price_increased"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class CreatedWebhookSubscriptionData(Model):
    """
    A new subscription and its first secret.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    secret: WebhookSecret
    """
    The first secret. Store its key now: no other response has it.
    """
    subscription: WebhookSubscription
    """
    A subscription to events, and whether it receives them.
    """


class Deadline(Model):
    """
    When a contract can end, and by when its cancellation must be sent. It is computed from terms, statutes and public holidays; it is not legal advice.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    certainty: str | None = None
    """
    Exact: by the contract and the law. Latest: no law is known, so that this is the latest end; the law may allow an earlier one, and the user should send the cancellation now. Absent if earliestEnd is. Known values: `Exact`, `Latest`. More may be added: do not fail on an unknown one.
    """
    costs: bool
    """
    True if earliestEnd may cost something, so that earliestFreeEnd is later.
    """
    earliest_end: date_aliased | None = None
    """
    The last day of the contract, if the cancellation is sent in time. Absent if it cannot be computed; missing says why.
    """
    earliest_free_end: date_aliased | None = None
    """
    The earliest end that costs nothing. Absent if earliestEnd is.
    """
    form: RequiredForm | None = None
    """
    Absent if any text will do.
    """
    missing: list[str]
    """
    Facts that would change the answer. terms: those of the product are not known, send agreedTerms. holidays: those of the recipient's country are not known. sector: it is not known, so that no statute was applied; send it in agreedTerms. law: no statute of the country and sector is known. concludedAt: a right to withdraw depends on it; send it in agreedTerms. The others are named as the facts that you can send.
    """
    next_chance: date_aliased | None = None
    """
    The next free end, if the last day to send by the first channel is missed. Absent if there is none.
    """
    reason: Reason | None = None
    """
    The reason to send with createCancellation, if the facts give one: Withdrawal, with its date, or NotReminded. Absent if they do not.
    """
    reasons: list[KnownReason]
    """
    The reasons that we know from the law of the country, for this kind of contract.
    """
    send_by: list[SendBy]
    """
    The channels by which the contract can end on earliestFreeEnd; the one that counts is first. Channels that do not count by law are left out. Empty if the contract ends by itself, if certainty is Latest, and if earliestEnd is absent.
    """
    steps: list[DeadlineStep]
    """
    How it was computed, step by step.
    """
    withdrawal: Withdrawal | None = None
    """
    The right to withdraw from a new contract, while it lasts. Absent if there is none, or if that is not known.
    """


class DeadlineData(Model):
    """
    When a contract can end, and by when its cancellation must be sent. It is computed from terms, statutes and public holidays; it is not legal advice.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    deadline: Deadline
    """
    When a contract can end, and by when its cancellation must be sent. It is computed from terms, statutes and public holidays; it is not legal advice.
    """


class Export(Model):
    """
    All data of a user, to download.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    expires_at: AwareDatetime
    """
    Until when getExport returns new links.
    """
    export_id: str
    """
    Identifies the export. Opaque.
    """
    files: list[ExportFile]
    """
    One archive for each scope of the access token.
    """
    status: str
    """
    Ready at once. Known values: `Ready`. More may be added: do not fail on an unknown one.
    """


class ExportData(Model):
    """
    All data of a user, to download.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    export: Export
    """
    All data of a user, to download.
    """


class MerchantInsight(Model):
    """
    The sum of one merchant or counterparty, in one currency and one period.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    amount: Decimal
    """
    Sum in major units; negative for expenses.
    """
    currency_code: str
    """
    ISO 4217. Amounts are not converted.
    """
    merchant: Reference
    """
    The merchant or, if it is unknown, the counterparty.
    """
    number_of_transactions: int
    """
    How many transactions the sum is of.
    """
    period_start: date_aliased | None = None
    """
    First day of the period; absent for alltime.
    """


class MerchantInsightList(Model):
    """
    Sums of transactions by merchant.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    granularity: str
    """
    Length of a period, as requested. Known values: `alltime`, `daily`, `weekly`, `monthly`, `quarterly`, `yearly`. More may be added: do not fail on an unknown one.
    """
    insights: list[MerchantInsight]
    """
    The sums, ordered as orderBy says.
    """


class Meta(Model):
    """
    What a response says about itself.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    pagination: Pagination
    """
    Where a list continues. Empty after its last page, and for what is not a list.
    """


class Objection(Model):
    """
    A letter that objects to debits after the end of a contract, and its status.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    cancellation_id: str
    """
    The cancellation that it belongs to.
    """
    channel: str
    """
    How the letter is sent. If a channel fails, the next allowed one is used. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one.
    """
    created_at: AwareDatetime
    """
    When the objection was created.
    """
    debits: list[DebitAfterEnd]
    """
    What it objects to, as it was when the letter was written.
    """
    enclosure_sha256: str
    """
    SHA-256 of the enclosure, in hexadecimal: the evidence.pdf of the cancellation. An e-mail has it as a second file. In other channels its pages follow the letter.
    """
    history: list[CancellationStep]
    """
    Every status so far, oldest first.
    """
    letter_sha256: str
    """
    SHA-256 of the letter's PDF, in hexadecimal.
    """
    objection_id: str
    """
    Identifies the objection. getCancellationLetter and getCancellationEvidence take it, too.
    """
    status: str
    """
    DeliveryFailed: no channel worked, so you can send another objection. Known values: `Created`, `Queued`, `Sent`, `Delivered`, `DeliveryFailed`. More may be added: do not fail on an unknown one.
    """
    status_reason: str
    """
    Why it was not delivered; otherwise empty. Known values: `Undeliverable`, `CarrierRefused`, `CarrierUnavailable`. More may be added: do not fail on an unknown one.
    """
    tracking_number: str
    """
    Tracking number of registered mail; empty until the carrier reports one.
    """
    updated_at: AwareDatetime
    """
    When the status last changed.
    """


class ObjectionDeliveredEvent(Model):
    """
    The letter of objection has been delivered to the organization.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ObjectionDeliveredEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["objection.delivered"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class ObjectionDeliveryFailedEvent(Model):
    """
    The letter of objection could not be delivered through any channel.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ObjectionDeliveryFailedEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["objection.delivery_failed"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class ObjectionList(Model):
    """
    All objections, oldest first.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    objections: list[Objection]
    """
    All objections, oldest first.
    """


class ObjectionListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ObjectionList
    """
    All objections, oldest first.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class ObjectionResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ObjectionData
    """
    A preview of a letter.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class ObjectionSentEvent(Model):
    """
    A letter that objects to debits after the end of a contract has been handed over for delivery.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ObjectionSentEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["objection.sent"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class OpenBankingClientResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: OpenBankingClientData
    """
    A client of the deprecated operation. Nothing else uses it.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class OrganizationCategoryListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: OrganizationCategoryList
    """
    All categories, in display order.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class OrganizationListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: OrganizationList
    """
    One page of organizations, sorted by name.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class OrganizationResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: OrganizationData
    """
    A company, club or other body that contracts can be cancelled with.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class PriceChange(Model):
    """
    A price change of a running contract.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    currency_code: str
    """
    Currency of all amounts (ISO 4217).
    """
    merchant: Reference
    """
    The merchant or, if it is unknown, the counterparty.
    """
    new_amount: Decimal
    """
    The new price of one payment, negative.
    """
    old_amount: Decimal
    """
    The old price of one payment, negative.
    """
    percent: Decimal
    """
    By what percentage the price rose, with two decimal places; negative if it fell.
    """
    recurrence_frequency: str
    """
    How often a payment is due. Known values: `Weekly`, `BiWeekly`, `Monthly`, `Quarterly`, `SemiAnnually`, `Annually`. More may be added: do not fail on an unknown one.
    """
    since: date_aliased
    """
    Day of the first payment at the new price.
    """
    special_right: SpecialRight
    """
    Whether the change gives a right to end the contract early. It is computed from statutes; it is not legal advice.
    """
    subscription_id: str
    """
    The contract, as in listRecurringContracts.
    """
    transaction_id: str
    """
    That payment.
    """
    yearly_difference: Decimal
    """
    How much more a year costs; negative if it costs less.
    """


class PriceChangeList(Model):
    """
    The changes, the latest first.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    price_changes: list[PriceChange]
    """
    The changes, the latest first.
    """


class PriceChangeListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: PriceChangeList
    """
    The changes, the latest first.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class Problem(Model):
    """
    The body of every error (RFC 9457). Decide by code; title and detail are for people.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    cancellation_id: str | None = None
    """
    With already_cancelled: the existing cancellation.
    """
    code: str
    """
    Machine-readable reason. type is the address of a page about it. Known values: `already_cancelled`, `cancellation_not_withdrawable`, `conflict`, `connection_not_active`, `external_identifier_reused`, `extra_consent_required`, `form_not_supported`, `idempotency_in_progress`, `idempotency_key_reused`, `insufficient_scope`, `internal_error`, `invalid_next_token`, `locale_not_supported`, `malformed_request`, `method_not_allowed`, `not_available_in_production`, `not_found`, `payload_too_large`, `provider_not_available`, `range_too_large`, `rate_limited`, `reason_not_available`, `refresh_in_progress`, `refresh_too_early`, `return_url_not_registered`, `subscription_not_listening`, `supplier_error`, `template_mismatch`, `temporarily_unavailable`, `terms_not_accepted`, `unauthorized`, `unsupported_media_type`, `user_id_required`, `user_not_found`, `validation_failed`. More may be added: do not fail on an unknown one.
    """
    detail: str
    """
    What went wrong this time. Never contains a submitted value.
    """
    errors: list[ProblemField] | None = None
    """
    The reasons, mostly invalid parts of the request.
    """
    next_refresh_possible_at: AwareDatetime | None = None
    """
    With refresh_too_early: when the next refresh is possible.
    """
    objection_id: str | None = None
    """
    With conflict of sendObjection: the existing objection to these debits.
    """
    status: int
    """
    The HTTP status.
    """
    title: str
    """
    The meaning of the code. Always the same for a code.
    """
    trace_id: str
    """
    Equals X-Request-Id. Quote it when you contact support.
    """
    type: str
    """
    A page that explains the code.
    """


class ProductDetail(Model):
    """
    A product, and what its cancellation needs.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    name: str
    """
    Its name, for the user.
    """
    organization_id: str
    """
    Who offers it.
    """
    product_id: str
    """
    Identifies the product.
    """
    template: list[TemplateField]
    """
    The fields needed to cancel. A cancellation sends one parameter for each.
    """


class ProductListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ProductList
    """
    All products of the organization.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class ProviderCountryListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ProviderCountryList
    """
    The countries, ordered by code.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class ProviderListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ProviderList
    """
    One page of banks.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class ProviderResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ProviderData
    """
    A bank that users can connect.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class RecurringContract(Model):
    """
    A contract found in a user's payments: payments to the same recipient at regular intervals.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    amount: Decimal
    """
    Current price of one payment, negative.
    """
    cancellable: CancellableContract | None
    """
    Organization and product for cancelling the contract, those that the user has named if so; null if it cannot be cancelled.
    """
    category: Category
    """
    Category of the last payment.
    """
    contract_start: ContractStart
    """
    When the contract began.
    """
    currency_code: str
    """
    Currency of both amounts (ISO 4217).
    """
    deadline: ContractDeadline | None = None
    """
    Cancellation deadline. Absent if the product or its terms are unknown, or if a fact is missing without which nothing can be computed.
    """
    first_date: date_aliased
    """
    Day of the first known payment.
    """
    last_date: date_aliased
    """
    Day of the last payment.
    """
    merchant: Reference
    """
    The merchant or, if it is unknown, the counterparty.
    """
    next_expected_date: date_aliased
    """
    When the next payment is due; in the past if it is overdue.
    """
    recurrence_frequency: str
    """
    How often a payment is due. Known values: `Weekly`, `BiWeekly`, `Monthly`, `Quarterly`, `SemiAnnually`, `Annually`. More may be added: do not fail on an unknown one.
    """
    subscription_id: str
    """
    ID of the contract. It stays when payments follow, the price changes or the bank is connected again.
    """
    transaction_ids: list[str]
    """
    The latest payments, oldest first. A long series is not listed in full.
    """
    yearly_cost: Decimal
    """
    Cost of a year at the current price, positive.
    """


class RecurringContractData(Model):
    """
    A contract found in a user's payments: payments to the same recipient at regular intervals.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    subscription: RecurringContract
    """
    A contract found in a user's payments: payments to the same recipient at regular intervals.
    """


class RecurringContractList(Model):
    """
    The contracts, the largest yearly cost first.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    subscriptions: list[RecurringContract]
    """
    The contracts, the largest yearly cost first.
    """


class RecurringContractListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: RecurringContractList
    """
    The contracts, the largest yearly cost first.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class RecurringContractResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: RecurringContractData
    """
    A contract found in a user's payments: payments to the same recipient at regular intervals.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class Reply(Model):
    """
    An answer of the organization by mail.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    answer_status: str | None = None
    """
    How far the user's answer got; only in getReply and answerReply. Known values: `Created`, `Queued`, `Sent`, `Delivered`, `DeliveryFailed`. More may be added: do not fail on an unknown one.
    """
    answered_at: AwareDatetime | None = None
    """
    When the user answered; absent before.
    """
    attachments: list[ReplyAttachment]
    """
    The files in the mail.
    """
    authentication: str | None = None
    """
    What the mail server found out about the sender; absent if unknown.
    """
    decided_by: str
    """
    The rule that decided the kind; empty for Unclear.
    """
    end_date: date_aliased | None = None
    """
    Last day of the contract in a confirmation; absent if it names none.
    """
    excerpt: str
    """
    The sentence that decided the kind; empty for Unclear.
    """
    from_: Annotated[str, Field(alias="from")]
    """
    The sender, as the mail has it.
    """
    kind: str
    """
    What it means. Received only acknowledges the letter, Offer asks the user to stay, AutoReply was written by a program, and Unclear needs a person. Known values: `Confirmed`, `Rejected`, `NeedsInformation`, `Received`, `Offer`, `AutoReply`, `Unclear`. More may be added: do not fail on an unknown one.
    """
    later_date: date_aliased | None = None
    """
    The day before which a rejected contract cannot end; absent if it names none.
    """
    needed_fields: list[str] | None = None
    """
    What the organization asks for: keys of template fields, SIGNATURE for a signed letter, PROOF for a document.
    """
    received_at: AwareDatetime
    """
    When it was received.
    """
    reply_id: str
    """
    Identifies the reply.
    """
    status_reason: str | None = None
    """
    Why it is rejected; absent for other kinds. Known values: `UserNotFound`, `InconsistentData`, `AlreadyCancelled`, `BindingPeriod`. More may be added: do not fail on an unknown one.
    """
    subject: str
    """
    The subject.
    """
    text: str | None = None
    """
    The text; only in getReply and answerReply.
    """


class ReplyData(Model):
    """
    An answer of the organization by mail.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    reply: Reply
    """
    An answer of the organization by mail.
    """


class ReplyList(Model):
    """
    All answers, newest first.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    replies: list[Reply]
    """
    All answers, newest first.
    """


class ReplyListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ReplyList
    """
    All answers, newest first.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class ReplyResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ReplyData
    """
    An answer of the organization by mail.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class SavingsListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: SavingsList
    """
    One element for each currency.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class SearchResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: SearchData
    """
    What was found.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class SentObjectionData(Model):
    """
    The objection or, with dryRun, the preview of its letter.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    letter: CancellationLetter | None = None
    """
    Present only with dryRun.
    """
    objection: Objection | None = None
    """
    Absent with dryRun.
    """


class SentObjectionResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: SentObjectionData
    """
    The objection or, with dryRun, the preview of its letter.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class SimulatedEventResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: SimulatedEventData
    """
    A simulated event.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class SubscriptionFailingEvent(Model):
    """
    One of your subscriptions fails: all attempts to deliver an event to it have failed. Sent once, until it acknowledges an event again, and once more if it becomes Disabled. Your other subscriptions get it. What was given up is not sent again.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: SubscriptionFailingEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["subscription.failing"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class TermsAcceptanceListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: TermsAcceptanceList
    """
    What the user accepted, oldest first.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class TermsAcceptanceResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: TermsAcceptanceData
    """
    A user's acceptance of a version of terms.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class TermsListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: TermsList
    """
    One element for each type, and one more for a version that is published ahead.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class TestTransactionsResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: TestTransactionsData
    """
    What was added, and what to refresh.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class TopCategoryListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: TopCategoryList
    """
    All categories, ordered by ID.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class TransactionChangeListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: TransactionChangeList
    """
    The next changes, and where to continue.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class TransactionData(Model):
    """
    A transaction, and how its category was found.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    transaction: TransactionDetail
    """
    A transaction, and how its category was found.
    """


class TransactionListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: TransactionList
    """
    One page of the user's transactions.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class TransactionResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: TransactionData
    """
    A transaction, and how its category was found.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class TransactionsUpdatedEvent(Model):
    """
    A sync has changed transactions. To get the changes, pass since to GET /openbanking/v1/transactions/changes within 30 days.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: TransactionsUpdatedEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["transactions.updated"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class UserErasedEvent(Model):
    """
    All data of the user has been erased. userId is the ID the user had.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: UserErasedEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["user.erased"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class UserResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: UserData
    """
    A Partner User: a person that you act for.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class WebhookPingEvent(Model):
    """
    A test call to see whether the receiver responds. It is always simulated.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: WebhookPingEventData
    """
    What the event is about.
    """
    environment: str
    """
    Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one.
    """
    event_id: str
    """
    The same in every callback for the event: recognize duplicates by it.
    """
    event_type: Literal["webhook.ping"]
    """
    What has happened.
    """
    is_simulated: bool
    """
    True if the event is simulated.
    """
    occurred_at: AwareDatetime
    """
    When it happened, not when it was sent.
    """
    user_id: str
    """
    The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
    """


class WebhookSecretListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: WebhookSecretList
    """
    The secrets, newest first, without their keys.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class WebhookSecretResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: WebhookSecretData
    """
    A secret that signs callbacks (Standard Webhooks).
    """
    meta: Meta
    """
    What a response says about itself.
    """


class WebhookSubscriptionListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: WebhookSubscriptionList
    """
    All of your subscriptions.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class WebhookSubscriptionResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: WebhookSubscriptionData
    """
    A subscription to events, and whether it receives them.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class AccountListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: AccountList
    """
    One page of the user's accounts.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class Cancellation(Model):
    """
    A user's cancellation of a contract, and its status.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    cancellation_id: str
    """
    Identifies the cancellation.
    """
    channel: str
    """
    How the letter is sent. If a channel fails, the next allowed one is used. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one.
    """
    confirmed_end_date: date_aliased | None = None
    """
    Last day of the contract, as the organization has confirmed it; absent if unknown.
    """
    created_at: AwareDatetime
    """
    When the cancellation was created.
    """
    debits_after_end: list[DebitAfterEnd]
    """
    Payments for the contract after its end, oldest first.
    """
    end_date: date_aliased | None = None
    """
    Last day of the contract that the letter names: yours or else the earliest one. Absent if that is not known; the letter then asks for the earliest possible date.
    """
    external_cancellation_request_identifier: str
    """
    Your own identifier; empty if you sent none.
    """
    history: list[CancellationStep]
    """
    Every status so far, oldest first.
    """
    letter_sha256: str
    """
    SHA-256 of the letter's PDF, in hexadecimal.
    """
    locale: str
    """
    Language of the letter, in the form <language>-<COUNTRY>.
    """
    organization_id: str
    """
    Who the contract is with.
    """
    outcome: str
    """
    What the user's account shows. StillDebited: the contract has ended, but debits go on. Ended: none has come for one and a half periods. Known values: `Waiting`, `StillDebited`, `Ended`, `Unknown`. More may be added: do not fail on an unknown one.
    """
    outcome_reason: str
    """
    Why. The guide to errors explains each. Known values: `LetterNotSent`, `ContractRuns`, `NoDebitSince`, `FinalBill`, `Refunded`, `DebitAfterEnd`, `DebitsStopped`, `NotCancelled`, `ContractUnknown`, `ConnectionLost`, `DataOutdated`, `AccountDeleted`. More may be added: do not fail on an unknown one.
    """
    product_id: str
    """
    What is cancelled.
    """
    reason: Reason
    """
    Why the user is cancelling.
    """
    reply_address: str | None = None
    """
    Where the service receives the organization's answer. Absent if this environment receives none.
    """
    status: str
    """
    Confirmed and Rejected are the organization's answer. DeliveryFailed: no channel worked. Withdrawn: you withdrew it in time. Known values: `Created`, `Queued`, `Sent`, `Delivered`, `Confirmed`, `DeliveryFailed`, `Rejected`, `Withdrawn`. More may be added: do not fail on an unknown one.
    """
    status_reason: str
    """
    Why it was rejected or not delivered; otherwise empty. The guide to errors explains each. Known values: `UserNotFound`, `InconsistentData`, `AlreadyCancelled`, `BindingPeriod`, `Undeliverable`, `CarrierRefused`, `CarrierUnavailable`. More may be added: do not fail on an unknown one.
    """
    subscription_id: str | None = None
    """
    The recurring contract in the user's account; absent if unknown.
    """
    tracking_number: str
    """
    Tracking number of registered mail; empty until the carrier reports one.
    """
    updated_at: AwareDatetime
    """
    When the status last changed.
    """


class CancellationData(Model):
    """
    A user's cancellation of a contract, and its status.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    cancellation: Cancellation
    """
    A user's cancellation of a contract, and its status.
    """


class CancellationList(Model):
    """
    One page of the user's cancellations.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    cancellations: list[Cancellation]
    """
    One page of the user's cancellations.
    """


class CancellationListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: CancellationList
    """
    One page of the user's cancellations.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class CancellationResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: CancellationData
    """
    A user's cancellation of a contract, and its status.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class CategoryInsightListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: CategoryInsightList
    """
    Sums of transactions by category.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class ClockResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ClockData
    """
    The clock of a sandbox's user.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class ConnectionLinkResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ConnectionLink
    """
    A link that takes the user to the bank.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class ConnectionListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ConnectionList
    """
    One page of the user's connections.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class ConnectionResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ConnectionData
    """
    A user's connection to a bank: the consent to read accounts there.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class ConsentListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ConsentList
    """
    The user's answers, the latest first.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class CreatedCancellationData(Model):
    """
    The cancellation or, with dryRun, the preview of its letter.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    cancellation: Cancellation | None = None
    """
    Absent with dryRun.
    """
    letter: CancellationLetter | None = None
    """
    Present only with dryRun.
    """


class CreatedCancellationResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: CreatedCancellationData
    """
    The cancellation or, with dryRun, the preview of its letter.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class CreatedWebhookSubscriptionResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: CreatedWebhookSubscriptionData
    """
    A new subscription and its first secret.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class DeadlineResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: DeadlineData
    """
    When a contract can end, and by when its cancellation must be sent. It is computed from terms, statutes and public holidays; it is not legal advice.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class DeliveryAttemptListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: DeliveryAttemptList
    """
    One page of attempts, newest first.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class ErasureReceiptResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ErasureReceiptData
    """
    The receipt of an erasure. It has no personal data.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class ErasureResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ErasureData
    """
    The erasure of a user, as it begins.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class EventTypeListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: EventTypeList
    """
    All types of events.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class ExportResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ExportData
    """
    All data of a user, to download.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class MerchantInsightListResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: MerchantInsightList
    """
    Sums of transactions by merchant.
    """
    meta: Meta
    """
    What a response says about itself.
    """


class ProductData(Model):
    """
    A product, and what its cancellation needs.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    product: ProductDetail
    """
    A product, and what its cancellation needs.
    """


class ProductResponse(Model):
    """
    The body of every JSON response that is not an error.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        alias_generator=to_camel,
    )
    data: ProductData
    """
    A product, and what its cancellation needs.
    """
    meta: Meta
    """
    What a response says about itself.
    """
