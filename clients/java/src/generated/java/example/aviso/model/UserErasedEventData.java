// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The data of user.erased.
 *
 * @param erasureId The erasure, of GET /identity/v1/erasures/{erasureId}.
 */
public record UserErasedEventData(
        @JsonProperty("erasureId") String erasureId
) {
}
