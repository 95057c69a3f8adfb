// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A transaction that the sandbox bank will report.
 */
public final class TestTransaction {

    @JsonProperty("amount")
    private BigDecimal amount;

    @JsonProperty("bookingDate")
    private LocalDate bookingDate;

    @JsonProperty("counterparty")
    private String counterparty;

    @JsonProperty("creditorId")
    private String creditorId;

    @JsonProperty("mandateId")
    private String mandateId;

    @JsonProperty("merchantCategoryCode")
    private String merchantCategoryCode;

    @JsonProperty("note")
    private String note;

    @JsonProperty("pending")
    private Boolean pending;

    /**
     * In the account's currency, negative for a debit. At most 1000000, with at most two decimal places, and not 0.
     *
     * @param amount the new value; null leaves it out
     * @return this request
     */
    public TestTransaction amount(BigDecimal amount) {
        this.amount = amount;
        return this;
    }

    /**
     * From the first day of the bank's history (maxFetchInterval) to today (UTC), which is the default.
     *
     * @param bookingDate the new value; null leaves it out
     * @return this request
     */
    public TestTransaction bookingDate(LocalDate bookingDate) {
        this.bookingDate = bookingDate;
        return this;
    }

    /**
     * Name of the payer or payee; empty by default.
     *
     * @param counterparty the new value; null leaves it out
     * @return this request
     */
    public TestTransaction counterparty(String counterparty) {
        this.counterparty = counterparty;
        return this;
    }

    /**
     * The creditor identifier of a direct debit, which makes a debit one, too.
     *
     * @param creditorId the new value; null leaves it out
     * @return this request
     */
    public TestTransaction creditorId(String creditorId) {
        this.creditorId = creditorId;
        return this;
    }

    /**
     * The mandate of a direct debit. It makes a debit one, unless it is a card payment.
     *
     * @param mandateId the new value; null leaves it out
     * @return this request
     */
    public TestTransaction mandateId(String mandateId) {
        this.mandateId = mandateId;
        return this;
    }

    /**
     * ISO 18245. It makes the row a card payment.
     *
     * @param merchantCategoryCode the new value; null leaves it out
     * @return this request
     */
    public TestTransaction merchantCategoryCode(String merchantCategoryCode) {
        this.merchantCategoryCode = merchantCategoryCode;
        return this;
    }

    /**
     * The bank's text for the transaction.
     *
     * @param note the new value; null leaves it out
     * @return this request
     */
    public TestTransaction note(String note) {
        this.note = note;
        return this;
    }

    /**
     * Whether the bank reports the row as pending first, and books it three days after bookingDate. Some banks do not report it until then. Default: false.
     *
     * @param pending the new value; null leaves it out
     * @return this request
     */
    public TestTransaction pending(Boolean pending) {
        this.pending = pending;
        return this;
    }
}
