// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A reason to end a contract before its term.
 *
 * @param confirmed Whether we read the law itself, or a report of it.
 * @param kind The kind, as createCancellation takes it. Known values: {@code Withdrawal}, {@code PriceRise}, {@code Moved}, {@code NotReminded}, {@code NoCancellationButton}, {@code Death}, {@code Special}. More may be added: do not fail on an unknown one.
 * @param needsDate Whether it needs a date.
 * @param needsText Whether it needs a text, because the law wants the facts in the letter.
 * @param source The article, with the address of its official text.
 */
public record KnownReason(
        @JsonProperty("confirmed") Boolean confirmed,
        @JsonProperty("kind") String kind,
        @JsonProperty("needsDate") Boolean needsDate,
        @JsonProperty("needsText") Boolean needsText,
        @JsonProperty("source") String source
) {
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
