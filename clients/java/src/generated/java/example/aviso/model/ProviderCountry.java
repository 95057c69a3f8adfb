// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A country, and how many banks we have there.
 *
 * @param countryCode ISO 3166-1 alpha-2, in upper case.
 * @param providerCount Number of banks.
 */
public record ProviderCountry(
        @JsonProperty("countryCode") String countryCode,
        @JsonProperty("providerCount") Integer providerCount
) {
}
