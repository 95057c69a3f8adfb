// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * Sums of transactions by merchant.
 *
 * @param granularity Length of a period, as requested. Known values: {@code alltime}, {@code daily}, {@code weekly}, {@code monthly}, {@code quarterly}, {@code yearly}. More may be added: do not fail on an unknown one.
 * @param insights The sums, ordered as orderBy says.
 */
public record MerchantInsightList(
        @JsonProperty("granularity") String granularity,
        @JsonProperty("insights") List<MerchantInsight> insights
) {
    /** A value of {@code granularity}. */
    public static final String GRANULARITY_ALLTIME = "alltime";
    /** A value of {@code granularity}. */
    public static final String GRANULARITY_DAILY = "daily";
    /** A value of {@code granularity}. */
    public static final String GRANULARITY_WEEKLY = "weekly";
    /** A value of {@code granularity}. */
    public static final String GRANULARITY_MONTHLY = "monthly";
    /** A value of {@code granularity}. */
    public static final String GRANULARITY_QUARTERLY = "quarterly";
    /** A value of {@code granularity}. */
    public static final String GRANULARITY_YEARLY = "yearly";
}
