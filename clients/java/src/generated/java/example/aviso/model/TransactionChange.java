// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * What happened to one transaction since the previous call.
 *
 * @param change Added and Modified: save the transaction as it is now. Removed: delete your copy. Known values: {@code Added}, {@code Modified}, {@code Removed}. More may be added: do not fail on an unknown one.
 * @param transaction Current state; absent if change is Removed.
 * @param transactionId The transaction that changed.
 */
public record TransactionChange(
        @JsonProperty("change") String change,
        @JsonProperty("transaction") Transaction transaction,
        @JsonProperty("transactionId") String transactionId
) {
    /** A value of {@code change}. */
    public static final String CHANGE_ADDED = "Added";
    /** A value of {@code change}. */
    public static final String CHANGE_MODIFIED = "Modified";
    /** A value of {@code change}. */
    public static final String CHANGE_REMOVED = "Removed";
}
