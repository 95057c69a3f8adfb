// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * What a cancellation must look like to be valid.
 *
 * @param reason Why, for the user, in the language of the locale.
 * @param requirement Text: any text will do, whatever the contract asks for. Written: a signed letter. Registered: a registered letter or its legal equivalent. NewProvider: the new provider cancels for the user. Known values: {@code Text}, {@code Written}, {@code Registered}, {@code NewProvider}. More may be added: do not fail on an unknown one.
 */
public record RequiredForm(
        @JsonProperty("reason") String reason,
        @JsonProperty("requirement") String requirement
) {
    /** A value of {@code requirement}. */
    public static final String REQUIREMENT_TEXT = "Text";
    /** A value of {@code requirement}. */
    public static final String REQUIREMENT_WRITTEN = "Written";
    /** A value of {@code requirement}. */
    public static final String REQUIREMENT_REGISTERED = "Registered";
    /** A value of {@code requirement}. */
    public static final String REQUIREMENT_NEW_PROVIDER = "NewProvider";
}
