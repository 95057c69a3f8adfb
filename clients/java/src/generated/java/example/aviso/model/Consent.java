// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * What a user was told and answered on our consent page, and what happened to it.
 *
 * @param accountIds The accounts that the user chose at the bank, as the first sync found them.
 * @param answeredAt When the user pressed a button.
 * @param authorisedAt When the bank authorised the consent.
 * @param connectionId The connection that the user agreed to.
 * @param consentId Identifies the record.
 * @param consentStatus Given: the user agreed, and has not finished at the bank. Active: the bank is read with it. Declined: the user left. Unused: the user did not finish at the bank, or none of the known accounts came. Expired: its time was up. Revoked: ended at the bank. Replaced: by a newer one. Withdrawn: the connection was deleted. Erased: the user was erased. Known values: {@code Given}, {@code Active}, {@code Declined}, {@code Unused}, {@code Expired}, {@code Revoked}, {@code Replaced}, {@code Withdrawn}, {@code Erased}. More may be added: do not fail on an unknown one.
 * @param endedAt When the consent ended, or was declined.
 * @param languageCode Language of the text (ISO 639-1).
 * @param providerId The bank.
 * @param providerName The bank's name.
 * @param text What the page said, in the user's language, one paragraph a line.
 * @param textSha256 SHA-256 of the text in UTF-8, in hexadecimal.
 * @param textVersion Version of the wording, apart from names and days.
 * @param validUntil When the consent ends by itself.
 */
public record Consent(
        @JsonProperty("accountIds") List<String> accountIds,
        @JsonProperty("answeredAt") Instant answeredAt,
        @JsonProperty("authorisedAt") Instant authorisedAt,
        @JsonProperty("connectionId") String connectionId,
        @JsonProperty("consentId") String consentId,
        @JsonProperty("consentStatus") String consentStatus,
        @JsonProperty("endedAt") Instant endedAt,
        @JsonProperty("languageCode") String languageCode,
        @JsonProperty("providerId") String providerId,
        @JsonProperty("providerName") String providerName,
        @JsonProperty("text") String text,
        @JsonProperty("textSha256") String textSha256,
        @JsonProperty("textVersion") Integer textVersion,
        @JsonProperty("validUntil") Instant validUntil
) {
    /** A value of {@code consentStatus}. */
    public static final String CONSENT_STATUS_GIVEN = "Given";
    /** A value of {@code consentStatus}. */
    public static final String CONSENT_STATUS_ACTIVE = "Active";
    /** A value of {@code consentStatus}. */
    public static final String CONSENT_STATUS_DECLINED = "Declined";
    /** A value of {@code consentStatus}. */
    public static final String CONSENT_STATUS_UNUSED = "Unused";
    /** A value of {@code consentStatus}. */
    public static final String CONSENT_STATUS_EXPIRED = "Expired";
    /** A value of {@code consentStatus}. */
    public static final String CONSENT_STATUS_REVOKED = "Revoked";
    /** A value of {@code consentStatus}. */
    public static final String CONSENT_STATUS_REPLACED = "Replaced";
    /** A value of {@code consentStatus}. */
    public static final String CONSENT_STATUS_WITHDRAWN = "Withdrawn";
    /** A value of {@code consentStatus}. */
    public static final String CONSENT_STATUS_ERASED = "Erased";
}
