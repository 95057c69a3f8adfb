// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The user's choice of a category.
 */
public final class UpdateTransactionRequest {

    @JsonProperty("applyTo")
    private String applyTo;

    @JsonProperty("categoryId")
    private Integer categoryId;

    /**
     * 
     *
     * @param applyTo the new value; null leaves it out
     * @return this request
     */
    public UpdateTransactionRequest applyTo(String applyTo) {
        this.applyTo = applyTo;
        return this;
    }

    /**
     * An L1 or L2 ID. An L1 ID selects the category's catch-all subcategory.
     *
     * @param categoryId the new value; null leaves it out
     * @return this request
     */
    public UpdateTransactionRequest categoryId(Integer categoryId) {
        this.categoryId = categoryId;
        return this;
    }
}
