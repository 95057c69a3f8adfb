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
 * @param example A value that the field accepts, to show as a placeholder.
 * @param fieldKey Name of the field in the parameters of a cancellation.
 * @param format A regular expression in the syntax that RE2, ECMAScript (also with the flag v, as the pattern of an input) and Python share. A value that matches is accepted. A field whose format matches the empty text is optional.
 * @param help A sentence for the user, in the language of the locale: where to find a number, or what an address is for.
 * @param label Label for the user, in the language of the locale.
 * @param type Which input suits the field. A Date is written as 2026-01-31, a Boolean as true or false. Known values: {@code Text}, {@code Email}, {@code Phone}, {@code Date}, {@code Boolean}. More may be added: do not fail on an unknown one.
 */
public record TemplateField(
        @JsonProperty("example") String example,
        @JsonProperty("fieldKey") String fieldKey,
        @JsonProperty("format") String format,
        @JsonProperty("help") String help,
        @JsonProperty("label") String label,
        @JsonProperty("type") String type
) {
    /** A value of {@code type}. */
    public static final String TYPE_TEXT = "Text";
    /** A value of {@code type}. */
    public static final String TYPE_EMAIL = "Email";
    /** A value of {@code type}. */
    public static final String TYPE_PHONE = "Phone";
    /** A value of {@code type}. */
    public static final String TYPE_DATE = "Date";
    /** A value of {@code type}. */
    public static final String TYPE_BOOLEAN = "Boolean";
}
