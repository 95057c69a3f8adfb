// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * All data of a user, to download.
 *
 * @param expiresAt Until when getExport returns new links.
 * @param exportId Identifies the export. Opaque.
 * @param files One archive for each scope of the access token.
 * @param status Ready at once. Known values: {@code Ready}. More may be added: do not fail on an unknown one.
 */
public record Export(
        @JsonProperty("expiresAt") Instant expiresAt,
        @JsonProperty("exportId") String exportId,
        @JsonProperty("files") List<ExportFile> files,
        @JsonProperty("status") String status
) {
    /** A value of {@code status}. */
    public static final String STATUS_READY = "Ready";
}
