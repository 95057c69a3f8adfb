// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * An account or a merchant, with its name.
 *
 * @param id Its ID.
 * @param name Its name; empty if unknown.
 */
public record Reference(
        @JsonProperty("id") String id,
        @JsonProperty("name") String name
) {
}
