// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * An answer of the organization by mail.
 *
 * @param reply An answer of the organization by mail.
 */
public record ReplyData(
        @JsonProperty("reply") Reply reply
) {
}
