// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * What to change about a user.
 */
public final class UpdateUserRequest {

    @JsonProperty("countryCode")
    private String countryCode;

    @JsonProperty("externalId")
    private String externalId;

    @JsonProperty("languageCode")
    private String languageCode;

    /**
     * The user's country (ISO 3166-1 alpha-2).
     *
     * @param countryCode the new value; null leaves it out
     * @return this request
     */
    public UpdateUserRequest countryCode(String countryCode) {
        this.countryCode = countryCode;
        return this;
    }

    /**
     * Your own ID of the user, corrected.
     *
     * @param externalId the new value; null leaves it out
     * @return this request
     */
    public UpdateUserRequest externalId(String externalId) {
        this.externalId = externalId;
        return this;
    }

    /**
     * Language (ISO 639) of our pages for the user.
     *
     * @param languageCode the new value; null leaves it out
     * @return this request
     */
    public UpdateUserRequest languageCode(String languageCode) {
        this.languageCode = languageCode;
        return this;
    }
}
