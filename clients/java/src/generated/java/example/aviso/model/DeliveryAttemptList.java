// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * One page of attempts, newest first.
 *
 * @param attempts One page of attempts, newest first.
 */
public record DeliveryAttemptList(
        @JsonProperty("attempts") List<DeliveryAttempt> attempts
) {
}
