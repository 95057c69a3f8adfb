// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * One attempt to post an event to you.
 *
 * @param attemptId Identifies the attempt.
 * @param attemptNumber Which of the three attempts this was.
 * @param detail What went wrong, such as a member missing from the acknowledgement; otherwise empty.
 * @param durationMs How long the attempt took, in milliseconds.
 * @param eventId The event. It equals the id of the callback, and is the same in every attempt.
 * @param eventType The type of the event.
 * @param httpStatus HTTP status of your response; null if there was none.
 * @param nextAttemptAt When the event is posted again; null after an acknowledgement and after the last attempt.
 * @param outcome How the attempt ended. Only Acknowledged ends the delivery; The guide to webhooks says what to do about the others. Known values: {@code Acknowledged}, {@code NotAcknowledged}, {@code InvalidAcknowledgement}, {@code HttpError}, {@code RedirectRefused}, {@code Timeout}, {@code DnsError}, {@code TlsError}, {@code ConnectionError}, {@code AddressRefused}, {@code ResponseTooLarge}. More may be added: do not fail on an unknown one.
 * @param payload The body of the callback as it was sent, with the members described under Events. Kept for testing only, in environments with a sandbox; in production nothing is kept. Missing for user.erased, for callbacks of more than 16 KB, and once the user has been erased.
 * @param startedAt When the attempt started.
 */
public record DeliveryAttempt(
        @JsonProperty("attemptId") String attemptId,
        @JsonProperty("attemptNumber") Integer attemptNumber,
        @JsonProperty("detail") String detail,
        @JsonProperty("durationMs") Integer durationMs,
        @JsonProperty("eventId") String eventId,
        @JsonProperty("eventType") String eventType,
        @JsonProperty("httpStatus") Integer httpStatus,
        @JsonProperty("nextAttemptAt") Instant nextAttemptAt,
        @JsonProperty("outcome") String outcome,
        @JsonProperty("payload") Map<String, Object> payload,
        @JsonProperty("startedAt") Instant startedAt
) {
    /** A value of {@code outcome}. */
    public static final String OUTCOME_ACKNOWLEDGED = "Acknowledged";
    /** A value of {@code outcome}. */
    public static final String OUTCOME_NOT_ACKNOWLEDGED = "NotAcknowledged";
    /** A value of {@code outcome}. */
    public static final String OUTCOME_INVALID_ACKNOWLEDGEMENT = "InvalidAcknowledgement";
    /** A value of {@code outcome}. */
    public static final String OUTCOME_HTTP_ERROR = "HttpError";
    /** A value of {@code outcome}. */
    public static final String OUTCOME_REDIRECT_REFUSED = "RedirectRefused";
    /** A value of {@code outcome}. */
    public static final String OUTCOME_TIMEOUT = "Timeout";
    /** A value of {@code outcome}. */
    public static final String OUTCOME_DNS_ERROR = "DnsError";
    /** A value of {@code outcome}. */
    public static final String OUTCOME_TLS_ERROR = "TlsError";
    /** A value of {@code outcome}. */
    public static final String OUTCOME_CONNECTION_ERROR = "ConnectionError";
    /** A value of {@code outcome}. */
    public static final String OUTCOME_ADDRESS_REFUSED = "AddressRefused";
    /** A value of {@code outcome}. */
    public static final String OUTCOME_RESPONSE_TOO_LARGE = "ResponseTooLarge";
}
