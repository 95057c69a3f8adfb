// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The next changes, and where to continue.
 *
 * @param changes Changes in the order in which they happened. Empty if there is nothing new.
 * @param since Pass it as since in the next call. Valid for 30 days.
 */
public record TransactionChangeList(
        @JsonProperty("changes") List<TransactionChange> changes,
        @JsonProperty("since") String since
) {
}
