// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A user's acceptance of a version of terms.
 *
 * @param termsAcceptance A user's acceptance of a version of terms.
 */
public record TermsAcceptanceData(
        @JsonProperty("termsAcceptance") TermsAcceptance termsAcceptance
) {
}
