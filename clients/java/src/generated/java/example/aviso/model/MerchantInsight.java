// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The sum of one merchant or counterparty, in one currency and one period.
 *
 * @param amount Sum in major units; negative for expenses.
 * @param currencyCode ISO 4217. Amounts are not converted.
 * @param merchant The merchant or, if it is unknown, the counterparty.
 * @param numberOfTransactions How many transactions the sum is of.
 * @param periodStart First day of the period; absent for alltime.
 */
public record MerchantInsight(
        @JsonProperty("amount") BigDecimal amount,
        @JsonProperty("currencyCode") String currencyCode,
        @JsonProperty("merchant") Reference merchant,
        @JsonProperty("numberOfTransactions") Integer numberOfTransactions,
        @JsonProperty("periodStart") LocalDate periodStart
) {
}
