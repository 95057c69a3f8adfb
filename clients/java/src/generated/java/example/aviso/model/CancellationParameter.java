// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The user's value for a field of the template.
 */
public final class CancellationParameter {

    @JsonProperty("fieldKey")
    private String fieldKey;

    @JsonProperty("fieldValue")
    private String fieldValue;

    @JsonProperty("format")
    private String format;

    @JsonProperty("label")
    private String label;

    /**
     * The fieldKey of the field.
     *
     * @param fieldKey the new value; null leaves it out
     * @return this request
     */
    public CancellationParameter fieldKey(String fieldKey) {
        this.fieldKey = fieldKey;
        return this;
    }

    /**
     * At most 300 characters, and must match the field's format.
     *
     * @param fieldValue the new value; null leaves it out
     * @return this request
     */
    public CancellationParameter fieldValue(String fieldValue) {
        this.fieldValue = fieldValue;
        return this;
    }

    /**
     * Ignored, as label.
     *
     * @param format the new value; null leaves it out
     * @return this request
     */
    public CancellationParameter format(String format) {
        this.format = format;
        return this;
    }

    /**
     * Ignored, so that a field of the template may be sent back with its value.
     *
     * @param label the new value; null leaves it out
     * @return this request
     */
    public CancellationParameter label(String label) {
        this.label = label;
        return this;
    }
}
