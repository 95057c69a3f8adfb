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
 * @param user A Partner User: a person that you act for.
 */
public record UserData(
        @JsonProperty("user") User user
) {
}
