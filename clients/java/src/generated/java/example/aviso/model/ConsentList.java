// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The user's answers, the latest first.
 *
 * @param consents The user's answers, the latest first.
 */
public record ConsentList(
        @JsonProperty("consents") List<Consent> consents
) {
}
