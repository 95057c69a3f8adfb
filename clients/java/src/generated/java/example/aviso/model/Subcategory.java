// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A subcategory of transactions (L2).
 *
 * @param subcategoryId L2 ID.
 * @param subcategoryName Stable name for programs, such as HOUSING__Rent. It starts with the name of the category.
 */
public record Subcategory(
        @JsonProperty("subcategoryId") Integer subcategoryId,
        @JsonProperty("subcategoryName") String subcategoryName
) {
}
