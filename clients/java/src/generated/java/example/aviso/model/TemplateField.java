// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A field that the user fills in.
 *
 * @param fieldKey Name of the field in the parameters of a cancellation.
 * @param format A regular expression in the syntax that RE2, ECMAScript (also with the flag v, as the pattern of an input) and Python share. A value that matches is accepted. A field whose format matches the empty text is optional.
 * @param label Label for the user, in the language of the locale.
 */
public record TemplateField(
        @JsonProperty("fieldKey") String fieldKey,
        @JsonProperty("format") String format,
        @JsonProperty("label") String label
) {
}
