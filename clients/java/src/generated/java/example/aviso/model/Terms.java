// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * Terms and conditions in force, or published ahead.
 *
 * @param effectiveFrom When the version becomes or became required. Absent if that was at once.
 * @param termsType Operator: for every user. BankingSupplier: before a bank is connected. CancellationProvider: before a contract is cancelled. Known values: {@code Operator}, {@code BankingSupplier}, {@code CancellationProvider}. More may be added: do not fail on an unknown one.
 * @param url The URL of the text to show to the user.
 * @param version The version in force, or the next one if effectiveFrom is in the future.
 */
public record Terms(
        @JsonProperty("effectiveFrom") Instant effectiveFrom,
        @JsonProperty("termsType") String termsType,
        @JsonProperty("url") String url,
        @JsonProperty("version") String version
) {
    /** A value of {@code termsType}. */
    public static final String TERMS_TYPE_OPERATOR = "Operator";
    /** A value of {@code termsType}. */
    public static final String TERMS_TYPE_BANKING_SUPPLIER = "BankingSupplier";
    /** A value of {@code termsType}. */
    public static final String TERMS_TYPE_CANCELLATION_PROVIDER = "CancellationProvider";
}
