// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A type of event that you can subscribe to.
 *
 * @param description What has happened, and what to do.
 * @param eventType Name of the type.
 * @param example An example of the data.
 * @param schema The JSON Schema (2020-12) of the callback's data.
 */
public record EventType(
        @JsonProperty("description") String description,
        @JsonProperty("eventType") String eventType,
        @JsonProperty("example") Map<String, Object> example,
        @JsonProperty("schema") Map<String, Object> schema
) {
}
