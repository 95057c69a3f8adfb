// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The contracts, the largest yearly cost first.
 *
 * @param subscriptions The contracts, the largest yearly cost first.
 */
public record RecurringContractList(
        @JsonProperty("subscriptions") List<RecurringContract> subscriptions
) {
}
