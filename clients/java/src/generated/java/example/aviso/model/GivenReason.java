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
 */
public final class GivenReason {
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

    @JsonProperty("date")
    private LocalDate date;

    @JsonProperty("kind")
    private String kind;

    @JsonProperty("text")
    private String text;

    /**
     * The day of the price rise, move or death or, for a withdrawal, the day on which the contract was concluded.
     *
     * @param date the new value; null leaves it out
     * @return this request
     */
    public GivenReason date(LocalDate date) {
        this.date = date;
        return this;
    }

    /**
     * Ordinary: at the end of the term, by notice. The others end it early, where the law knows them: getDeadline lists them. Withdrawal: within the first days. Special: good cause.
     *
     * @param kind the new value; null leaves it out
     * @return this request
     */
    public GivenReason kind(String kind) {
        this.kind = kind;
        return this;
    }

    /**
     * What happened, and when. The letter says it. Good cause is nothing without it.
     *
     * @param text the new value; null leaves it out
     * @return this request
     */
    public GivenReason text(String text) {
        this.text = text;
        return this;
    }
}
