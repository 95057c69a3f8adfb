// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The clock of a sandbox's user.
 *
 * @param advancedTo The time to which the clock was last advanced, or is being advanced. Absent if never.
 * @param now The user's present time. While the clock is being advanced, it is the time up to which everything has happened.
 * @param status Advancing until everything that was due has happened, then Ready. Known values: {@code Ready}, {@code Advancing}. More may be added: do not fail on an unknown one.
 * @param userId The user.
 */
public record Clock(
        @JsonProperty("advancedTo") Instant advancedTo,
        @JsonProperty("now") Instant now,
        @JsonProperty("status") String status,
        @JsonProperty("userId") String userId
) {
    /** A value of {@code status}. */
    public static final String STATUS_READY = "Ready";
    /** A value of {@code status}. */
    public static final String STATUS_ADVANCING = "Advancing";
}
