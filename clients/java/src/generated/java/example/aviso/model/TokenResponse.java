// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * An access token (RFC 6749 §5.1).
 *
 * @param accessToken Send it as Authorization: Bearer &lt;token&gt;. A JWT (RFC 9068), but do not read it.
 * @param expiresIn For how many seconds the token is valid. Get a new one shortly before.
 * @param scope The granted scopes, separated by spaces.
 * @param tokenType How to send the token. Known values: {@code Bearer}. More may be added: do not fail on an unknown one.
 */
public record TokenResponse(
        @JsonProperty("access_token") String accessToken,
        @JsonProperty("expires_in") Integer expiresIn,
        @JsonProperty("scope") String scope,
        @JsonProperty("token_type") String tokenType
) {
    /** A value of {@code token_type}. */
    public static final String TOKEN_TYPE_BEARER = "Bearer";
}
