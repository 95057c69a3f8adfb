// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * Why the user is cancelling. The letter names the reason with its article.
 *
 * @param date The day of the price rise, move or death or, for a withdrawal, the day on which the contract was concluded.
 * @param kind Ordinary: at the end of the term, by notice. The others end it early, where the law knows them: getDeadline lists them. Withdrawal: within the first days. Special: good cause. Known values: {@code Ordinary}, {@code Withdrawal}, {@code PriceRise}, {@code Moved}, {@code NotReminded}, {@code NoCancellationButton}, {@code Death}, {@code Special}. More may be added: do not fail on an unknown one.
 * @param text What happened, and when. The letter says it. Good cause is nothing without it.
 */
public record Reason(
        @JsonProperty("date") LocalDate date,
        @JsonProperty("kind") String kind,
        @JsonProperty("text") String text
) {
    /** A value of {@code kind}. */
    public static final String KIND_ORDINARY = "Ordinary";
    /** A value of {@code kind}. */
    public static final String KIND_WITHDRAWAL = "Withdrawal";
    /** A value of {@code kind}. */
    public static final String KIND_PRICE_RISE = "PriceRise";
    /** A value of {@code kind}. */
    public static final String KIND_MOVED = "Moved";
    /** A value of {@code kind}. */
    public static final String KIND_NOT_REMINDED = "NotReminded";
    /** A value of {@code kind}. */
    public static final String KIND_NO_CANCELLATION_BUTTON = "NoCancellationButton";
    /** A value of {@code kind}. */
    public static final String KIND_DEATH = "Death";
    /** A value of {@code kind}. */
    public static final String KIND_SPECIAL = "Special";
}
