// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * That a user accepted a version of terms.
 *
 * @param termsAcceptance That a user accepted a version of terms.
 */
public record TermsAcceptanceData(
        @JsonProperty("termsAcceptance") TermsAcceptance termsAcceptance
) {
}
