// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The bank to connect, and where to send the user afterwards.
 */
public final class CreateConnectionRequest {

    @JsonProperty("accountType")
    private String accountType;

    @JsonProperty("providerId")
    private String providerId;

    @JsonProperty("returnUrl")
    private String returnUrl;

    /**
     * 
     *
     * @param accountType the new value; null leaves it out
     * @return this request
     */
    public CreateConnectionRequest accountType(String accountType) {
        this.accountType = accountType;
        return this;
    }

    /**
     * The bank, from GET /openbanking/v1/providers.
     *
     * @param providerId the new value; null leaves it out
     * @return this request
     */
    public CreateConnectionRequest providerId(String providerId) {
        this.providerId = providerId;
        return this;
    }

    /**
     * Where the user returns to. Must be under a URL that is registered for you, else the answer is 422 return_url_not_registered, whose errors[].detail lists the registered ones. Without it, the first of those is used. We add connectionId and status to its query.
     *
     * @param returnUrl the new value; null leaves it out
     * @return this request
     */
    public CreateConnectionRequest returnUrl(String returnUrl) {
        this.returnUrl = returnUrl;
        return this;
    }
}
