// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The body of every JSON response that is not an error.
 *
 * @param data When a contract can end, and by when its cancellation must be sent. It is computed from terms, statutes and public holidays; it is not legal advice.
 * @param meta What a response says about itself.
 */
public record DeadlineResponse(
        @JsonProperty("data") DeadlineData data,
        @JsonProperty("meta") Meta meta
) {
}
