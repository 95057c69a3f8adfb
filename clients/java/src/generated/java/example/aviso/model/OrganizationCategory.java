// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A category of organizations.
 *
 * @param id Identifies the category.
 * @param name Its name in the requested language.
 */
public record OrganizationCategory(
        @JsonProperty("id") String id,
        @JsonProperty("name") String name
) {
}
