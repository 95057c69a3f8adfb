// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A JSON Web Key Set (RFC 7517).
 *
 * @param keys The public keys. Find a token's key by its kid.
 */
public record KeySet(
        @JsonProperty("keys") List<Map<String, Object>> keys
) {
}
