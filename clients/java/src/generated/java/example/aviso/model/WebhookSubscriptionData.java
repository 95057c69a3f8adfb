// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A subscription to events, and whether it receives them.
 *
 * @param subscription A subscription to events, and whether it receives them.
 */
public record WebhookSubscriptionData(
        @JsonProperty("subscription") WebhookSubscription subscription
) {
}
