// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A contract found in a user's payments: payments to the same recipient at regular intervals.
 *
 * @param subscription A contract found in a user's payments: payments to the same recipient at regular intervals.
 */
public record RecurringContractData(
        @JsonProperty("subscription") RecurringContract subscription
) {
}
