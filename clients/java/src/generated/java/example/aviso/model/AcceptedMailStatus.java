// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The mail.
 *
 * @param status Always Accepted. Known values: {@code Accepted}. More may be added: do not fail on an unknown one.
 */
public record AcceptedMailStatus(
        @JsonProperty("status") String status
) {
    /** A value of {@code status}. */
    public static final String STATUS_ACCEPTED = "Accepted";
}
