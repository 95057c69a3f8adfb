// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * What the organization asks for.
 */
public final class AnswerReplyRequest {

    @JsonProperty("parameters")
    private List<CancellationParameter> parameters;

    /**
     * The fields of neededFields, without SIGNATURE and PROOF, which are not text. Other fields of the product's template may be sent along.
     *
     * @param parameters the new value; null leaves it out
     * @return this request
     */
    public AnswerReplyRequest parameters(List<CancellationParameter> parameters) {
        this.parameters = parameters;
        return this;
    }
}
