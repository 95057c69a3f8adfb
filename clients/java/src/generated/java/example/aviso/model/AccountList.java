// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * One page of the user's accounts.
 *
 * @param accounts One page of the user's accounts.
 */
public record AccountList(
        @JsonProperty("accounts") List<Account> accounts
) {
}
