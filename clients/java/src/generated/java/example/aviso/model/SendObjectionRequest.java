// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * What the letter needs: the same as the letter of cancellation.
 */
public final class SendObjectionRequest {

    @JsonProperty("channel")
    private String channel;

    @JsonProperty("parameters")
    private List<CancellationParameter> parameters;

    @JsonProperty("replyTo")
    private String replyTo;

    @JsonProperty("signature")
    private Signature signature;

    /**
     * 
     *
     * @param channel the new value; null leaves it out
     * @return this request
     */
    public SendObjectionRequest channel(String channel) {
        this.channel = channel;
        return this;
    }

    /**
     * One for each field of the product's template.
     *
     * @param parameters the new value; null leaves it out
     * @return this request
     */
    public SendObjectionRequest parameters(List<CancellationParameter> parameters) {
        this.parameters = parameters;
        return this;
    }

    /**
     * As in createCancellation.
     *
     * @param replyTo the new value; null leaves it out
     * @return this request
     */
    public SendObjectionRequest replyTo(String replyTo) {
        this.replyTo = replyTo;
        return this;
    }

    /**
     * Signature of the user, for the letter.
     *
     * @param signature the new value; null leaves it out
     * @return this request
     */
    public SendObjectionRequest signature(Signature signature) {
        this.signature = signature;
        return this;
    }
}
