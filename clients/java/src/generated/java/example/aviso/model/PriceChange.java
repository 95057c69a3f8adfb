// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A price change of a running contract.
 *
 * @param currencyCode Currency of all amounts (ISO 4217).
 * @param merchant The merchant or, if it is unknown, the counterparty.
 * @param newAmount The new price of one payment, negative.
 * @param oldAmount The old price of one payment, negative.
 * @param percent By what percentage the price rose, with two decimal places; negative if it fell.
 * @param recurrenceFrequency How often a payment is due. Known values: {@code Weekly}, {@code BiWeekly}, {@code Monthly}, {@code Quarterly}, {@code SemiAnnually}, {@code Annually}. More may be added: do not fail on an unknown one.
 * @param since Day of the first payment at the new price.
 * @param specialRight Whether the change gives a right to end the contract early. It is computed from statutes; it is not legal advice.
 * @param subscriptionId The contract, as in listRecurringContracts.
 * @param transactionId That payment.
 * @param yearlyDifference How much more a year costs; negative if it costs less.
 */
public record PriceChange(
        @JsonProperty("currencyCode") String currencyCode,
        @JsonProperty("merchant") Reference merchant,
        @JsonProperty("newAmount") BigDecimal newAmount,
        @JsonProperty("oldAmount") BigDecimal oldAmount,
        @JsonProperty("percent") BigDecimal percent,
        @JsonProperty("recurrenceFrequency") String recurrenceFrequency,
        @JsonProperty("since") LocalDate since,
        @JsonProperty("specialRight") SpecialRight specialRight,
        @JsonProperty("subscriptionId") String subscriptionId,
        @JsonProperty("transactionId") String transactionId,
        @JsonProperty("yearlyDifference") BigDecimal yearlyDifference
) {
    /** A value of {@code recurrenceFrequency}. */
    public static final String RECURRENCE_FREQUENCY_WEEKLY = "Weekly";
    /** A value of {@code recurrenceFrequency}. */
    public static final String RECURRENCE_FREQUENCY_BI_WEEKLY = "BiWeekly";
    /** A value of {@code recurrenceFrequency}. */
    public static final String RECURRENCE_FREQUENCY_MONTHLY = "Monthly";
    /** A value of {@code recurrenceFrequency}. */
    public static final String RECURRENCE_FREQUENCY_QUARTERLY = "Quarterly";
    /** A value of {@code recurrenceFrequency}. */
    public static final String RECURRENCE_FREQUENCY_SEMI_ANNUALLY = "SemiAnnually";
    /** A value of {@code recurrenceFrequency}. */
    public static final String RECURRENCE_FREQUENCY_ANNUALLY = "Annually";
}
