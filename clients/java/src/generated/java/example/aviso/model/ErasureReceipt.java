// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The receipt of an erasure. It has no personal data.
 *
 * @param completedAt Absent while the erasure is running.
 * @param counts How much was erased, by kind. We may add kinds. Final when the status is Completed.
 * @param erasureId The ID that the erasure returned.
 * @param requestedAt When calls stopped finding the user.
 * @param status Running until everything is deleted, then Completed. Known values: {@code Running}, {@code Completed}. More may be added: do not fail on an unknown one.
 */
public record ErasureReceipt(
        @JsonProperty("completedAt") Instant completedAt,
        @JsonProperty("counts") Map<String, Integer> counts,
        @JsonProperty("erasureId") String erasureId,
        @JsonProperty("requestedAt") Instant requestedAt,
        @JsonProperty("status") String status
) {
    /** A value of {@code status}. */
    public static final String STATUS_RUNNING = "Running";
    /** A value of {@code status}. */
    public static final String STATUS_COMPLETED = "Completed";
}
