// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * An archive in the format ZIP.
 *
 * @param expiresAt Until when the address works.
 * @param name user.zip, banking.zip or cancellations.zip.
 * @param url The archive. Whoever has the address can read it.
 */
public record ExportFile(
        @JsonProperty("expiresAt") Instant expiresAt,
        @JsonProperty("name") String name,
        @JsonProperty("url") String url
) {
}
