// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A transaction, and how its category was found.
 *
 * @param transaction A transaction, and how its category was found.
 */
public record TransactionData(
        @JsonProperty("transaction") TransactionDetail transaction
) {
}
