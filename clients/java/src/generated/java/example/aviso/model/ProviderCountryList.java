// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The countries, ordered by code.
 *
 * @param countries The countries, ordered by code.
 */
public record ProviderCountryList(
        @JsonProperty("countries") List<ProviderCountry> countries
) {
}
