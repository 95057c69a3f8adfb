// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * What contracts that have ended save, in one currency.
 *
 * @param contracts The contracts, the largest yearly saving first.
 * @param currencyCode Currency of all amounts (ISO 4217).
 * @param savedSoFar What the contracts would have cost until today, positive.
 * @param yearlySaving What all of the contracts cost in a year, positive.
 */
public record Savings(
        @JsonProperty("contracts") List<Saving> contracts,
        @JsonProperty("currencyCode") String currencyCode,
        @JsonProperty("savedSoFar") BigDecimal savedSoFar,
        @JsonProperty("yearlySaving") BigDecimal yearlySaving
) {
}
