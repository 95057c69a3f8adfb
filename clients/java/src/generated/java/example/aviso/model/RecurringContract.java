// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A contract found in a user's payments: payments to the same recipient at regular intervals.
 *
 * @param amount Current price of one payment, negative.
 * @param cancellable The catalogue's entry for a contract.
 * @param category Category of the last payment.
 * @param contractStart When the contract began.
 * @param currencyCode Currency of both amounts (ISO 4217).
 * @param deadline Cancellation deadline. Absent if the product or its terms are unknown, or if a fact is missing without which nothing can be computed.
 * @param firstDate Day of the first known payment.
 * @param lastDate Day of the last payment.
 * @param merchant The merchant or, if it is unknown, the counterparty.
 * @param nextExpectedDate When the next payment is due; in the past if it is overdue.
 * @param recurrenceFrequency How often a payment is due. Known values: {@code Weekly}, {@code BiWeekly}, {@code Monthly}, {@code Quarterly}, {@code SemiAnnually}, {@code Annually}. More may be added: do not fail on an unknown one.
 * @param subscriptionId ID of the contract. It stays when payments follow, the price changes or the bank is connected again.
 * @param transactionIds The latest payments, oldest first. A long series is not listed in full.
 * @param yearlyCost Cost of a year at the current price, positive.
 */
public record RecurringContract(
        @JsonProperty("amount") BigDecimal amount,
        @JsonProperty("cancellable") CancellableContract cancellable,
        @JsonProperty("category") Category category,
        @JsonProperty("contractStart") ContractStart contractStart,
        @JsonProperty("currencyCode") String currencyCode,
        @JsonProperty("deadline") ContractDeadline deadline,
        @JsonProperty("firstDate") LocalDate firstDate,
        @JsonProperty("lastDate") LocalDate lastDate,
        @JsonProperty("merchant") Reference merchant,
        @JsonProperty("nextExpectedDate") LocalDate nextExpectedDate,
        @JsonProperty("recurrenceFrequency") String recurrenceFrequency,
        @JsonProperty("subscriptionId") String subscriptionId,
        @JsonProperty("transactionIds") List<String> transactionIds,
        @JsonProperty("yearlyCost") BigDecimal yearlyCost
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
