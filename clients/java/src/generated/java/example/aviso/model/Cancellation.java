// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A user's cancellation of a contract, and its status.
 *
 * @param cancellationId Identifies the cancellation.
 * @param channel How the letter is sent. If a channel fails, the next allowed one is used. Known values: {@code Email}, {@code Mail}, {@code RegisteredMail}, {@code Fax}. More may be added: do not fail on an unknown one.
 * @param confirmedEndDate Last day of the contract, as the organization has confirmed it; absent if unknown.
 * @param createdAt When the cancellation was created.
 * @param debitsAfterEnd Payments for the contract after its end, oldest first.
 * @param endDate Last day of the contract that the letter names: yours or else the earliest one. Absent if that is not known; the letter then asks for the earliest possible date.
 * @param externalCancellationRequestIdentifier Your own identifier; empty if you sent none.
 * @param history Every status so far, oldest first.
 * @param letterSha256 SHA-256 of the letter's PDF, in hexadecimal.
 * @param locale Language of the letter, in the form &lt;language&gt;-&lt;COUNTRY&gt;.
 * @param organizationId Who the contract is with.
 * @param outcome What the user's account shows. StillDebited: the contract has ended, but debits go on. Ended: none has come for one and a half periods. Known values: {@code Waiting}, {@code StillDebited}, {@code Ended}, {@code Unknown}. More may be added: do not fail on an unknown one.
 * @param outcomeReason Why. The guide to errors explains each. Known values: {@code LetterNotSent}, {@code ContractRuns}, {@code NoDebitSince}, {@code FinalBill}, {@code Refunded}, {@code DebitAfterEnd}, {@code DebitsStopped}, {@code NotCancelled}, {@code ContractUnknown}, {@code ConnectionLost}, {@code DataOutdated}, {@code AccountDeleted}. More may be added: do not fail on an unknown one.
 * @param productId What is cancelled.
 * @param reason Why the user is cancelling.
 * @param replyAddress Where the service receives the organization's answer. Absent if this environment receives none.
 * @param status Confirmed and Rejected are the organization's answer. DeliveryFailed: no channel worked. Withdrawn: you withdrew it in time. Known values: {@code Created}, {@code Queued}, {@code Sent}, {@code Delivered}, {@code Confirmed}, {@code DeliveryFailed}, {@code Rejected}, {@code Withdrawn}. More may be added: do not fail on an unknown one.
 * @param statusReason Why it was rejected or not delivered; otherwise empty. The guide to errors explains each. Known values: {@code UserNotFound}, {@code InconsistentData}, {@code AlreadyCancelled}, {@code BindingPeriod}, {@code Undeliverable}, {@code CarrierRefused}, {@code CarrierUnavailable}. More may be added: do not fail on an unknown one.
 * @param subscriptionId The recurring contract in the user's account; absent if unknown.
 * @param trackingNumber Tracking number of registered mail; empty until the carrier reports one.
 * @param updatedAt When the status last changed.
 */
