// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The last day to send by a channel.
 *
 * @param channel The channel. Known values: {@code Email}, {@code Mail}, {@code RegisteredMail}, {@code Fax}. More may be added: do not fail on an unknown one.
 * @param date The last day, in the time zone of the recipient. It leaves room for delivery, week-ends and public holidays.
 */
public record SendBy(
        @JsonProperty("channel") String channel,
        @JsonProperty("date") LocalDate date
) {
    /** A value of {@code channel}. */
    public static final String CHANNEL_EMAIL = "Email";
    /** A value of {@code channel}. */
    public static final String CHANNEL_MAIL = "Mail";
    /** A value of {@code channel}. */
    public static final String CHANNEL_REGISTERED_MAIL = "RegisteredMail";
    /** A value of {@code channel}. */
    public static final String CHANNEL_FAX = "Fax";
}
