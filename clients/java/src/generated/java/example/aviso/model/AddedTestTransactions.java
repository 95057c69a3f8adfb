// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * What was added, and what to refresh.
 *
 * @param accountId The account that has the new rows.
 * @param added How many rows were added.
 * @param connectionId Refresh this connection to read the rows.
 */
public record AddedTestTransactions(
        @JsonProperty("accountId") String accountId,
        @JsonProperty("added") Integer added,
        @JsonProperty("connectionId") String connectionId
) {
}
