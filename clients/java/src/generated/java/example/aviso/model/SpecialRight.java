// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * Whether the change gives a right to end the contract early. It is computed from statutes; it is not legal advice.
 *
 * @param answer Yes: the law gives a right if the organization decided on the rise. No: it gives none. Unknown: we do not know, or it depends on what missing says. Known values: {@code Yes}, {@code No}, {@code Unknown}. More may be added: do not fail on an unknown one.
 * @param lastDay The last day on which the cancellation may arrive. Absent if it cannot be computed; missing says why.
 * @param missing Facts that would change the answer. product: name it with updateRecurringContract, or send a locale. reason: why the debits rose. noticeDate: send it. effectDate: when the new price takes effect.
 * @param reason The reason to send with createCancellation, to use the right. Absent if there is none.
 * @param source The statute with the address of its official text; empty if we know none.
 * @param text The answer for the user, in the language of the locale.
 */
public record SpecialRight(
        @JsonProperty("answer") String answer,
        @JsonProperty("lastDay") LocalDate lastDay,
        @JsonProperty("missing") List<String> missing,
        @JsonProperty("reason") PriceRiseReason reason,
        @JsonProperty("source") String source,
        @JsonProperty("text") String text
) {
    /** A value of {@code answer}. */
    public static final String ANSWER_YES = "Yes";
    /** A value of {@code answer}. */
    public static final String ANSWER_NO = "No";
    /** A value of {@code answer}. */
    public static final String ANSWER_UNKNOWN = "Unknown";
    /** A value of {@code missing}. */
    public static final String MISSING_PRODUCT = "product";
    /** A value of {@code missing}. */
    public static final String MISSING_REASON = "reason";
    /** A value of {@code missing}. */
    public static final String MISSING_NOTICE_DATE = "noticeDate";
    /** A value of {@code missing}. */
    public static final String MISSING_EFFECT_DATE = "effectDate";
}
