// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * What was found.
 *
 * @param organizations Organizations that match, the best first.
 * @param products Products that match, the best first.
 */
public record SearchData(
        @JsonProperty("organizations") List<Organization> organizations,
        @JsonProperty("products") List<Product> products
) {
}
