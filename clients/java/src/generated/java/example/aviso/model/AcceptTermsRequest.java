// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The terms that the user accepts.
 */
public final class AcceptTermsRequest {
    /** A value of {@code termsType}. */
    public static final String TERMS_TYPE_OPERATOR = "Operator";
    /** A value of {@code termsType}. */
    public static final String TERMS_TYPE_BANKING_SUPPLIER = "BankingSupplier";
    /** A value of {@code termsType}. */
    public static final String TERMS_TYPE_CANCELLATION_PROVIDER = "CancellationProvider";

    @JsonProperty("termsType")
    private String termsType;

    @JsonProperty("version")
    private String version;

    /**
     * The type of the terms.
     *
     * @param termsType the new value; null leaves it out
     * @return this request
     */
    public AcceptTermsRequest termsType(String termsType) {
        this.termsType = termsType;
        return this;
    }

    /**
     * The version in force, from GET /identity/v1/terms.
     *
     * @param version the new value; null leaves it out
     * @return this request
     */
    public AcceptTermsRequest version(String version) {
        this.version = version;
        return this;
    }
}
