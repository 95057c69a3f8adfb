// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * Where a list continues. Empty after its last page, and for what is not a list.
 *
 * @param nextToken Opaque. Pass it as the query parameter nextToken to get the next page. Valid for 24 hours, for the same user and filters.
 */
public record Pagination(
        @JsonProperty("nextToken") String nextToken
) {
}
