// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The organization's answer.
 */
public final class UpdateCancellationOutcomeRequest {
    /** A value of {@code status}. */
    public static final String STATUS_CONFIRMED = "Confirmed";
    /** A value of {@code status}. */
    public static final String STATUS_REJECTED = "Rejected";

    @JsonProperty("endDate")
    private LocalDate endDate;

    @JsonProperty("status")
    private String status;

    @JsonProperty("statusReason")
    private String statusReason;

    /**
     * Last day of the contract, for Confirmed; absent if unknown.
     *
     * @param endDate the new value; null leaves it out
     * @return this request
     */
    public UpdateCancellationOutcomeRequest endDate(LocalDate endDate) {
        this.endDate = endDate;
        return this;
    }

    /**
     * Whether the organization accepts the cancellation.
     *
     * @param status the new value; null leaves it out
     * @return this request
     */
    public UpdateCancellationOutcomeRequest status(String status) {
        this.status = status;
        return this;
    }

    /**
     * 
     *
     * @param statusReason the new value; null leaves it out
     * @return this request
     */
    public UpdateCancellationOutcomeRequest statusReason(String statusReason) {
        this.statusReason = statusReason;
        return this;
    }
}
