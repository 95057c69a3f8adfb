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
 * @param testTransactions What was added, and what to refresh.
 */
public record TestTransactionsData(
        @JsonProperty("testTransactions") AddedTestTransactions testTransactions
) {
}
