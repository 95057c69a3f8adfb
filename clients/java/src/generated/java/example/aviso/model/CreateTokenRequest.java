// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The request for a token (RFC 6749 §4.4.2).
 *
 * @param clientId Required unless sent with HTTP Basic.
 * @param clientSecret Required unless sent with HTTP Basic.
 * @param grantType The only grant.
 * @param scope A space-separated subset of the client's scopes. Default: all of them.
 */
public record CreateTokenRequest(
        @JsonProperty("client_id") String clientId,
        @JsonProperty("client_secret") String clientSecret,
        @JsonProperty("grant_type") String grantType,
        @JsonProperty("scope") String scope
) {
    /** A value of {@code grant_type}. */
    public static final String GRANT_TYPE_CLIENT_CREDENTIALS = "client_credentials";
}
