// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A contract that has ended: no debit has come for one and a half periods.
 *
 * @param cancellationId The cancellation that ended it.
 * @param endDate Last day of the contract, as far as we know.
 * @param lastDebit The last payment that was not paid back.
 * @param merchant The merchant or, if it is unknown, the counterparty.
 * @param recurrenceFrequency How often a payment was due. Known values: {@code Weekly}, {@code BiWeekly}, {@code Monthly}, {@code Quarterly}, {@code SemiAnnually}, {@code Annually}. More may be added: do not fail on an unknown one.
 * @param savedSoFar The payments that would have been due since the last debit, at its last price, positive.
 * @param subscriptionId The contract that was in listRecurringContracts.
 * @param yearlySaving What it cost in a year, positive.
 */
public record Saving(
        @JsonProperty("cancellationId") String cancellationId,
        @JsonProperty("endDate") LocalDate endDate,
        @JsonProperty("lastDebit") LastDebit lastDebit,
        @JsonProperty("merchant") Reference merchant,
        @JsonProperty("recurrenceFrequency") String recurrenceFrequency,
        @JsonProperty("savedSoFar") BigDecimal savedSoFar,
        @JsonProperty("subscriptionId") String subscriptionId,
        @JsonProperty("yearlySaving") BigDecimal yearlySaving
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
