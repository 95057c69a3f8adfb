// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A user's acceptance of a version of terms.
 *
 * @param acceptedAt When this version was first accepted.
 * @param termsType The terms that were accepted. Known values: {@code Operator}, {@code BankingSupplier}, {@code CancellationProvider}. More may be added: do not fail on an unknown one.
 * @param version The version that was accepted.
 */
public record TermsAcceptance(
        @JsonProperty("acceptedAt") Instant acceptedAt,
        @JsonProperty("termsType") String termsType,
        @JsonProperty("version") String version
) {
    /** A value of {@code termsType}. */
    public static final String TERMS_TYPE_OPERATOR = "Operator";
    /** A value of {@code termsType}. */
    public static final String TERMS_TYPE_BANKING_SUPPLIER = "BankingSupplier";
    /** A value of {@code termsType}. */
    public static final String TERMS_TYPE_CANCELLATION_PROVIDER = "CancellationProvider";
}
