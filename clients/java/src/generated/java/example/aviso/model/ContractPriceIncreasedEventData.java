// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The data of contract.price_increased.
 *
 * @param since Day of that debit.
 * @param subscriptionId The contract, of GET /openbanking/v1/insights/subscriptions.
 * @param transactionId The first debit at the new price.
 */
public record ContractPriceIncreasedEventData(
        @JsonProperty("since") LocalDate since,
        @JsonProperty("subscriptionId") String subscriptionId,
        @JsonProperty("transactionId") String transactionId
) {
}
