// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * What to change about a subscription.
 */
public final class UpdateWebhookSubscriptionRequest {

    @JsonProperty("description")
    private String description;

    @JsonProperty("events")
    private List<String> events;

    @JsonProperty("serverUrl")
    private String serverUrl;

    /**
     * Your own note.
     *
     * @param description the new value; null leaves it out
     * @return this request
     */
    public UpdateWebhookSubscriptionRequest description(String description) {
        this.description = description;
        return this;
    }

    /**
     * The event types, instead of the earlier ones.
     *
     * @param events the new value; null leaves it out
     * @return this request
     */
    public UpdateWebhookSubscriptionRequest events(List<String> events) {
        this.events = events;
        return this;
    }

    /**
     * Where to post events.
     *
     * @param serverUrl the new value; null leaves it out
     * @return this request
     */
    public UpdateWebhookSubscriptionRequest serverUrl(String serverUrl) {
        this.serverUrl = serverUrl;
        return this;
    }
}
