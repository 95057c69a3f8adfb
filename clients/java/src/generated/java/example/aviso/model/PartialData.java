// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * How much of the bank's data the last sync could not read.
 *
 * @param accounts Number of accounts whose balance or transactions could not be read in full. What was read before stays as it is.
 * @param rows How many transactions could not be read.
 * @param until When the bank's limit on an account ends. Left out if no limit is the cause, or if the bank has not named a time.
 */
public record PartialData(
        @JsonProperty("accounts") Integer accounts,
        @JsonProperty("rows") Integer rows,
        @JsonProperty("until") Instant until
) {
}
