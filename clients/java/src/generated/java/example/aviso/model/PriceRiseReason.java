// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A reason, as createCancellation takes it.
 *
 * @param date The first payment at the new price. If you know the day from which the price counts, send that.
 * @param kind The kind. Known values: {@code PriceRise}. More may be added: do not fail on an unknown one.
 */
public record PriceRiseReason(
        @JsonProperty("date") LocalDate date,
        @JsonProperty("kind") String kind
) {
    /** A value of {@code kind}. */
    public static final String KIND_PRICE_RISE = "PriceRise";
}
