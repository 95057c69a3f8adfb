// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A bank that users can connect.
 *
 * @param provider A bank that users can connect.
 */
public record ProviderData(
        @JsonProperty("provider") Provider provider
) {
}
