// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A product, and what its cancellation needs.
 *
 * @param product A product, and what its cancellation needs.
 */
public record ProductData(
        @JsonProperty("product") ProductDetail product
) {
}
