// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The last payment for a contract.
 *
 * @param amount Negative, in major units.
 * @param date Its day.
 * @param transactionId The transaction.
 */
public record LastDebit(
        @JsonProperty("amount") BigDecimal amount,
        @JsonProperty("date") LocalDate date,
        @JsonProperty("transactionId") String transactionId
) {
}
