// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The category (L1) and subcategory (L2) of a transaction.
 *
 * @param categoryId L1 ID. GET /openbanking/v1/categories lists all.
 * @param categoryName Stable name for programs, such as HOUSING.
 * @param subcategoryId L2 ID.
 * @param subcategoryName Stable name for programs, such as HOUSING__Rent.
 */
public record Category(
        @JsonProperty("categoryId") Integer categoryId,
        @JsonProperty("categoryName") String categoryName,
        @JsonProperty("subcategoryId") Integer subcategoryId,
        @JsonProperty("subcategoryName") String subcategoryName
) {
}
