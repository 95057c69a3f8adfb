// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The data of cancellation.confirmed.
 *
 * @param cancellationId The cancellation.
 * @param channel How the letter is sent. Known values: {@code Email}, {@code Mail}, {@code RegisteredMail}, {@code Fax}. More may be added: do not fail on an unknown one.
 * @param endDate Last day of the contract, as the organization says; empty if it names none.
 * @param externalCancellationRequestIdentifier The partner's own identifier; empty if it gave none.
 * @param status The new status. Known values: {@code Confirmed}. More may be added: do not fail on an unknown one.
 * @param statusReason The reason for the status; empty if there is none.
 */
public record CancellationConfirmedEventData(
        @JsonProperty("cancellationId") String cancellationId,
        @JsonProperty("channel") String channel,
        @JsonProperty("endDate") String endDate,
        @JsonProperty("externalCancellationRequestIdentifier") String externalCancellationRequestIdentifier,
        @JsonProperty("status") String status,
        @JsonProperty("statusReason") String statusReason
) {
    /** A value of {@code channel}. */
    public static final String CHANNEL_EMAIL = "Email";
    /** A value of {@code channel}. */
    public static final String CHANNEL_MAIL = "Mail";
    /** A value of {@code channel}. */
    public static final String CHANNEL_REGISTERED_MAIL = "RegisteredMail";
    /** A value of {@code channel}. */
    public static final String CHANNEL_FAX = "Fax";
    /** A value of {@code status}. */
    public static final String STATUS_CONFIRMED = "Confirmed";
}
