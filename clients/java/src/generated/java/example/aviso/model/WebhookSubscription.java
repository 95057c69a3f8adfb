// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A subscription to events, and whether it receives them.
 *
 * @param createdAt When the subscription was created.
 * @param description Your own note; empty if there is none.
 * @param events The event types, or only "*" for all types.
 * @param failingDetail Only with failingSince: the same in words, if there is more to say.
 * @param failingReason Only with failingSince: how the last attempt ended, as in the list of attempts. Known values: {@code NotAcknowledged}, {@code InvalidAcknowledgement}, {@code HttpError}, {@code RedirectRefused}, {@code Timeout}, {@code DnsError}, {@code TlsError}, {@code ConnectionError}, {@code AddressRefused}, {@code ResponseTooLarge}. More may be added: do not fail on an unknown one.
 * @param failingSince When it began to fail: when the first event was given up. Only until it acknowledges an event again.
 * @param serverUrl Where we post events to.
 * @param status Active: receives events. Paused: you paused it. Disabled: set by the operator, or after failures. Known values: {@code Active}, {@code Paused}, {@code Disabled}. More may be added: do not fail on an unknown one.
 * @param statusReason Why it is Disabled; otherwise empty. Known values: {@code DisabledByOperator}, {@code TooManyFailures}. More may be added: do not fail on an unknown one.
 * @param subscriptionId Identifies the subscription.
 * @param updatedAt When the subscription was last changed.
 */
public record WebhookSubscription(
        @JsonProperty("createdAt") Instant createdAt,
        @JsonProperty("description") String description,
        @JsonProperty("events") List<String> events,
        @JsonProperty("failingDetail") String failingDetail,
        @JsonProperty("failingReason") String failingReason,
        @JsonProperty("failingSince") Instant failingSince,
        @JsonProperty("serverUrl") String serverUrl,
        @JsonProperty("status") String status,
        @JsonProperty("statusReason") String statusReason,
        @JsonProperty("subscriptionId") String subscriptionId,
        @JsonProperty("updatedAt") Instant updatedAt
) {
    /** A value of {@code failingReason}. */
    public static final String FAILING_REASON_NOT_ACKNOWLEDGED = "NotAcknowledged";
    /** A value of {@code failingReason}. */
    public static final String FAILING_REASON_INVALID_ACKNOWLEDGEMENT = "InvalidAcknowledgement";
    /** A value of {@code failingReason}. */
    public static final String FAILING_REASON_HTTP_ERROR = "HttpError";
    /** A value of {@code failingReason}. */
    public static final String FAILING_REASON_REDIRECT_REFUSED = "RedirectRefused";
    /** A value of {@code failingReason}. */
    public static final String FAILING_REASON_TIMEOUT = "Timeout";
    /** A value of {@code failingReason}. */
    public static final String FAILING_REASON_DNS_ERROR = "DnsError";
    /** A value of {@code failingReason}. */
    public static final String FAILING_REASON_TLS_ERROR = "TlsError";
    /** A value of {@code failingReason}. */
    public static final String FAILING_REASON_CONNECTION_ERROR = "ConnectionError";
    /** A value of {@code failingReason}. */
    public static final String FAILING_REASON_ADDRESS_REFUSED = "AddressRefused";
    /** A value of {@code failingReason}. */
    public static final String FAILING_REASON_RESPONSE_TOO_LARGE = "ResponseTooLarge";
    /** A value of {@code status}. */
    public static final String STATUS_ACTIVE = "Active";
    /** A value of {@code status}. */
    public static final String STATUS_PAUSED = "Paused";
    /** A value of {@code status}. */
    public static final String STATUS_DISABLED = "Disabled";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON = "";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_DISABLED_BY_OPERATOR = "DisabledByOperator";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_TOO_MANY_FAILURES = "TooManyFailures";
}
