// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A letter that objects to debits after the end of a contract, and its status.
 *
 * @param cancellationId The cancellation that it belongs to.
 * @param channel How the letter is sent. If a channel fails, the next allowed one is used. Known values: {@code Email}, {@code Mail}, {@code RegisteredMail}, {@code Fax}. More may be added: do not fail on an unknown one.
 * @param createdAt When the objection was created.
 * @param debits What it objects to, as it was when the letter was written.
 * @param enclosureSha256 SHA-256 of the enclosure, in hexadecimal: the evidence.pdf of the cancellation. An e-mail has it as a second file. In other channels its pages follow the letter.
 * @param history Every status so far, oldest first.
 * @param letterSha256 SHA-256 of the letter's PDF, in hexadecimal.
 * @param objectionId Identifies the objection. getCancellationLetter and getCancellationEvidence take it, too.
 * @param status DeliveryFailed: no channel worked, so you can send another objection. Known values: {@code Created}, {@code Queued}, {@code Sent}, {@code Delivered}, {@code DeliveryFailed}. More may be added: do not fail on an unknown one.
 * @param statusReason Why it was not delivered; otherwise empty. Known values: {@code Undeliverable}, {@code CarrierRefused}, {@code CarrierUnavailable}. More may be added: do not fail on an unknown one.
 * @param trackingNumber Tracking number of registered mail; empty until the carrier reports one.
 * @param updatedAt When the status last changed.
 */
public record Objection(
        @JsonProperty("cancellationId") String cancellationId,
        @JsonProperty("channel") String channel,
        @JsonProperty("createdAt") Instant createdAt,
        @JsonProperty("debits") List<DebitAfterEnd> debits,
        @JsonProperty("enclosureSha256") String enclosureSha256,
        @JsonProperty("history") List<CancellationStep> history,
        @JsonProperty("letterSha256") String letterSha256,
        @JsonProperty("objectionId") String objectionId,
        @JsonProperty("status") String status,
        @JsonProperty("statusReason") String statusReason,
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
    /** A value of {@code status}. */
    public static final String STATUS_CREATED = "Created";
    /** A value of {@code status}. */
    public static final String STATUS_QUEUED = "Queued";
    /** A value of {@code status}. */
    public static final String STATUS_SENT = "Sent";
    /** A value of {@code status}. */
    public static final String STATUS_DELIVERED = "Delivered";
    /** A value of {@code status}. */
    public static final String STATUS_DELIVERY_FAILED = "DeliveryFailed";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON = "";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_UNDELIVERABLE = "Undeliverable";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_CARRIER_REFUSED = "CarrierRefused";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_CARRIER_UNAVAILABLE = "CarrierUnavailable";
}
