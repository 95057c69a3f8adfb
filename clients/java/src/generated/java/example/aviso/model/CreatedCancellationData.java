// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The cancellation or, with dryRun, the preview of its letter.
 *
 * @param cancellation Absent with dryRun.
 * @param letter Present only with dryRun.
 */
public record CreatedCancellationData(
        @JsonProperty("cancellation") Cancellation cancellation,
        @JsonProperty("letter") CancellationLetter letter
) {
}
