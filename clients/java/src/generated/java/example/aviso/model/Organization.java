// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A company, club or other body that contracts can be cancelled with.
 *
 * @param categoryId Category of the organization.
 * @param confirmed Whether its address is confirmed for cancellations. Letters to others go out by post or fax alone.
 * @param extraConsent Whether a cancellation reveals an opinion or belief and so needs the extra consent of the user.
 * @param id Identifies the organization.
 * @param locales Languages of its letters, in the form &lt;language&gt;-&lt;COUNTRY&gt;.
 * @param name Its name, for the user.
 * @param source Where its data comes from, and when; empty if the operator keeps it.
 * @param url Its web site; empty if unknown.
 */
public record Organization(
        @JsonProperty("categoryId") String categoryId,
        @JsonProperty("confirmed") Boolean confirmed,
        @JsonProperty("extraConsent") Boolean extraConsent,
        @JsonProperty("id") String id,
        @JsonProperty("locales") List<String> locales,
        @JsonProperty("name") String name,
        @JsonProperty("source") String source,
        @JsonProperty("url") String url
) {
}
