// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The data of connection.action_required.
 *
 * @param connectionId The connection.
 * @param connectionStatus The connection's status. Known values: {@code ActionRequired}. More may be added: do not fail on an unknown one.
 * @param providerId The connection's bank.
 * @param statusReason The reason for the status; empty if there is none.
 */
public record ConnectionActionRequiredEventData(
        @JsonProperty("connectionId") String connectionId,
        @JsonProperty("connectionStatus") String connectionStatus,
        @JsonProperty("providerId") String providerId,
        @JsonProperty("statusReason") String statusReason
) {
    /** A value of {@code connectionStatus}. */
    public static final String CONNECTION_STATUS_ACTION_REQUIRED = "ActionRequired";
}
