// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * All of your subscriptions.
 *
 * @param subscriptions All of your subscriptions.
 */
public record WebhookSubscriptionList(
        @JsonProperty("subscriptions") List<WebhookSubscription> subscriptions
) {
}
