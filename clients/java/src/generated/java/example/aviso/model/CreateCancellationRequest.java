// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The contract to cancel, and what the letter needs.
 */
public final class CreateCancellationRequest {

    @JsonProperty("endDate")
    private LocalDate endDate;

    @JsonProperty("externalCancellationRequestIdentifier")
    private String externalCancellationRequestIdentifier;

    @JsonProperty("extraConsent")
    private Boolean extraConsent;

    @JsonProperty("locale")
    private String locale;

    @JsonProperty("organizationId")
    private String organizationId;

    @JsonProperty("parameters")
    private List<CancellationParameter> parameters;

    @JsonProperty("productId")
    private String productId;

    @JsonProperty("reason")
    private GivenReason reason;

    @JsonProperty("repeat")
    private Boolean repeat;

    @JsonProperty("replyTo")
    private String replyTo;

    @JsonProperty("signature")
    private Signature signature;

    @JsonProperty("subscriptionId")
    private String subscriptionId;

    /**
     * Last day of the contract, from today to ten years ahead; the earliest possible by default. If the contract cannot end on it, the error has the next day as earliestEnd. That is not checked if the terms of the product are not known, or depend on when the contract began.
     *
     * @param endDate the new value; null leaves it out
     * @return this request
     */
    public CreateCancellationRequest endDate(LocalDate endDate) {
        this.endDate = endDate;
        return this;
    }

    /**
     * Your own identifier, unique per user. Sending it again with the same content returns the first cancellation.
     *
     * @param externalCancellationRequestIdentifier the new value; null leaves it out
     * @return this request
     */
    public CreateCancellationRequest externalCancellationRequestIdentifier(String externalCancellationRequestIdentifier) {
        this.externalCancellationRequestIdentifier = externalCancellationRequestIdentifier;
        return this;
    }

    /**
     * The user consents to a letter that reveals an opinion or belief. Must be true if the organization's extraConsent is.
     *
     * @param extraConsent the new value; null leaves it out
     * @return this request
     */
    public CreateCancellationRequest extraConsent(Boolean extraConsent) {
        this.extraConsent = extraConsent;
        return this;
    }

    /**
     * Language of the letter: one of the locales of the product.
     *
     * @param locale the new value; null leaves it out
     * @return this request
     */
    public CreateCancellationRequest locale(String locale) {
        this.locale = locale;
        return this;
    }

    /**
     * Who the contract is with.
     *
     * @param organizationId the new value; null leaves it out
     * @return this request
     */
    public CreateCancellationRequest organizationId(String organizationId) {
        this.organizationId = organizationId;
        return this;
    }

    /**
     * One for each field of the product's template.
     *
     * @param parameters the new value; null leaves it out
     * @return this request
     */
    public CreateCancellationRequest parameters(List<CancellationParameter> parameters) {
        this.parameters = parameters;
        return this;
    }

    /**
     * What to cancel; one of the products of the organization.
     *
     * @param productId the new value; null leaves it out
     * @return this request
     */
    public CreateCancellationRequest productId(String productId) {
        this.productId = productId;
        return this;
    }

    /**
     * Why the user is cancelling. The letter names the reason with its article.
     *
     * @param reason the new value; null leaves it out
     * @return this request
     */
    public CreateCancellationRequest reason(GivenReason reason) {
        this.reason = reason;
        return this;
    }

    /**
     * Cancel even if the user has already cancelled this contract. Otherwise you get already_cancelled.
     *
     * @param repeat the new value; null leaves it out
     * @return this request
     */
    public CreateCancellationRequest repeat(Boolean repeat) {
        this.repeat = repeat;
        return this;
    }

    /**
     * E-mail address for the organization's answer, if the template has no EMAIL. Without either, it goes to the user's postal address and our mailbox.
     *
     * @param replyTo the new value; null leaves it out
     * @return this request
     */
    public CreateCancellationRequest replyTo(String replyTo) {
        this.replyTo = replyTo;
        return this;
    }

    /**
     * Signature of the user, for the letter.
     *
     * @param signature the new value; null leaves it out
     * @return this request
     */
    public CreateCancellationRequest signature(Signature signature) {
        this.signature = signature;
        return this;
    }

    /**
     * The contract in the user's account, from listRecurringContracts. Without it, we look for the only contract with the organization.
     *
     * @param subscriptionId the new value; null leaves it out
     * @return this request
     */
    public CreateCancellationRequest subscriptionId(String subscriptionId) {
        this.subscriptionId = subscriptionId;
        return this;
    }
}
