// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * Transactions for one account.
 */
public final class CreateTestTransactionsRequest {

    @JsonProperty("accountId")
    private String accountId;

    @JsonProperty("transactions")
    private List<TestTransaction> transactions;

    /**
     * One of the user's accounts at a sandbox bank.
     *
     * @param accountId the new value; null leaves it out
     * @return this request
     */
    public CreateTestTransactionsRequest accountId(String accountId) {
        this.accountId = accountId;
        return this;
    }

    /**
     * The transactions to add.
     *
     * @param transactions the new value; null leaves it out
     * @return this request
     */
    public CreateTestTransactionsRequest transactions(List<TestTransaction> transactions) {
        this.transactions = transactions;
        return this;
    }
}
