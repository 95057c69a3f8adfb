// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A file in a mail. getRawReply has its content.
 *
 * @param contentType Media type, as the mail says.
 * @param name The name of the file; may be empty.
 * @param size Size in bytes.
 */
public record ReplyAttachment(
        @JsonProperty("contentType") String contentType,
        @JsonProperty("name") String name,
        @JsonProperty("size") Integer size
) {
}
