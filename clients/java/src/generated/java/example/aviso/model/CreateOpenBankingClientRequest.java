// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The request of the deprecated operation. It is checked, and otherwise ignored.
 */
public final class CreateOpenBankingClientRequest {

    @JsonProperty("countryCode")
    private String countryCode;

    @JsonProperty("languageCode")
    private String languageCode;

    /**
     * The user's country (ISO 3166-1 alpha-2). Case does not matter.
     *
     * @param countryCode the new value; null leaves it out
     * @return this request
     */
    public CreateOpenBankingClientRequest countryCode(String countryCode) {
        this.countryCode = countryCode;
        return this;
    }

    /**
     * The user's language (ISO 639), in lower case.
     *
     * @param languageCode the new value; null leaves it out
     * @return this request
     */
    public CreateOpenBankingClientRequest languageCode(String languageCode) {
        this.languageCode = languageCode;
        return this;
    }
}
