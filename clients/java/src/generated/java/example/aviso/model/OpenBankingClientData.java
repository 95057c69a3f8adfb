// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A client of the deprecated operation. Nothing else uses it.
 *
 * @param client A client of the deprecated operation. Nothing else uses it.
 */
public record OpenBankingClientData(
        @JsonProperty("client") OpenBankingClient client
) {
}
