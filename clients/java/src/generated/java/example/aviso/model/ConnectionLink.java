// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A link that takes the user to the bank.
 *
 * @param connectionId The connection that the link is for.
 * @param expiresAt When the link expires. The user must finish before that.
 * @param redirectUrl Send the user here to authorise the connection, and nobody else: the address contains a secret, and whoever opens it can authorise.
 */
public record ConnectionLink(
        @JsonProperty("connectionId") String connectionId,
        @JsonProperty("expiresAt") Instant expiresAt,
        @JsonProperty("redirectUrl") String redirectUrl
) {
}
