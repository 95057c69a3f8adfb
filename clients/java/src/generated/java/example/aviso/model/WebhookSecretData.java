// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A secret that signs callbacks (Standard Webhooks).
 *
 * @param secret A secret that signs callbacks (Standard Webhooks).
 */
public record WebhookSecretData(
        @JsonProperty("secret") WebhookSecret secret
) {
}
