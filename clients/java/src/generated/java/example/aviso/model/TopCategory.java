// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A category of transactions (L1) and its subcategories.
 *
 * @param categoryId L1 ID.
 * @param categoryName Stable name for programs, such as HOUSING. Translate it yourself.
 * @param subcategories The subcategories (L2), ordered by ID. One of them is the catch-all.
 */
public record TopCategory(
        @JsonProperty("categoryId") Integer categoryId,
        @JsonProperty("categoryName") String categoryName,
        @JsonProperty("subcategories") List<Subcategory> subcategories
) {
}
