// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * When the contract began.
 *
 * @param date First day of the contract.
 * @param source FirstPayment: a guess, the day of the first known payment. User: what the user said. Known values: {@code FirstPayment}, {@code User}. More may be added: do not fail on an unknown one.
 */
public record ContractStart(
        @JsonProperty("date") LocalDate date,
        @JsonProperty("source") String source
) {
    /** A value of {@code source}. */
    public static final String SOURCE_FIRST_PAYMENT = "FirstPayment";
    /** A value of {@code source}. */
    public static final String SOURCE_USER = "User";
}
