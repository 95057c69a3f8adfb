// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * How far to advance the clock: one of the two members.
 */
public final class AdvanceClockRequest {

    @JsonProperty("advanceBy")
    private String advanceBy;

    @JsonProperty("advanceTo")
    private Instant advanceTo;

    /**
     * By how much: an ISO 8601 duration, at most two years. A month later is the same day of the next month, or its last one.
     *
     * @param advanceBy the new value; null leaves it out
     * @return this request
     */
    public AdvanceClockRequest advanceBy(String advanceBy) {
        this.advanceBy = advanceBy;
        return this;
    }

    /**
     * The user's new time: at most two years after the present one, and ten years ahead of real time.
     *
     * @param advanceTo the new value; null leaves it out
     * @return this request
     */
    public AdvanceClockRequest advanceTo(Instant advanceTo) {
        this.advanceTo = advanceTo;
        return this;
    }
}
