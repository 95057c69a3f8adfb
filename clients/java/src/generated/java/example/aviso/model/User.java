// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A Partner User: a person that you act for.
 *
 * @param countryCode The user's country (ISO 3166-1 alpha-2).
 * @param createdAt When the user was created.
 * @param externalId Your own ID for the user; empty if you gave none.
 * @param languageCode Language (ISO 639) of our pages for the user.
 * @param userId Send it as X-User-Id to act on behalf of the user.
 */
public record User(
        @JsonProperty("countryCode") String countryCode,
        @JsonProperty("createdAt") Instant createdAt,
        @JsonProperty("externalId") String externalId,
        @JsonProperty("languageCode") String languageCode,
        @JsonProperty("userId") String userId
) {
}
