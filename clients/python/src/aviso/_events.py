# Generated from docs/openapi.yaml by `make clients-python`; do not edit.
from __future__ import annotations

from typing import Union

from . import models
from ._model import Model, UnknownEvent

TYPES: dict[str, type[Model]] = {
    "cancellation.confirmed": models.CancellationConfirmedEvent,
    "cancellation.created": models.CancellationCreatedEvent,
    "cancellation.debit_after_end": models.CancellationDebitAfterEndEvent,
    "cancellation.delivered": models.CancellationDeliveredEvent,
    "cancellation.delivery_failed": models.CancellationDeliveryFailedEvent,
    "cancellation.effective": models.CancellationEffectiveEvent,
    "cancellation.queued": models.CancellationQueuedEvent,
    "cancellation.rejected": models.CancellationRejectedEvent,
    "cancellation.sent": models.CancellationSentEvent,
    "cancellation.withdrawn": models.CancellationWithdrawnEvent,
    "connection.action_required": models.ConnectionActionRequiredEvent,
    "connection.activated": models.ConnectionActivatedEvent,
    "connection.deleted": models.ConnectionDeletedEvent,
    "connection.expired": models.ConnectionExpiredEvent,
    "connection.expiring": models.ConnectionExpiringEvent,
    "connection.failed": models.ConnectionFailedEvent,
    "connection.refreshed": models.ConnectionRefreshedEvent,
    "connection.revoked": models.ConnectionRevokedEvent,
    "connection.sync_failed": models.ConnectionSyncFailedEvent,
    "connection.sync_recovered": models.ConnectionSyncRecoveredEvent,
    "contract.deadline_approaching": models.ContractDeadlineApproachingEvent,
    "contract.price_increased": models.ContractPriceIncreasedEvent,
    "subscription.failing": models.SubscriptionFailingEvent,
    "transactions.updated": models.TransactionsUpdatedEvent,
    "user.erased": models.UserErasedEvent,
    "webhook.ping": models.WebhookPingEvent,
}

Event = Union[
    models.CancellationConfirmedEvent,
    models.CancellationCreatedEvent,
    models.CancellationDebitAfterEndEvent,
    models.CancellationDeliveredEvent,
    models.CancellationDeliveryFailedEvent,
    models.CancellationEffectiveEvent,
    models.CancellationQueuedEvent,
    models.CancellationRejectedEvent,
    models.CancellationSentEvent,
    models.CancellationWithdrawnEvent,
    models.ConnectionActionRequiredEvent,
    models.ConnectionActivatedEvent,
    models.ConnectionDeletedEvent,
    models.ConnectionExpiredEvent,
    models.ConnectionExpiringEvent,
    models.ConnectionFailedEvent,
    models.ConnectionRefreshedEvent,
    models.ConnectionRevokedEvent,
    models.ConnectionSyncFailedEvent,
    models.ConnectionSyncRecoveredEvent,
    models.ContractDeadlineApproachingEvent,
    models.ContractPriceIncreasedEvent,
    models.SubscriptionFailingEvent,
    models.TransactionsUpdatedEvent,
    models.UserErasedEvent,
    models.WebhookPingEvent,
    UnknownEvent,
]
