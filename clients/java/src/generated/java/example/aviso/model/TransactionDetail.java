// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A transaction, and how its category was found.
 *
 * @param account The account that the transaction is on.
 * @param amount In major units of currencyCode; negative for an expense.
 * @param category What the money was for, found by rules or chosen by the user.
 * @param categorySource How the category was found: by the user (Override), between own accounts (OwnTransfer), by the bank's code, the merchant, the merchant category code (Mcc) or a word (Keyword), or not at all (None). Known values: {@code Override}, {@code OwnTransfer}, {@code BankCode}, {@code Merchant}, {@code Mcc}, {@code Keyword}, {@code None}. More may be added: do not fail on an unknown one.
 * @param createdAt When we read the transaction for the first time.
 * @param currencyCode ISO 4217.
 * @param id Never changes, not even when a pending transaction is booked.
 * @param merchant Who the money went to or came from: the merchant, or the counterparty if the merchant is unknown, with its name as a person would write it. The name is empty for cash, between the user's own accounts, and if the row names nobody. The ID of a counterparty follows from its name; those without a name share one.
 * @param note The bank's text for the transaction.
 * @param payee The counterparty's account: an IBAN or another number; empty if the bank does not tell.
 * @param paymentType How it was paid, as far as the bank tells. Known values: {@code Cash}, {@code DebitCard}, {@code CreditCard}, {@code Transfer}, {@code Voucher}, {@code MobilePayment}, {@code WebPayment}. More may be added: do not fail on an unknown one.
 * @param recordDate The day it was booked or is expected to be booked; the time part is zero.
 * @param recordState Cleared: booked. Uncleared: pending. Void: a pending transaction that vanished, or a booked one that the bank has withdrawn; leave it out of sums. Known values: {@code Cleared}, {@code Uncleared}, {@code Void}. More may be added: do not fail on an unknown one.
 * @param recordType Whether money came in (Income) or went out (Expense). Known values: {@code Income}, {@code Expense}. More may be added: do not fail on an unknown one.
 * @param recurrenceFrequency How often the payment recurs; Once if it is not known to recur. Known values: {@code Once}, {@code Weekly}, {@code BiWeekly}, {@code Monthly}, {@code Quarterly}, {@code SemiAnnually}, {@code Annually}. More may be added: do not fail on an unknown one.
 * @param ruleId The rule that found it; empty if no rule did.
 * @param subscription Whether the transaction is a payment of a recurring contract.
 * @param updatedAt When something about the transaction last changed.
 */
public record TransactionDetail(
        @JsonProperty("account") Reference account,
        @JsonProperty("amount") BigDecimal amount,
        @JsonProperty("category") Category category,
        @JsonProperty("categorySource") String categorySource,
        @JsonProperty("createdAt") Instant createdAt,
        @JsonProperty("currencyCode") String currencyCode,
        @JsonProperty("id") String id,
        @JsonProperty("merchant") Reference merchant,
        @JsonProperty("note") String note,
        @JsonProperty("payee") String payee,
        @JsonProperty("paymentType") String paymentType,
        @JsonProperty("recordDate") Instant recordDate,
        @JsonProperty("recordState") String recordState,
        @JsonProperty("recordType") String recordType,
        @JsonProperty("recurrenceFrequency") String recurrenceFrequency,
        @JsonProperty("ruleId") String ruleId,
        @JsonProperty("subscription") Boolean subscription,
        @JsonProperty("updatedAt") Instant updatedAt
) {
    /** A value of {@code categorySource}. */
    public static final String CATEGORY_SOURCE_OVERRIDE = "Override";
    /** A value of {@code categorySource}. */
    public static final String CATEGORY_SOURCE_OWN_TRANSFER = "OwnTransfer";
    /** A value of {@code categorySource}. */
    public static final String CATEGORY_SOURCE_BANK_CODE = "BankCode";
    /** A value of {@code categorySource}. */
    public static final String CATEGORY_SOURCE_MERCHANT = "Merchant";
    /** A value of {@code categorySource}. */
    public static final String CATEGORY_SOURCE_MCC = "Mcc";
    /** A value of {@code categorySource}. */
    public static final String CATEGORY_SOURCE_KEYWORD = "Keyword";
    /** A value of {@code categorySource}. */
    public static final String CATEGORY_SOURCE_NONE = "None";
    /** A value of {@code paymentType}. */
    public static final String PAYMENT_TYPE_CASH = "Cash";
    /** A value of {@code paymentType}. */
    public static final String PAYMENT_TYPE_DEBIT_CARD = "DebitCard";
    /** A value of {@code paymentType}. */
    public static final String PAYMENT_TYPE_CREDIT_CARD = "CreditCard";
    /** A value of {@code paymentType}. */
    public static final String PAYMENT_TYPE_TRANSFER = "Transfer";
    /** A value of {@code paymentType}. */
    public static final String PAYMENT_TYPE_VOUCHER = "Voucher";
    /** A value of {@code paymentType}. */
    public static final String PAYMENT_TYPE_MOBILE_PAYMENT = "MobilePayment";
    /** A value of {@code paymentType}. */
    public static final String PAYMENT_TYPE_WEB_PAYMENT = "WebPayment";
    /** A value of {@code recordState}. */
    public static final String RECORD_STATE_CLEARED = "Cleared";
    /** A value of {@code recordState}. */
    public static final String RECORD_STATE_UNCLEARED = "Uncleared";
    /** A value of {@code recordState}. */
    public static final String RECORD_STATE_VOID = "Void";
    /** A value of {@code recordType}. */
    public static final String RECORD_TYPE_INCOME = "Income";
    /** A value of {@code recordType}. */
    public static final String RECORD_TYPE_EXPENSE = "Expense";
    /** A value of {@code recurrenceFrequency}. */
    public static final String RECURRENCE_FREQUENCY_ONCE = "Once";
    /** A value of {@code recurrenceFrequency}. */
    public static final String RECURRENCE_FREQUENCY_WEEKLY = "Weekly";
    /** A value of {@code recurrenceFrequency}. */
    public static final String RECURRENCE_FREQUENCY_BI_WEEKLY = "BiWeekly";
    /** A value of {@code recurrenceFrequency}. */
    public static final String RECURRENCE_FREQUENCY_MONTHLY = "Monthly";
    /** A value of {@code recurrenceFrequency}. */
    public static final String RECURRENCE_FREQUENCY_QUARTERLY = "Quarterly";
    /** A value of {@code recurrenceFrequency}. */
    public static final String RECURRENCE_FREQUENCY_SEMI_ANNUALLY = "SemiAnnually";
    /** A value of {@code recurrenceFrequency}. */
    public static final String RECURRENCE_FREQUENCY_ANNUALLY = "Annually";
}
