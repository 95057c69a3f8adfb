// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * An account of a user at a connected bank, as we last read it.
 *
 * @param accountId Stable: neither the bank nor a reconnect nor a new connection to the same bank changes it.
 * @param accountName The bank's name for the account.
 * @param accountNumber Domestic or masked number; may be empty.
 * @param accountType What kind of account the bank says it is. Known values: {@code CurrentAccount}, {@code SavingAccount}, {@code BonusAccount}, {@code CreditCard}, {@code Loan}, {@code Mortgage}, {@code Overdraft}, {@code Investment}, {@code Insurance}, {@code Cash}, {@code General}. More may be added: do not fail on an unknown one.
 * @param balance Booked balance in major units; negative if the user owes money.
 * @param connectionInfo The connection that an account is read through.
 * @param createdAt When we read the account for the first time.
 * @param currencyCode Currency of the account and its balance (ISO 4217).
 * @param iban IBAN without spaces; empty if the account has none or the bank does not tell.
 * @param updatedAt When something about the account, such as its balance, last changed.
 */
public record Account(
        @JsonProperty("accountId") String accountId,
        @JsonProperty("accountName") String accountName,
        @JsonProperty("accountNumber") String accountNumber,
        @JsonProperty("accountType") String accountType,
        @JsonProperty("balance") BigDecimal balance,
        @JsonProperty("connectionInfo") ConnectionInfo connectionInfo,
        @JsonProperty("createdAt") Instant createdAt,
        @JsonProperty("currencyCode") String currencyCode,
        @JsonProperty("iban") String iban,
        @JsonProperty("updatedAt") Instant updatedAt
) {
    /** A value of {@code accountType}. */
    public static final String ACCOUNT_TYPE_CURRENT_ACCOUNT = "CurrentAccount";
    /** A value of {@code accountType}. */
    public static final String ACCOUNT_TYPE_SAVING_ACCOUNT = "SavingAccount";
    /** A value of {@code accountType}. */
    public static final String ACCOUNT_TYPE_BONUS_ACCOUNT = "BonusAccount";
    /** A value of {@code accountType}. */
    public static final String ACCOUNT_TYPE_CREDIT_CARD = "CreditCard";
    /** A value of {@code accountType}. */
    public static final String ACCOUNT_TYPE_LOAN = "Loan";
    /** A value of {@code accountType}. */
    public static final String ACCOUNT_TYPE_MORTGAGE = "Mortgage";
    /** A value of {@code accountType}. */
    public static final String ACCOUNT_TYPE_OVERDRAFT = "Overdraft";
    /** A value of {@code accountType}. */
    public static final String ACCOUNT_TYPE_INVESTMENT = "Investment";
    /** A value of {@code accountType}. */
    public static final String ACCOUNT_TYPE_INSURANCE = "Insurance";
    /** A value of {@code accountType}. */
    public static final String ACCOUNT_TYPE_CASH = "Cash";
    /** A value of {@code accountType}. */
    public static final String ACCOUNT_TYPE_GENERAL = "General";
}
