// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The catalogue's entry for a contract.
 *
 * @param organizationId The organization to cancel with.
 * @param productId The product to cancel.
 */
public record CancellableContract(
        @JsonProperty("organizationId") String organizationId,
        @JsonProperty("productId") String productId
) {
}
