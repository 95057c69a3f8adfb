// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A payment for a contract after its end.
 *
 * @param amount Negative, in major units.
 * @param currencyCode ISO 4217.
 * @param date Its day.
 * @param refundTransactionId The transaction that paid it back in full; absent if none has.
 * @param transactionId The transaction in the user's account.
 */
public record DebitAfterEnd(
        @JsonProperty("amount") BigDecimal amount,
        @JsonProperty("currencyCode") String currencyCode,
        @JsonProperty("date") LocalDate date,
        @JsonProperty("refundTransactionId") String refundTransactionId,
        @JsonProperty("transactionId") String transactionId
) {
}
