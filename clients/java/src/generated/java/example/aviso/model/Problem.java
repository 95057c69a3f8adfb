// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The body of every error (RFC 9457). Decide by code; title and detail are for people.
 *
 * @param cancellationId With already_cancelled: the existing cancellation.
 * @param code Machine-readable reason. type is the address of a page about it. Known values: {@code already_cancelled}, {@code cancellation_not_withdrawable}, {@code conflict}, {@code connection_not_active}, {@code external_identifier_reused}, {@code extra_consent_required}, {@code form_not_supported}, {@code idempotency_in_progress}, {@code idempotency_key_reused}, {@code insufficient_scope}, {@code internal_error}, {@code invalid_next_token}, {@code locale_not_supported}, {@code malformed_request}, {@code method_not_allowed}, {@code not_available_in_production}, {@code not_found}, {@code payload_too_large}, {@code provider_not_available}, {@code range_too_large}, {@code rate_limited}, {@code reason_not_available}, {@code refresh_in_progress}, {@code refresh_too_early}, {@code return_url_not_registered}, {@code subscription_not_listening}, {@code supplier_error}, {@code template_mismatch}, {@code temporarily_unavailable}, {@code terms_not_accepted}, {@code unauthorized}, {@code unsupported_media_type}, {@code user_id_required}, {@code user_not_found}, {@code validation_failed}. More may be added: do not fail on an unknown one.
 * @param detail What went wrong this time. Never contains a submitted value.
 * @param errors The reasons, mostly invalid parts of the request.
 * @param nextRefreshPossibleAt With refresh_too_early: when the next refresh is possible.
 * @param objectionId With conflict of sendObjection: the existing objection to these debits.
 * @param status The HTTP status.
 * @param title The meaning of the code. Always the same for a code.
 * @param traceId Equals X-Request-Id. Quote it when you contact support.
 * @param type A page that explains the code.
 */
public record Problem(
        @JsonProperty("cancellationId") String cancellationId,
        @JsonProperty("code") String code,
        @JsonProperty("detail") String detail,
        @JsonProperty("errors") List<ProblemField> errors,
        @JsonProperty("nextRefreshPossibleAt") Instant nextRefreshPossibleAt,
        @JsonProperty("objectionId") String objectionId,
        @JsonProperty("status") Integer status,
        @JsonProperty("title") String title,
        @JsonProperty("traceId") String traceId,
        @JsonProperty("type") String type
) {
    /** A value of {@code code}. */
    public static final String CODE_ALREADY_CANCELLED = "already_cancelled";
    /** A value of {@code code}. */
    public static final String CODE_CANCELLATION_NOT_WITHDRAWABLE = "cancellation_not_withdrawable";
    /** A value of {@code code}. */
    public static final String CODE_CONFLICT = "conflict";
    /** A value of {@code code}. */
    public static final String CODE_CONNECTION_NOT_ACTIVE = "connection_not_active";
    /** A value of {@code code}. */
    public static final String CODE_EXTERNAL_IDENTIFIER_REUSED = "external_identifier_reused";
    /** A value of {@code code}. */
    public static final String CODE_EXTRA_CONSENT_REQUIRED = "extra_consent_required";
    /** A value of {@code code}. */
    public static final String CODE_FORM_NOT_SUPPORTED = "form_not_supported";
    /** A value of {@code code}. */
    public static final String CODE_IDEMPOTENCY_IN_PROGRESS = "idempotency_in_progress";
    /** A value of {@code code}. */
    public static final String CODE_IDEMPOTENCY_KEY_REUSED = "idempotency_key_reused";
    /** A value of {@code code}. */
    public static final String CODE_INSUFFICIENT_SCOPE = "insufficient_scope";
    /** A value of {@code code}. */
    public static final String CODE_INTERNAL_ERROR = "internal_error";
    /** A value of {@code code}. */
    public static final String CODE_INVALID_NEXT_TOKEN = "invalid_next_token";
    /** A value of {@code code}. */
    public static final String CODE_LOCALE_NOT_SUPPORTED = "locale_not_supported";
    /** A value of {@code code}. */
    public static final String CODE_MALFORMED_REQUEST = "malformed_request";
    /** A value of {@code code}. */
    public static final String CODE_METHOD_NOT_ALLOWED = "method_not_allowed";
    /** A value of {@code code}. */
    public static final String CODE_NOT_AVAILABLE_IN_PRODUCTION = "not_available_in_production";
    /** A value of {@code code}. */
    public static final String CODE_NOT_FOUND = "not_found";
    /** A value of {@code code}. */
    public static final String CODE_PAYLOAD_TOO_LARGE = "payload_too_large";
    /** A value of {@code code}. */
    public static final String CODE_PROVIDER_NOT_AVAILABLE = "provider_not_available";
    /** A value of {@code code}. */
    public static final String CODE_RANGE_TOO_LARGE = "range_too_large";
    /** A value of {@code code}. */
    public static final String CODE_RATE_LIMITED = "rate_limited";
    /** A value of {@code code}. */
    public static final String CODE_REASON_NOT_AVAILABLE = "reason_not_available";
    /** A value of {@code code}. */
    public static final String CODE_REFRESH_IN_PROGRESS = "refresh_in_progress";
    /** A value of {@code code}. */
    public static final String CODE_REFRESH_TOO_EARLY = "refresh_too_early";
    /** A value of {@code code}. */
    public static final String CODE_RETURN_URL_NOT_REGISTERED = "return_url_not_registered";
    /** A value of {@code code}. */
    public static final String CODE_SUBSCRIPTION_NOT_LISTENING = "subscription_not_listening";
    /** A value of {@code code}. */
    public static final String CODE_SUPPLIER_ERROR = "supplier_error";
    /** A value of {@code code}. */
    public static final String CODE_TEMPLATE_MISMATCH = "template_mismatch";
    /** A value of {@code code}. */
    public static final String CODE_TEMPORARILY_UNAVAILABLE = "temporarily_unavailable";
    /** A value of {@code code}. */
    public static final String CODE_TERMS_NOT_ACCEPTED = "terms_not_accepted";
    /** A value of {@code code}. */
    public static final String CODE_UNAUTHORIZED = "unauthorized";
    /** A value of {@code code}. */
    public static final String CODE_UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type";
    /** A value of {@code code}. */
    public static final String CODE_USER_ID_REQUIRED = "user_id_required";
    /** A value of {@code code}. */
    public static final String CODE_USER_NOT_FOUND = "user_not_found";
    /** A value of {@code code}. */
    public static final String CODE_VALIDATION_FAILED = "validation_failed";
}
