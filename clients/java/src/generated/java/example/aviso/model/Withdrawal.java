// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The right to withdraw from a new contract without a reason.
 *
 * @param source The article, with the address of its official text.
 * @param until The last day to send the withdrawal, with reason.kind Withdrawal. Sending it in time is enough.
 */
public record Withdrawal(
        @JsonProperty("source") String source,
        @JsonProperty("until") LocalDate until
) {
}
