// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The new status.
 */
public final class UpdateWebhookSubscriptionStatusRequest {
    /** A value of {@code status}. */
    public static final String STATUS_ACTIVE = "Active";
    /** A value of {@code status}. */
    public static final String STATUS_PAUSED = "Paused";

    @JsonProperty("status")
    private String status;

    /**
     * Disabled cannot be set: it is set by the operator, or automatically after failures.
     *
     * @param status the new value; null leaves it out
     * @return this request
     */
    public UpdateWebhookSubscriptionStatusRequest status(String status) {
        this.status = status;
        return this;
    }
}
