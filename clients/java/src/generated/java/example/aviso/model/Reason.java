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
 * @param date The day of the price rise, move or death.
 * @param kind Ordinary: at the end of the term, by notice. The others end it early, where the law knows them: getDeadline lists them. Special: good cause. Known values: {@code Ordinary}, {@code PriceRise}, {@code Moved}, {@code NotReminded}, {@code NoCancellationButton}, {@code Death}, {@code Special}. More may be added: do not fail on an unknown one.
 */
public record Reason(
        @JsonProperty("date") LocalDate date,
        @JsonProperty("kind") String kind
) {
    /** A value of {@code kind}. */
    public static final String KIND_ORDINARY = "Ordinary";
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
