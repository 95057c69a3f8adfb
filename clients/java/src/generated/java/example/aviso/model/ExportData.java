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
 * @param export All data of a user, to download.
 */
public record ExportData(
        @JsonProperty("export") Export export
) {
}
