// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * Signature of the user: a typed name or a picture.
 */
public final class Signature {
    /** A value of {@code type}. */
    public static final String TYPE_TEXT = "TEXT";
    /** A value of {@code type}. */
    public static final String TYPE_IMAGE = "IMAGE";

    @JsonProperty("data")
    private String data;

    @JsonProperty("type")
    private String type;

    /**
     * TEXT: the typed name, at most 300 characters. IMAGE: a PNG of the handwritten signature, at most 100 KB, in base64.
     *
     * @param data the new value; null leaves it out
     * @return this request
     */
    public Signature data(String data) {
        this.data = data;
        return this;
    }

    /**
     * Which of the two data is.
     *
     * @param type the new value; null leaves it out
     * @return this request
     */
    public Signature type(String type) {
        this.type = type;
        return this;
    }
}
