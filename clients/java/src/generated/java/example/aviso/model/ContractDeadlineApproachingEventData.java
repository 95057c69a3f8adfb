// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The data of contract.deadline_approaching.
 *
 * @param certainty As in getDeadline: with Latest, the law may allow an earlier end. Known values: {@code Exact}, {@code Latest}. More may be added: do not fail on an unknown one.
 * @param channel The product's first channel. Known values: {@code Email}, {@code Mail}, {@code RegisteredMail}, {@code Fax}. More may be added: do not fail on an unknown one.
 * @param contractStart First day of the contract.
 * @param contractStartSource FirstPayment: a guess. User: what the user said. Known values: {@code FirstPayment}, {@code User}. More may be added: do not fail on an unknown one.
 * @param earliestEnd When the contract ends, without costs, if the deadline is met.
 * @param nextChance When the contract ends if the deadline is missed.
 * @param organizationId The organization to cancel with.
 * @param productId The product to cancel.
 * @param sendBy The last day to send the cancellation by that channel.
 * @param subscriptionId The contract, of GET /openbanking/v1/insights/subscriptions.
 */
public record ContractDeadlineApproachingEventData(
        @JsonProperty("certainty") String certainty,
        @JsonProperty("channel") String channel,
        @JsonProperty("contractStart") LocalDate contractStart,
        @JsonProperty("contractStartSource") String contractStartSource,
        @JsonProperty("earliestEnd") LocalDate earliestEnd,
        @JsonProperty("nextChance") LocalDate nextChance,
        @JsonProperty("organizationId") String organizationId,
        @JsonProperty("productId") String productId,
        @JsonProperty("sendBy") LocalDate sendBy,
        @JsonProperty("subscriptionId") String subscriptionId
) {
    /** A value of {@code certainty}. */
    public static final String CERTAINTY_EXACT = "Exact";
    /** A value of {@code certainty}. */
    public static final String CERTAINTY_LATEST = "Latest";
    /** A value of {@code channel}. */
    public static final String CHANNEL_EMAIL = "Email";
    /** A value of {@code channel}. */
    public static final String CHANNEL_MAIL = "Mail";
    /** A value of {@code channel}. */
    public static final String CHANNEL_REGISTERED_MAIL = "RegisteredMail";
    /** A value of {@code channel}. */
    public static final String CHANNEL_FAX = "Fax";
    /** A value of {@code contractStartSource}. */
    public static final String CONTRACT_START_SOURCE_FIRST_PAYMENT = "FirstPayment";
    /** A value of {@code contractStartSource}. */
    public static final String CONTRACT_START_SOURCE_USER = "User";
}