public record Cancellation(
        @JsonProperty("cancellationId") String cancellationId,
        @JsonProperty("channel") String channel,
        @JsonProperty("confirmedEndDate") LocalDate confirmedEndDate,
        @JsonProperty("createdAt") Instant createdAt,
        @JsonProperty("debitsAfterEnd") List<DebitAfterEnd> debitsAfterEnd,
        @JsonProperty("endDate") LocalDate endDate,
        @JsonProperty("externalCancellationRequestIdentifier") String externalCancellationRequestIdentifier,
        @JsonProperty("history") List<CancellationStep> history,
        @JsonProperty("letterSha256") String letterSha256,
        @JsonProperty("locale") String locale,
        @JsonProperty("organizationId") String organizationId,
        @JsonProperty("outcome") String outcome,
        @JsonProperty("outcomeReason") String outcomeReason,
        @JsonProperty("productId") String productId,
        @JsonProperty("reason") Reason reason,
        @JsonProperty("replyAddress") String replyAddress,
        @JsonProperty("status") String status,
        @JsonProperty("statusReason") String statusReason,
        @JsonProperty("subscriptionId") String subscriptionId,
        @JsonProperty("trackingNumber") String trackingNumber,
        @JsonProperty("updatedAt") Instant updatedAt
) {
    /** A value of {@code channel}. */
    public static final String CHANNEL_EMAIL = "Email";
    /** A value of {@code channel}. */
    public static final String CHANNEL_MAIL = "Mail";
    /** A value of {@code channel}. */
    public static final String CHANNEL_REGISTERED_MAIL = "RegisteredMail";
    /** A value of {@code channel}. */
    public static final String CHANNEL_FAX = "Fax";
    /** A value of {@code outcome}. */
    public static final String OUTCOME_WAITING = "Waiting";
    /** A value of {@code outcome}. */
    public static final String OUTCOME_STILL_DEBITED = "StillDebited";
    /** A value of {@code outcome}. */
    public static final String OUTCOME_ENDED = "Ended";
    /** A value of {@code outcome}. */
    public static final String OUTCOME_UNKNOWN = "Unknown";
    /** A value of {@code outcomeReason}. */
    public static final String OUTCOME_REASON_LETTER_NOT_SENT = "LetterNotSent";
    /** A value of {@code outcomeReason}. */
    public static final String OUTCOME_REASON_CONTRACT_RUNS = "ContractRuns";
    /** A value of {@code outcomeReason}. */
    public static final String OUTCOME_REASON_NO_DEBIT_SINCE = "NoDebitSince";
    /** A value of {@code outcomeReason}. */
    public static final String OUTCOME_REASON_FINAL_BILL = "FinalBill";
    /** A value of {@code outcomeReason}. */
    public static final String OUTCOME_REASON_REFUNDED = "Refunded";
    /** A value of {@code outcomeReason}. */
    public static final String OUTCOME_REASON_DEBIT_AFTER_END = "DebitAfterEnd";
    /** A value of {@code outcomeReason}. */
    public static final String OUTCOME_REASON_DEBITS_STOPPED = "DebitsStopped";
    /** A value of {@code outcomeReason}. */
    public static final String OUTCOME_REASON_NOT_CANCELLED = "NotCancelled";
    /** A value of {@code outcomeReason}. */
    public static final String OUTCOME_REASON_CONTRACT_UNKNOWN = "ContractUnknown";
    /** A value of {@code outcomeReason}. */
    public static final String OUTCOME_REASON_CONNECTION_LOST = "ConnectionLost";
    /** A value of {@code outcomeReason}. */
    public static final String OUTCOME_REASON_DATA_OUTDATED = "DataOutdated";
    /** A value of {@code outcomeReason}. */
    public static final String OUTCOME_REASON_ACCOUNT_DELETED = "AccountDeleted";
    /** A value of {@code status}. */
    public static final String STATUS_CREATED = "Created";
    /** A value of {@code status}. */
    public static final String STATUS_QUEUED = "Queued";
    /** A value of {@code status}. */
    public static final String STATUS_SENT = "Sent";
    /** A value of {@code status}. */
    public static final String STATUS_DELIVERED = "Delivered";
    /** A value of {@code status}. */
    public static final String STATUS_CONFIRMED = "Confirmed";
    /** A value of {@code status}. */
    public static final String STATUS_DELIVERY_FAILED = "DeliveryFailed";
    /** A value of {@code status}. */
    public static final String STATUS_REJECTED = "Rejected";
    /** A value of {@code status}. */
    public static final String STATUS_WITHDRAWN = "Withdrawn";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON = "";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_USER_NOT_FOUND = "UserNotFound";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_INCONSISTENT_DATA = "InconsistentData";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_ALREADY_CANCELLED = "AlreadyCancelled";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_BINDING_PERIOD = "BindingPeriod";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_UNDELIVERABLE = "Undeliverable";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_CARRIER_REFUSED = "CarrierRefused";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_CARRIER_UNAVAILABLE = "CarrierUnavailable";
}
