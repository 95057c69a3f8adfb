// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * When a contract can end, and by when its cancellation must be sent. It is computed from terms, statutes and public holidays; it is not legal advice.
 *
 * @param certainty Exact: by the contract and the law. Latest: no law is known, so that this is the latest end; the law may allow an earlier one, and the user should send the cancellation now. Absent if earliestEnd is. Known values: {@code Exact}, {@code Latest}. More may be added: do not fail on an unknown one.
 * @param costs True if earliestEnd may cost something, so that earliestFreeEnd is later.
 * @param earliestEnd The last day of the contract, if the cancellation is sent in time. Absent if it cannot be computed; missing says why.
 * @param earliestFreeEnd The earliest end that costs nothing. Absent if earliestEnd is.
 * @param form Absent if any text will do.
 * @param missing Facts that would change the answer. terms: those of the product are not known, send agreedTerms. holidays: those of the recipient's country are not known. sector: it is not known, so that no statute was applied; send it in agreedTerms. law: no statute of the country and sector is known. concludedAt: a right to withdraw depends on it; send it in agreedTerms. The others are named as the facts that you can send.
 * @param nextChance The next free end, if the last day to send by the first channel is missed. Absent if there is none.
 * @param reason The reason to send with createCancellation, if the facts give one: Withdrawal, with its date, or NotReminded. Absent if they do not.
 * @param reasons The reasons that we know from the law of the country, for this kind of contract.
 * @param sendBy The channels by which the contract can end on earliestFreeEnd; the one that counts is first. Channels that do not count by law are left out. Empty if the contract ends by itself, if certainty is Latest, and if earliestEnd is absent.
 * @param steps How it was computed, step by step.
 * @param withdrawal The right to withdraw from a new contract, while it lasts. Absent if there is none, or if that is not known.
 */
public record Deadline(
        @JsonProperty("certainty") String certainty,
        @JsonProperty("costs") Boolean costs,
        @JsonProperty("earliestEnd") LocalDate earliestEnd,
        @JsonProperty("earliestFreeEnd") LocalDate earliestFreeEnd,
        @JsonProperty("form") RequiredForm form,
        @JsonProperty("missing") List<String> missing,
        @JsonProperty("nextChance") LocalDate nextChance,
        @JsonProperty("reason") Reason reason,
        @JsonProperty("reasons") List<KnownReason> reasons,
        @JsonProperty("sendBy") List<SendBy> sendBy,
        @JsonProperty("steps") List<DeadlineStep> steps,
        @JsonProperty("withdrawal") Withdrawal withdrawal
) {
    /** A value of {@code certainty}. */
    public static final String CERTAINTY_EXACT = "Exact";
    /** A value of {@code certainty}. */
    public static final String CERTAINTY_LATEST = "Latest";
    /** A value of {@code missing}. */
    public static final String MISSING_TERMS = "terms";
    /** A value of {@code missing}. */
    public static final String MISSING_CONTRACT_START = "contractStart";
    /** A value of {@code missing}. */
    public static final String MISSING_CUSTOMER = "customer";
    /** A value of {@code missing}. */
    public static final String MISSING_RENEWAL_REMINDER = "renewalReminder";
    /** A value of {@code missing}. */
    public static final String MISSING_CONCLUDED_ON = "concludedOn";
    /** A value of {@code missing}. */
    public static final String MISSING_HOLIDAYS = "holidays";
    /** A value of {@code missing}. */
    public static final String MISSING_SECTOR = "sector";
    /** A value of {@code missing}. */
    public static final String MISSING_LAW = "law";
    /** A value of {@code missing}. */
    public static final String MISSING_CONCLUDED_AT = "concludedAt";
}
