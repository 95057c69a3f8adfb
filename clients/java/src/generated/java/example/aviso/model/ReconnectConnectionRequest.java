// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * Where to send the user afterwards.
 */
public final class ReconnectConnectionRequest {

    @JsonProperty("returnUrl")
    private String returnUrl;

    /**
     * Where the user returns to, as for a new connection.
     *
     * @param returnUrl the new value; null leaves it out
     * @return this request
     */
    public ReconnectConnectionRequest returnUrl(String returnUrl) {
        this.returnUrl = returnUrl;
        return this;
    }
}
