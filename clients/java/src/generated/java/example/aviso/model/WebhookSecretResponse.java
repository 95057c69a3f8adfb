// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The body of every JSON response that is not an error.
 *
 * @param data A secret that signs callbacks (Standard Webhooks).
 * @param meta What a response says about itself.
 */
public record WebhookSecretResponse(
        @JsonProperty("data") WebhookSecretData data,
        @JsonProperty("meta") Meta meta
) {
}
