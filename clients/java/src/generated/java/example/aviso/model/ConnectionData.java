// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A user's connection to a bank: the consent to read accounts there.
 *
 * @param connection A user's connection to a bank: the consent to read accounts there.
 */
public record ConnectionData(
        @JsonProperty("connection") Connection connection
) {
}
