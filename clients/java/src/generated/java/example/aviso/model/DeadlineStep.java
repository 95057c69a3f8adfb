// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A step of the computation.
 *
 * @param rule What the step does, such as notice_period. The guide to deadlines lists the rules.
 * @param source Where the rule is from: a statute with the address of its official text, the product's terms, or the source of the public holidays. Empty for a missing fact.
 * @param text The step for the user, in the language of the locale.
 */
public record DeadlineStep(
        @JsonProperty("rule") String rule,
        @JsonProperty("source") String source,
        @JsonProperty("text") String text
) {
}
