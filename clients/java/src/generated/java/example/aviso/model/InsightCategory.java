// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A category or, with categoryLevel=L2, a subcategory.
 *
 * @param id L1 or L2 ID.
 * @param name Stable name for programs, such as FOOD_AND_DRINKS.
 */
public record InsightCategory(
        @JsonProperty("id") Integer id,
        @JsonProperty("name") String name
) {
}
