// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A status, and when it began.
 *
 * @param at When the status began.
 * @param delay Present if the letter was late then.
 * @param reason In the first step: why the user is cancelling, unless that is Ordinary.
 * @param status The status. Known values: {@code Created}, {@code Queued}, {@code Sent}, {@code Delivered}, {@code Confirmed}, {@code DeliveryFailed}, {@code Rejected}, {@code Withdrawn}. More may be added: do not fail on an unknown one.
 */
public record CancellationStep(
        @JsonProperty("at") Instant at,
        @JsonProperty("delay") LetterDelay delay,
        @JsonProperty("reason") Reason reason,
        @JsonProperty("status") String status
) {
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
}
