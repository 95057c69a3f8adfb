// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * What is known about the contract. All of it is optional.
 */
public final class CalculateDeadlineRequest {

    @JsonProperty("agreedTerms")
    private AgreedTerms agreedTerms;

    @JsonProperty("cancelledOn")
    private LocalDate cancelledOn;

    @JsonProperty("channel")
    private String channel;

    @JsonProperty("concludedOn")
    private LocalDate concludedOn;

    @JsonProperty("contractStart")
    private LocalDate contractStart;

    @JsonProperty("customer")
    private String customer;

    @JsonProperty("lastRenewal")
    private LocalDate lastRenewal;

    @JsonProperty("renewalReminder")
    private String renewalReminder;

    /**
     * What a contract says about its end. Durations have one unit: P24M, P1Y, P2W, P14D.
     *
     * @param agreedTerms the new value; null leaves it out
     * @return this request
     */
    public CalculateDeadlineRequest agreedTerms(AgreedTerms agreedTerms) {
        this.agreedTerms = agreedTerms;
        return this;
    }

    /**
     * The day on which the cancellation is sent; today by default, where the recipient is.
     *
     * @param cancelledOn the new value; null leaves it out
     * @return this request
     */
    public CalculateDeadlineRequest cancelledOn(LocalDate cancelledOn) {
        this.cancelledOn = cancelledOn;
        return this;
    }

    /**
     * 
     *
     * @param channel the new value; null leaves it out
     * @return this request
     */
    public CalculateDeadlineRequest channel(String channel) {
        this.channel = channel;
        return this;
    }

    /**
     * The day on which the contract was concluded, which decides which law and terms apply; contractStart by default. A right to withdraw is counted from it, and only if you send it.
     *
     * @param concludedOn the new value; null leaves it out
     * @return this request
     */
    public CalculateDeadlineRequest concludedOn(LocalDate concludedOn) {
        this.concludedOn = concludedOn;
        return this;
    }

    /**
     * First day of the contract.
     *
     * @param contractStart the new value; null leaves it out
     * @return this request
     */
    public CalculateDeadlineRequest contractStart(LocalDate contractStart) {
        this.contractStart = contractStart;
        return this;
    }

    /**
     * 
     *
     * @param customer the new value; null leaves it out
     * @return this request
     */
    public CalculateDeadlineRequest customer(String customer) {
        this.customer = customer;
        return this;
    }

    /**
     * First day of the current term, if known. Renewals are counted from it.
     *
     * @param lastRenewal the new value; null leaves it out
     * @return this request
     */
    public CalculateDeadlineRequest lastRenewal(LocalDate lastRenewal) {
        this.lastRenewal = lastRenewal;
        return this;
    }

    /**
     * 
     *
     * @param renewalReminder the new value; null leaves it out
     * @return this request
     */
    public CalculateDeadlineRequest renewalReminder(String renewalReminder) {
        this.renewalReminder = renewalReminder;
        return this;
    }
}
