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
 * @param name Its name, for the user.
 * @param organizationId Who offers it.
 * @param productId Identifies the product.
 * @param template The fields needed to cancel. A cancellation sends one parameter for each.
 */
public record ProductDetail(
        @JsonProperty("name") String name,
        @JsonProperty("organizationId") String organizationId,
        @JsonProperty("productId") String productId,
        @JsonProperty("template") List<TemplateField> template
) {
}
