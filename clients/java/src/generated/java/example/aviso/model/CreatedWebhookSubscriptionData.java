// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A new subscription and its first secret.
 *
 * @param secret The first secret. Store its key now: no other response has it.
 * @param subscription A subscription to events, and whether it receives them.
 */
public record CreatedWebhookSubscriptionData(
        @JsonProperty("secret") WebhookSecret secret,
        @JsonProperty("subscription") WebhookSubscription subscription
) {
}
