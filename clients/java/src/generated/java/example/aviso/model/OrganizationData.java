// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * A company, club or other body that contracts can be cancelled with.
 *
 * @param organization A company, club or other body that contracts can be cancelled with.
 */
public record OrganizationData(
        @JsonProperty("organization") Organization organization
) {
}
