// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import java.time.Instant;

/**
 * What a callback reports. Each type of event is a record of its own; one that this version
 * of the client does not know is an {@link UnknownEvent}.
 */
public sealed interface Event
        permits UnknownEvent,
        CancellationConfirmedEvent,
        CancellationCreatedEvent,
        CancellationDebitAfterEndEvent,
        CancellationDeliveredEvent,
        CancellationDeliveryFailedEvent,
        CancellationEffectiveEvent,
        CancellationQueuedEvent,
        CancellationRejectedEvent,
        CancellationRepliedEvent,
        CancellationSentEvent,
        CancellationWithdrawnEvent,
        ConnectionActionRequiredEvent,
        ConnectionActivatedEvent,
        ConnectionDataExpiringEvent,
        ConnectionDeletedEvent,
        ConnectionExpiredEvent,
        ConnectionExpiringEvent,
        ConnectionFailedEvent,
        ConnectionRefreshedEvent,
        ConnectionRevokedEvent,
        ConnectionSyncFailedEvent,
        ConnectionSyncRecoveredEvent,
        ContractDeadlineApproachingEvent,
        ContractPriceIncreasedEvent,
        ObjectionDeliveredEvent,
        ObjectionDeliveryFailedEvent,
        ObjectionSentEvent,
        SubscriptionFailingEvent,
        TransactionsUpdatedEvent,
        UserErasedEvent,
        WebhookPingEvent {
    /** {@return the ID of the event, which is the same in every attempt} */
    String eventId();

    /** {@return the type, such as {@code connection.activated}} */
    String eventType();

    /** {@return when it happened} */
    Instant occurredAt();

    /** {@return local, test, acceptance or production} */
    String environment();

    /** {@return whether nothing has really happened} */
    Boolean isSimulated();

    /** {@return the user the event is about; empty if it is about none} */
    String userId();

    /**
     * Tells which record holds an event.
     *
     * @param eventType the type, such as {@code connection.activated}
     * @return the record's class; {@link UnknownEvent} if the type is not known
     */
    static Class<? extends Event> classOf(String eventType) {
        return switch (eventType) {
            case "cancellation.confirmed" -> CancellationConfirmedEvent.class;
            case "cancellation.created" -> CancellationCreatedEvent.class;
            case "cancellation.debit_after_end" -> CancellationDebitAfterEndEvent.class;
            case "cancellation.delivered" -> CancellationDeliveredEvent.class;
            case "cancellation.delivery_failed" -> CancellationDeliveryFailedEvent.class;
            case "cancellation.effective" -> CancellationEffectiveEvent.class;
            case "cancellation.queued" -> CancellationQueuedEvent.class;
            case "cancellation.rejected" -> CancellationRejectedEvent.class;
            case "cancellation.replied" -> CancellationRepliedEvent.class;
            case "cancellation.sent" -> CancellationSentEvent.class;
            case "cancellation.withdrawn" -> CancellationWithdrawnEvent.class;
            case "connection.action_required" -> ConnectionActionRequiredEvent.class;
            case "connection.activated" -> ConnectionActivatedEvent.class;
            case "connection.data_expiring" -> ConnectionDataExpiringEvent.class;
            case "connection.deleted" -> ConnectionDeletedEvent.class;
            case "connection.expired" -> ConnectionExpiredEvent.class;
            case "connection.expiring" -> ConnectionExpiringEvent.class;
            case "connection.failed" -> ConnectionFailedEvent.class;
            case "connection.refreshed" -> ConnectionRefreshedEvent.class;
            case "connection.revoked" -> ConnectionRevokedEvent.class;
            case "connection.sync_failed" -> ConnectionSyncFailedEvent.class;
            case "connection.sync_recovered" -> ConnectionSyncRecoveredEvent.class;
            case "contract.deadline_approaching" -> ContractDeadlineApproachingEvent.class;
            case "contract.price_increased" -> ContractPriceIncreasedEvent.class;
            case "objection.delivered" -> ObjectionDeliveredEvent.class;
            case "objection.delivery_failed" -> ObjectionDeliveryFailedEvent.class;
            case "objection.sent" -> ObjectionSentEvent.class;
            case "subscription.failing" -> SubscriptionFailingEvent.class;
            case "transactions.updated" -> TransactionsUpdatedEvent.class;
            case "user.erased" -> UserErasedEvent.class;
            case "webhook.ping" -> WebhookPingEvent.class;
            default -> UnknownEvent.class;
        };
    }
}
