// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A mail that was accepted.
 *
 * @param data The mail.
 * @param meta What a response says about itself.
 */
public record AcceptedMail(
        @JsonProperty("data") AcceptedMailData data,
        @JsonProperty("meta") Meta meta
) {
}
