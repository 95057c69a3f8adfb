// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * One reason for an error, mostly an invalid part of the request.
 *
 * @param code Machine-readable reason, such as required or invalid. We may add new ones.
 * @param detail What is expected, for the developer. Never contains a submitted value.
 * @param earliestEnd The first day from endDate on that the contract can end on; if it ends before by itself, its last day.
 * @param fieldKey The field of the product's template.
 * @param header Name of the header that is wrong.
 * @param limit The number that must not be exceeded.
 * @param parameter Name of the path or query parameter that is wrong.
 * @param pointer JSON Pointer (RFC 6901) to the part of the body that is wrong.
 * @param retryAfter Equals Retry-After, in seconds.
 * @param termsType The terms that the user has to accept. Known values: {@code Operator}, {@code BankingSupplier}, {@code CancellationProvider}. More may be added: do not fail on an unknown one.
 * @param url Where to read the terms.
 * @param version Version of the terms that is in force.
 */
public record ProblemField(
        @JsonProperty("code") String code,
        @JsonProperty("detail") String detail,
        @JsonProperty("earliestEnd") LocalDate earliestEnd,
        @JsonProperty("fieldKey") String fieldKey,
        @JsonProperty("header") String header,
        @JsonProperty("limit") Integer limit,
        @JsonProperty("parameter") String parameter,
        @JsonProperty("pointer") String pointer,
        @JsonProperty("retryAfter") Integer retryAfter,
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
