// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A user's cancellation of a contract, and its status.
 *
 * @param cancellation A user's cancellation of a contract, and its status.
 */
public record CancellationData(
        @JsonProperty("cancellation") Cancellation cancellation
) {
}
