// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * Which events to post, and where.
 */
public final class CreateWebhookSubscriptionRequest {

    @JsonProperty("description")
    private String description;

    @JsonProperty("events")
    private List<String> events;

    @JsonProperty("serverUrl")
    private String serverUrl;

    /**
     * Your own note. Default: empty.
     *
     * @param description the new value; null leaves it out
     * @return this request
     */
    public CreateWebhookSubscriptionRequest description(String description) {
        this.description = description;
        return this;
    }

    /**
     * Event types of GET /webhooks/v1/event-types, or only "*" for all types, including future ones.
     *
     * @param events the new value; null leaves it out
     * @return this request
     */
    public CreateWebhookSubscriptionRequest events(List<String> events) {
        this.events = events;
        return this;
    }

    /**
     * The URL to post events to: https on port 443, 8443 or 8843, in production on any port, or http on 80, 8080 or 8888.
     *
     * @param serverUrl the new value; null leaves it out
     * @return this request
     */
    public CreateWebhookSubscriptionRequest serverUrl(String serverUrl) {
        this.serverUrl = serverUrl;
        return this;
    }
}
