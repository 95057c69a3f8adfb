// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A user's connection to a bank: the consent to read accounts there.
 *
 * @param connectionId Identifies the connection. A reconnect does not change it.
 * @param connectionStatus Pending: the user has not authorised yet. Active: we read the bank. ActionRequired: reconnect. Failed, Expired, Revoked: no consent. Known values: {@code Pending}, {@code Active}, {@code ActionRequired}, {@code Failed}, {@code Expired}, {@code Revoked}. More may be added: do not fail on an unknown one.
 * @param consentExpiresAt When the consent expires, or when it ended; 0001-01-01T00:00:00Z if unknown.
 * @param createdAt When the connection was created.
 * @param isActive Whether connectionStatus is Active.
 * @param lastSuccessAt When we last read all accounts; 0001-01-01T00:00:00Z before the first time.
 * @param nextRefreshPossibleAt The earliest time for a refresh with the user; 0001-01-01T00:00:00Z if unknown.
 * @param partialData Bank data that the last sync could not read. Only if statusReason is PartialData.
 * @param providerId The bank.
 * @param providerName The bank's name.
 * @param statusReason Why the connection has this status; empty if there is nothing to report. The guide to errors says what each means and what to do. Known values: {@code PartiallyAuthorised}, {@code LinkExpired}, {@code UserCancelled}, {@code AuthorisationFailed}, {@code ConsentExpired}, {@code ConsentRevoked}, {@code ConsentReplaced}, {@code TermsNotAccepted}, {@code PartialData}, {@code AccountsMismatch}, {@code SupplierUnavailable}, {@code SupplierRateLimited}, {@code SupplierInvalidResponse}, {@code SupplierRejected}, {@code SupplierConsentInvalid}, {@code SupplierConsentExpired}, {@code SupplierConsentUnknown}, {@code InternalError}. More may be added: do not fail on an unknown one.
 */
public record Connection(
        @JsonProperty("connectionId") String connectionId,
        @JsonProperty("connectionStatus") String connectionStatus,
        @JsonProperty("consentExpiresAt") Instant consentExpiresAt,
        @JsonProperty("createdAt") Instant createdAt,
        @JsonProperty("isActive") Boolean isActive,
        @JsonProperty("lastSuccessAt") Instant lastSuccessAt,
        @JsonProperty("nextRefreshPossibleAt") Instant nextRefreshPossibleAt,
        @JsonProperty("partialData") PartialData partialData,
        @JsonProperty("providerId") String providerId,
        @JsonProperty("providerName") String providerName,
        @JsonProperty("statusReason") String statusReason
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
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON = "";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_PARTIALLY_AUTHORISED = "PartiallyAuthorised";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_LINK_EXPIRED = "LinkExpired";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_USER_CANCELLED = "UserCancelled";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_AUTHORISATION_FAILED = "AuthorisationFailed";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_CONSENT_EXPIRED = "ConsentExpired";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_CONSENT_REVOKED = "ConsentRevoked";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_CONSENT_REPLACED = "ConsentReplaced";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_TERMS_NOT_ACCEPTED = "TermsNotAccepted";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_PARTIAL_DATA = "PartialData";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_ACCOUNTS_MISMATCH = "AccountsMismatch";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_SUPPLIER_UNAVAILABLE = "SupplierUnavailable";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_SUPPLIER_RATE_LIMITED = "SupplierRateLimited";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_SUPPLIER_INVALID_RESPONSE = "SupplierInvalidResponse";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_SUPPLIER_REJECTED = "SupplierRejected";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_SUPPLIER_CONSENT_INVALID = "SupplierConsentInvalid";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_SUPPLIER_CONSENT_EXPIRED = "SupplierConsentExpired";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_SUPPLIER_CONSENT_UNKNOWN = "SupplierConsentUnknown";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_INTERNAL_ERROR = "InternalError";
}
