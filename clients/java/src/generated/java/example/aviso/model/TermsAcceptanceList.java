// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * What the user accepted, oldest first.
 *
 * @param termsAcceptances What the user accepted, oldest first.
 */
public record TermsAcceptanceList(
        @JsonProperty("termsAcceptances") List<TermsAcceptance> termsAcceptances
) {
}
