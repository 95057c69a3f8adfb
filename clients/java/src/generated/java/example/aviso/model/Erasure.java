// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The erasure of a user, as it begins.
 *
 * @param erasureId The ID of the receipt. Keep it: nothing else leads to the receipt once the user is erased.
 * @param status Running until everything is deleted, then Completed. Known values: {@code Running}, {@code Completed}. More may be added: do not fail on an unknown one.
 */
public record Erasure(
        @JsonProperty("erasureId") String erasureId,
        @JsonProperty("status") String status
) {
    /** A value of {@code status}. */
    public static final String STATUS_RUNNING = "Running";
    /** A value of {@code status}. */
    public static final String STATUS_COMPLETED = "Completed";
}
