// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The data of cancellation.replied.
 *
 * @param cancellationId The cancellation.
 * @param channel How the letter is sent. Known values: {@code Email}, {@code Mail}, {@code RegisteredMail}, {@code Fax}. More may be added: do not fail on an unknown one.
 * @param endDate Last day of the contract, as the organization says; empty if it names none.
 * @param externalCancellationRequestIdentifier The partner's own identifier; empty if it gave none.
 * @param kind What the reply means. Known values: {@code Confirmed}, {@code Rejected}, {@code NeedsInformation}, {@code Received}, {@code Offer}, {@code AutoReply}, {@code Unclear}. More may be added: do not fail on an unknown one.
 * @param neededFields What the organization asks for: keys of template fields, SIGNATURE or PROOF.
 * @param replyId The reply.
 * @param status The new status. Known values: {@code Sent}, {@code Delivered}, {@code Confirmed}, {@code Rejected}, {@code DeliveryFailed}, {@code Withdrawn}. More may be added: do not fail on an unknown one.
 * @param statusReason The reason for the status; empty if there is none.
 */
public record CancellationRepliedEventData(
        @JsonProperty("cancellationId") String cancellationId,
        @JsonProperty("channel") String channel,
        @JsonProperty("endDate") String endDate,
        @JsonProperty("externalCancellationRequestIdentifier") String externalCancellationRequestIdentifier,
        @JsonProperty("kind") String kind,
        @JsonProperty("neededFields") List<String> neededFields,
        @JsonProperty("replyId") String replyId,
        @JsonProperty("status") String status,
        @JsonProperty("statusReason") String statusReason
) {
    /** A value of {@code channel}. */
    public static final String CHANNEL_EMAIL = "Email";
    /** A value of {@code channel}. */
    public static final String CHANNEL_MAIL = "Mail";
    /** A value of {@code channel}. */
    public static final String CHANNEL_REGISTERED_MAIL = "RegisteredMail";
    /** A value of {@code channel}. */
    public static final String CHANNEL_FAX = "Fax";
    /** A value of {@code kind}. */
    public static final String KIND_CONFIRMED = "Confirmed";
    /** A value of {@code kind}. */
    public static final String KIND_REJECTED = "Rejected";
    /** A value of {@code kind}. */
    public static final String KIND_NEEDS_INFORMATION = "NeedsInformation";
    /** A value of {@code kind}. */
    public static final String KIND_RECEIVED = "Received";
    /** A value of {@code kind}. */
    public static final String KIND_OFFER = "Offer";
    /** A value of {@code kind}. */
    public static final String KIND_AUTO_REPLY = "AutoReply";
    /** A value of {@code kind}. */
    public static final String KIND_UNCLEAR = "Unclear";
    /** A value of {@code status}. */
    public static final String STATUS_SENT = "Sent";
    /** A value of {@code status}. */
    public static final String STATUS_DELIVERED = "Delivered";
    /** A value of {@code status}. */
    public static final String STATUS_CONFIRMED = "Confirmed";
    /** A value of {@code status}. */
    public static final String STATUS_REJECTED = "Rejected";
    /** A value of {@code status}. */
    public static final String STATUS_DELIVERY_FAILED = "DeliveryFailed";
    /** A value of {@code status}. */
    public static final String STATUS_WITHDRAWN = "Withdrawn";
}
