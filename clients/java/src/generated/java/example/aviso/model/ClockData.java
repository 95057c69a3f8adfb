// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The clock of a sandbox's user.
 *
 * @param clock The clock of a sandbox's user.
 */
public record ClockData(
        @JsonProperty("clock") Clock clock
) {
}
