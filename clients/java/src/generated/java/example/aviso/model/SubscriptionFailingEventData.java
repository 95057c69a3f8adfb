// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The data of subscription.failing.
 *
 * @param failingDetail The same in words; empty if the reason says it all.
 * @param failingReason How the last attempt ended, as in the list of attempts.
 * @param failingSince When it began to fail: when the first event was given up.
 * @param status The subscription's status. Known values: {@code Active}, {@code Disabled}. More may be added: do not fail on an unknown one.
 * @param statusReason The reason for the status; empty if there is none.
 * @param subscriptionId The subscription that fails.
 */
public record SubscriptionFailingEventData(
        @JsonProperty("failingDetail") String failingDetail,
        @JsonProperty("failingReason") String failingReason,
        @JsonProperty("failingSince") Instant failingSince,
        @JsonProperty("status") String status,
        @JsonProperty("statusReason") String statusReason,
        @JsonProperty("subscriptionId") String subscriptionId
) {
    /** A value of {@code status}. */
    public static final String STATUS_ACTIVE = "Active";
    /** A value of {@code status}. */
    public static final String STATUS_DISABLED = "Disabled";
}
