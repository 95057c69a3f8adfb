// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The data of transactions.updated.
 *
 * @param added How many transactions are new.
 * @param connectionId The connection.
 * @param modified How many have changed.
 * @param removed How many are gone.
 * @param since The since parameter of GET /openbanking/v1/transactions/changes.
 */
public record TransactionsUpdatedEventData(
        @JsonProperty("added") Integer added,
        @JsonProperty("connectionId") String connectionId,
        @JsonProperty("modified") Integer modified,
        @JsonProperty("removed") Integer removed,
        @JsonProperty("since") String since
) {
}
