// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A bank that users can connect.
 *
 * @param automaticFetch Whether accounts are refreshed without the user. Absent means no.
 * @param countryCode Country of the bank (ISO 3166-1 alpha-2), in upper case.
 * @param id Identifies the bank when you connect it.
 * @param logo Address of the bank's logo, an image.
 * @param maxConsentDays For how many days a consent is valid at most. Then the user has to authorise again.
 * @param maxFetchInterval How many days of history the bank provides.
 * @param meta More about the provider. supplier is Xs2a if we call the bank ourselves, Aggregator if an aggregator does. scaApproaches says how its users authorise, separated by commas: Redirect, OAuth2, Decoupled. bic and bankCode are the bank's codes, separated by commas if there are several.
 * @param name The bank's name, for the user.
 * @param refreshTimeoutMinutes The minutes that must pass between two refreshes.
 * @param regulated Whether we reach the bank through its PSD2 interface.
 * @param status Only Active banks can be connected. Inactive: for the time being not. Disabled: no longer. Known values: {@code Active}, {@code Inactive}, {@code Disabled}. More may be added: do not fail on an unknown one.
 * @param supportedAccountTypes The kinds of accounts that the bank shares.
 * @param timezone Time zone of the bank (IANA), such as Europe/Berlin.
 */
public record Provider(
        @JsonProperty("automaticFetch") Boolean automaticFetch,
        @JsonProperty("countryCode") String countryCode,
        @JsonProperty("id") String id,
        @JsonProperty("logo") String logo,
        @JsonProperty("maxConsentDays") Integer maxConsentDays,
        @JsonProperty("maxFetchInterval") Integer maxFetchInterval,
        @JsonProperty("meta") Map<String, String> meta,
        @JsonProperty("name") String name,
        @JsonProperty("refreshTimeoutMinutes") Integer refreshTimeoutMinutes,
        @JsonProperty("regulated") Boolean regulated,
        @JsonProperty("status") String status,
        @JsonProperty("supportedAccountTypes") List<String> supportedAccountTypes,
        @JsonProperty("timezone") String timezone
) {
    /** A value of {@code status}. */
    public static final String STATUS_ACTIVE = "Active";
    /** A value of {@code status}. */
    public static final String STATUS_INACTIVE = "Inactive";
    /** A value of {@code status}. */
    public static final String STATUS_DISABLED = "Disabled";
    /** A value of {@code supportedAccountTypes}. */
    public static final String SUPPORTED_ACCOUNT_TYPES_CURRENT_ACCOUNT = "CurrentAccount";
    /** A value of {@code supportedAccountTypes}. */
    public static final String SUPPORTED_ACCOUNT_TYPES_SAVING_ACCOUNT = "SavingAccount";
    /** A value of {@code supportedAccountTypes}. */
    public static final String SUPPORTED_ACCOUNT_TYPES_BONUS_ACCOUNT = "BonusAccount";
    /** A value of {@code supportedAccountTypes}. */
    public static final String SUPPORTED_ACCOUNT_TYPES_CREDIT_CARD = "CreditCard";
    /** A value of {@code supportedAccountTypes}. */
    public static final String SUPPORTED_ACCOUNT_TYPES_LOAN = "Loan";
    /** A value of {@code supportedAccountTypes}. */
    public static final String SUPPORTED_ACCOUNT_TYPES_MORTGAGE = "Mortgage";
    /** A value of {@code supportedAccountTypes}. */
    public static final String SUPPORTED_ACCOUNT_TYPES_OVERDRAFT = "Overdraft";
    /** A value of {@code supportedAccountTypes}. */
    public static final String SUPPORTED_ACCOUNT_TYPES_INVESTMENT = "Investment";
    /** A value of {@code supportedAccountTypes}. */
    public static final String SUPPORTED_ACCOUNT_TYPES_INSURANCE = "Insurance";
    /** A value of {@code supportedAccountTypes}. */
    public static final String SUPPORTED_ACCOUNT_TYPES_CASH = "Cash";
    /** A value of {@code supportedAccountTypes}. */
    public static final String SUPPORTED_ACCOUNT_TYPES_GENERAL = "General";
}
