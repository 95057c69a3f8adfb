// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The connection that an account is read through.
 *
 * @param bankLogoUrl Address of the bank's logo, an image.
 * @param bankName The bank's name.
 * @param connectionId The connection that holds the account.
 * @param connectionStatus Status of the connection. If it is not Active, the account keeps what was read last. Known values: {@code Pending}, {@code Active}, {@code ActionRequired}, {@code Failed}, {@code Expired}, {@code Revoked}. More may be added: do not fail on an unknown one.
 * @param consentExpiresAt When the consent expires, or when it ended; 0001-01-01T00:00:00Z if unknown.
 * @param isActive Whether connectionStatus is Active, so that we can read the account.
 * @param isInteractive Whether we can read the account only after the user has authorised again.
 * @param lastSuccessAt When we last read all of the connection's accounts; 0001-01-01T00:00:00Z before the first time.
 * @param nextRefreshPossibleAt The earliest time for a refresh with the user; 0001-01-01T00:00:00Z if unknown.
 */
public record ConnectionInfo(
        @JsonProperty("bankLogoUrl") String bankLogoUrl,
        @JsonProperty("bankName") String bankName,
        @JsonProperty("connectionId") String connectionId,
        @JsonProperty("connectionStatus") String connectionStatus,
        @JsonProperty("consentExpiresAt") Instant consentExpiresAt,
        @JsonProperty("isActive") Boolean isActive,
        @JsonProperty("isInteractive") Boolean isInteractive,
        @JsonProperty("lastSuccessAt") Instant lastSuccessAt,
        @JsonProperty("nextRefreshPossibleAt") Instant nextRefreshPossibleAt
) {
    /** A value of {@code connectionStatus}. */
    public static final String CONNECTION_STATUS_PENDING = "Pending";
    /** A value of {@code connectionStatus}. */
    public static final String CONNECTION_STATUS_ACTIVE = "Active";
    /** A value of {@code connectionStatus}. */
    public static final String CONNECTION_STATUS_ACTION_REQUIRED = "ActionRequired";
    /** A value of {@code connectionStatus}. */
    public static final String CONNECTION_STATUS_FAILED = "Failed";
    /** A value of {@code connectionStatus}. */
    public static final String CONNECTION_STATUS_EXPIRED = "Expired";
    /** A value of {@code connectionStatus}. */
    public static final String CONNECTION_STATUS_REVOKED = "Revoked";
}
