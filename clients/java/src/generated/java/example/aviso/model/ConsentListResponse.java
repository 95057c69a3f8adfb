// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The body of every JSON response that is not an error.
 *
 * @param data The user's answers, the latest first.
 * @param meta What a response says about itself.
 */
public record ConsentListResponse(
        @JsonProperty("data") ConsentList data,
        @JsonProperty("meta") Meta meta
) {
}
