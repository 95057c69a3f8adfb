// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * What a contract says about its end. Durations have one unit: P24M, P1Y, P2W, P14D.
 */
public final class AgreedTerms {

    @JsonProperty("concludedAt")
    private String concludedAt;

    @JsonProperty("endOf")
    private String endOf;

    @JsonProperty("minimumTerm")
    private String minimumTerm;

    @JsonProperty("noticePeriod")
    private String noticePeriod;

    @JsonProperty("renewal")
    private String renewal;

    @JsonProperty("renewalTerm")
    private String renewalTerm;

    @JsonProperty("sector")
    private String sector;

    /**
     * 
     *
     * @param concludedAt the new value; null leaves it out
     * @return this request
     */
    public AgreedTerms concludedAt(String concludedAt) {
        this.concludedAt = concludedAt;
        return this;
    }

    /**
     * 
     *
     * @param endOf the new value; null leaves it out
     * @return this request
     */
    public AgreedTerms endOf(String endOf) {
        this.endOf = endOf;
        return this;
    }

    /**
     * The first term.
     *
     * @param minimumTerm the new value; null leaves it out
     * @return this request
     */
    public AgreedTerms minimumTerm(String minimumTerm) {
        this.minimumTerm = minimumTerm;
        return this;
    }

    /**
     * How long before the end a cancellation must arrive.
     *
     * @param noticePeriod the new value; null leaves it out
     * @return this request
     */
    public AgreedTerms noticePeriod(String noticePeriod) {
        this.noticePeriod = noticePeriod;
        return this;
    }

    /**
     * 
     *
     * @param renewal the new value; null leaves it out
     * @return this request
     */
    public AgreedTerms renewal(String renewal) {
        this.renewal = renewal;
        return this;
    }

    /**
     * For how long it renews.
     *
     * @param renewalTerm the new value; null leaves it out
     * @return this request
     */
    public AgreedTerms renewalTerm(String renewalTerm) {
        this.renewalTerm = renewalTerm;
        return this;
    }

    /**
     * 
     *
     * @param sector the new value; null leaves it out
     * @return this request
     */
    public AgreedTerms sector(String sector) {
        this.sector = sector;
        return this;
    }
}
