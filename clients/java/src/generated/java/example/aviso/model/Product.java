// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A contract of an organization that can be cancelled.
 *
 * @param locales Locales in which a letter can be written, in the form &lt;language&gt;-&lt;COUNTRY&gt;; the first is the default.
 * @param name Its name, for the user.
 * @param organizationId Who offers it.
 * @param productId Identifies the product.
 */
public record Product(
        @JsonProperty("locales") List<String> locales,
        @JsonProperty("name") String name,
        @JsonProperty("organizationId") String organizationId,
        @JsonProperty("productId") String productId
) {
}
