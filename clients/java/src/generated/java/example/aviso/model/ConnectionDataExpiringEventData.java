// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The data of connection.data_expiring.
 *
 * @param connectionId The connection.
 * @param connectionStatus The connection's status. Known values: {@code Expired}, {@code Revoked}, {@code Failed}. More may be added: do not fail on an unknown one.
 * @param dataExpiresAt When the connection and its data are deleted.
 * @param providerId The connection's bank.
 * @param statusReason The reason for the status; empty if there is none.
 */
public record ConnectionDataExpiringEventData(
        @JsonProperty("connectionId") String connectionId,
        @JsonProperty("connectionStatus") String connectionStatus,
        @JsonProperty("dataExpiresAt") Instant dataExpiresAt,
        @JsonProperty("providerId") String providerId,
        @JsonProperty("statusReason") String statusReason
) {
    /** A value of {@code connectionStatus}. */
    public static final String CONNECTION_STATUS_EXPIRED = "Expired";
    /** A value of {@code connectionStatus}. */
    public static final String CONNECTION_STATUS_REVOKED = "Revoked";
    /** A value of {@code connectionStatus}. */
    public static final String CONNECTION_STATUS_FAILED = "Failed";
}
