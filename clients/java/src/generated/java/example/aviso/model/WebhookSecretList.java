// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The secrets, newest first, without their keys.
 *
 * @param secrets The secrets, newest first, without their keys.
 */
public record WebhookSecretList(
        @JsonProperty("secrets") List<WebhookSecret> secrets
) {
}
