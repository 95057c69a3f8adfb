// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The carrier reported a delay, and still tries to deliver the letter. The status does not change.
 *
 * @param at When it was first reported.
 * @param reason The carrier's code, such as MailboxFull.
 */
public record LetterDelay(
        @JsonProperty("at") Instant at,
        @JsonProperty("reason") String reason
) {
}
