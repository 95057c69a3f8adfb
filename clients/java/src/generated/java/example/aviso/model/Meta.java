// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * What a response says about itself.
 *
 * @param pagination Where a list continues. Empty after its last page, and for what is not a list.
 */
public record Meta(
        @JsonProperty("pagination") Pagination pagination
) {
}
