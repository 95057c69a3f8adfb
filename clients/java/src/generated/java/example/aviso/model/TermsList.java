// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * One element for each type, and one more for a version that is published ahead.
 *
 * @param terms One element for each type, and one more for a version that is published ahead.
 */
public record TermsList(
        @JsonProperty("terms") List<Terms> terms
) {
}
