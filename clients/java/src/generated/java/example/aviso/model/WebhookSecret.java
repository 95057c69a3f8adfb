// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A secret that signs callbacks (Standard Webhooks).
 *
 * @param createdAt When the secret was created. It signs from then on.
 * @param expiresAt When the secret expires or expired; null if that is not known yet.
 * @param key whsec_ and 32 bytes in base64. Only in the response that creates the secret.
 * @param secretId Identifies the secret. The key cannot be found from it.
 * @param status Active and Expiring secrets sign. Expiring: a newer one has replaced it. Revoked: no longer signs. Known values: {@code Active}, {@code Expiring}, {@code Revoked}. More may be added: do not fail on an unknown one.
 */
public record WebhookSecret(
        @JsonProperty("createdAt") Instant createdAt,
        @JsonProperty("expiresAt") Instant expiresAt,
        @JsonProperty("key") String key,
        @JsonProperty("secretId") String secretId,
        @JsonProperty("status") String status
) {
    /** A value of {@code status}. */
    public static final String STATUS_ACTIVE = "Active";
    /** A value of {@code status}. */
    public static final String STATUS_EXPIRING = "Expiring";
    /** A value of {@code status}. */
    public static final String STATUS_REVOKED = "Revoked";
}
