// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * An error of OAuth 2.0 (RFC 6749 §5.2).
 *
 * @param error What is wrong (RFC 6749 §5.2). Known values: {@code invalid_request}, {@code unsupported_grant_type}, {@code invalid_scope}, {@code invalid_client}. More may be added: do not fail on an unknown one.
 * @param errorDescription What is wrong, for the developer.
 */
public record TokenError(
        @JsonProperty("error") String error,
        @JsonProperty("error_description") String errorDescription
) {
    /** A value of {@code error}. */
    public static final String ERROR_INVALID_REQUEST = "invalid_request";
    /** A value of {@code error}. */
    public static final String ERROR_UNSUPPORTED_GRANT_TYPE = "unsupported_grant_type";
    /** A value of {@code error}. */
    public static final String ERROR_INVALID_SCOPE = "invalid_scope";
    /** A value of {@code error}. */
    public static final String ERROR_INVALID_CLIENT = "invalid_client";
}
