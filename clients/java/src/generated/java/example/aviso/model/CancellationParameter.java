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

    @JsonProperty("example")
    private String example;

    @JsonProperty("fieldKey")
    private String fieldKey;

    @JsonProperty("fieldValue")
    private String fieldValue;

    @JsonProperty("format")
    private String format;

    @JsonProperty("help")
    private String help;

    @JsonProperty("label")
    private String label;

    @JsonProperty("type")
    private String type;

    /**
     * Ignored, as label.
     *
     * @param example the new value; null leaves it out
     * @return this request
     */
    public CancellationParameter example(String example) {
        this.example = example;
        return this;
    }

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
     * At most 300 characters, and must match the field's format. Before that is checked, values are read as people mean them: other spaces become spaces, hyphens and dashes (except in ADDRESS) become hyphens, and characters without a width and spaces around the value are removed. The letter has the value after these changes, so dryRun shows it. Accents may be sent in any form. If the letter cannot have a character, the error says which and where.
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
     * Ignored, as label.
     *
     * @param help the new value; null leaves it out
     * @return this request
     */
    public CancellationParameter help(String help) {
        this.help = help;
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

    /**
     * Ignored, as label.
     *
     * @param type the new value; null leaves it out
     * @return this request
     */
    public CancellationParameter type(String type) {
        this.type = type;
        return this;
    }
}
