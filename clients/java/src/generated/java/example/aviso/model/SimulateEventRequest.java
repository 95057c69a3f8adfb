// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The event to simulate.
 */
public final class SimulateEventRequest {

    @JsonProperty("data")
    private Map<String, Object> data;

    @JsonProperty("eventType")
    private String eventType;

    @JsonProperty("subscriptionId")
    private String subscriptionId;

    @JsonProperty("userId")
    private String userId;

    /**
     * Data that matches the type's schema. Default: the type's example.
     *
     * @param data the new value; null leaves it out
     * @return this request
     */
    public SimulateEventRequest data(Map<String, Object> data) {
        this.data = data;
        return this;
    }

    /**
     * A type of GET /webhooks/v1/event-types.
     *
     * @param eventType the new value; null leaves it out
     * @return this request
     */
    public SimulateEventRequest eventType(String eventType) {
        this.eventType = eventType;
        return this;
    }

    /**
     * Send only to this subscription. Default: all subscriptions to the type.
     *
     * @param subscriptionId the new value; null leaves it out
     * @return this request
     */
    public SimulateEventRequest subscriptionId(String subscriptionId) {
        this.subscriptionId = subscriptionId;
        return this;
    }

    /**
     * The user the event is about. Default: no user.
     *
     * @param userId the new value; null leaves it out
     * @return this request
     */
    public SimulateEventRequest userId(String userId) {
        this.userId = userId;
        return this;
    }
}
