// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A preview of a letter.
 *
 * @param channel The channel that would be tried first. Known values: {@code Email}, {@code Mail}, {@code RegisteredMail}, {@code Fax}. More may be added: do not fail on an unknown one.
 * @param endDate Last day of the contract that the letter names. Absent if it names none.
 * @param locale Language of the letter, in the form &lt;language&gt;-&lt;COUNTRY&gt;.
 * @param pdf The letter as PDF.
 * @param replyTo The e-mail address that the organization's answer goes to. Absent if there is none.
 * @param sha256 SHA-256 of the PDF, in hexadecimal.
 */
public record CancellationLetter(
        @JsonProperty("channel") String channel,
        @JsonProperty("endDate") LocalDate endDate,
        @JsonProperty("locale") String locale,
        @JsonProperty("pdf") String pdf,
        @JsonProperty("replyTo") String replyTo,
        @JsonProperty("sha256") String sha256
) {
    /** A value of {@code channel}. */
    public static final String CHANNEL_EMAIL = "Email";
    /** A value of {@code channel}. */
    public static final String CHANNEL_MAIL = "Mail";
    /** A value of {@code channel}. */
    public static final String CHANNEL_REGISTERED_MAIL = "RegisteredMail";
    /** A value of {@code channel}. */
    public static final String CHANNEL_FAX = "Fax";
}
