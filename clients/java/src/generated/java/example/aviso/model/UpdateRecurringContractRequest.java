// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * What the user says about a contract. Members that you leave out stay as they are.
 */
public final class UpdateRecurringContractRequest {

    @JsonProperty("contractStart")
    private LocalDate contractStart;

    @JsonProperty("organizationId")
    private String organizationId;

    @JsonProperty("productId")
    private String productId;

    /**
     * First day of the contract, from 1900-01-01 to today. Null removes it.
     *
     * @param contractStart the new value; null leaves it out
     * @return this request
     */
    public UpdateRecurringContractRequest contractStart(LocalDate contractStart) {
        this.contractStart = contractStart;
        return this;
    }

    /**
     * The product's organization. Default: that of cancellable.
     *
     * @param organizationId the new value; null leaves it out
     * @return this request
     */
    public UpdateRecurringContractRequest organizationId(String organizationId) {
        this.organizationId = organizationId;
        return this;
    }

    /**
     * The product in the catalogue that the contract is for. Null removes it.
     *
     * @param productId the new value; null leaves it out
     * @return this request
     */
    public UpdateRecurringContractRequest productId(String productId) {
        this.productId = productId;
        return this;
    }
}
