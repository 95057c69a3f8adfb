// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A simulated event.
 *
 * @param eventId Find its delivery by this ID in the list of attempts.
 * @param eventType The type of the event.
 */
public record SimulatedEvent(
        @JsonProperty("eventId") String eventId,
        @JsonProperty("eventType") String eventType
) {
}
