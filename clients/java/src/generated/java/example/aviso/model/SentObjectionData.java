// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The objection or, with dryRun, the preview of its letter.
 *
 * @param letter Present only with dryRun.
 * @param objection Absent with dryRun.
 */
public record SentObjectionData(
        @JsonProperty("letter") CancellationLetter letter,
        @JsonProperty("objection") Objection objection
) {
}
