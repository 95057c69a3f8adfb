// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * Your answer to a callback. Other members are ignored.
 *
 * @param isAcknowledged True if you have the event. False is a failure.
 * @param timestamp Your current time (RFC 3339).
 */
public record EventAcknowledgement(
        @JsonProperty("isAcknowledged") Boolean isAcknowledged,
        @JsonProperty("timestamp") Instant timestamp
) {
}
