// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The connection ended weeks ago, and nobody has reconnected it. At dataExpiresAt, the connection and all that was read with it are deleted. Reconnect it to keep them.
 *
 * @param data What the event is about.
 * @param environment Where it happened. Known values: {@code local}, {@code test}, {@code acceptance}, {@code production}. More may be added: do not fail on an unknown one.
 * @param eventId The same in every callback for the event: recognize duplicates by it.
 * @param eventType What has happened.
 * @param isSimulated True if the event is simulated.
 * @param occurredAt When it happened, not when it was sent.
 * @param userId The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none.
 */
public record ConnectionDataExpiringEvent(
        @JsonProperty("data") ConnectionDataExpiringEventData data,
        @JsonProperty("environment") String environment,
        @JsonProperty("eventId") String eventId,
        @JsonProperty("eventType") String eventType,
        @JsonProperty("isSimulated") Boolean isSimulated,
        @JsonProperty("occurredAt") Instant occurredAt,
        @JsonProperty("userId") String userId
) implements Event {
    /** A value of {@code environment}. */
    public static final String ENVIRONMENT_LOCAL = "local";
    /** A value of {@code environment}. */
    public static final String ENVIRONMENT_TEST = "test";
    /** A value of {@code environment}. */
    public static final String ENVIRONMENT_ACCEPTANCE = "acceptance";
    /** A value of {@code environment}. */
    public static final String ENVIRONMENT_PRODUCTION = "production";
    /** A value of {@code eventType}. */
    public static final String EVENT_TYPE_CONNECTION_DATA_EXPIRING = "connection.data_expiring";
}
