// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * When a contract can end. getDeadline explains each step, and takes more facts.
 *
 * @param certainty As in getDeadline: with Latest, the law may allow an earlier end. Known values: {@code Exact}, {@code Latest}. More may be added: do not fail on an unknown one.
 * @param costs True if earliestEnd may cost something.
 * @param earliestEnd When the contract ends if it is cancelled today by the product's first channel.
 * @param earliestFreeEnd The earliest end that costs nothing and rests on confirmed law. sendBy and nextChance refer to it.
 * @param form Absent if any text will do.
 * @param missing Facts that would change the deadline, as in getDeadline.
 * @param nextChance When the contract ends if the first day of sendBy is missed.
 * @param sendBy The last day to send a cancellation by each channel, the product's first channel first. Empty if the contract ends by itself, and if certainty is Latest.
 */
public record ContractDeadline(
        @JsonProperty("certainty") String certainty,
        @JsonProperty("costs") Boolean costs,
        @JsonProperty("earliestEnd") LocalDate earliestEnd,
        @JsonProperty("earliestFreeEnd") LocalDate earliestFreeEnd,
        @JsonProperty("form") ContractForm form,
        @JsonProperty("missing") List<String> missing,
        @JsonProperty("nextChance") LocalDate nextChance,
        @JsonProperty("sendBy") List<ContractSendBy> sendBy
) {
    /** A value of {@code certainty}. */
    public static final String CERTAINTY_EXACT = "Exact";
    /** A value of {@code certainty}. */
    public static final String CERTAINTY_LATEST = "Latest";
}
