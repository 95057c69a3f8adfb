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
 * @param data All data of a user, to download.
 * @param meta What a response says about itself.
 */
public record ExportResponse(
        @JsonProperty("data") ExportData data,
        @JsonProperty("meta") Meta meta
) {
}
