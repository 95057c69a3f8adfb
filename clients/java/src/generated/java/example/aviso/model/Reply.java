// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * An answer of the organization by mail.
 *
 * @param answerStatus How far the user's answer got; only in getReply and answerReply. Known values: {@code Created}, {@code Queued}, {@code Sent}, {@code Delivered}, {@code DeliveryFailed}. More may be added: do not fail on an unknown one.
 * @param answeredAt When the user answered; absent before.
 * @param attachments The files in the mail.
 * @param authentication What the mail server found out about the sender; absent if unknown.
 * @param decidedBy The rule that decided the kind; empty for Unclear.
 * @param endDate Last day of the contract in a confirmation; absent if it names none.
 * @param excerpt The sentence that decided the kind; empty for Unclear.
 * @param from The sender, as the mail has it.
 * @param kind What it means. Received only acknowledges the letter, Offer asks the user to stay, AutoReply was written by a program, and Unclear needs a person. Known values: {@code Confirmed}, {@code Rejected}, {@code NeedsInformation}, {@code Received}, {@code Offer}, {@code AutoReply}, {@code Unclear}. More may be added: do not fail on an unknown one.
 * @param laterDate The day before which a rejected contract cannot end; absent if it names none.
 * @param neededFields What the organization asks for: keys of template fields, SIGNATURE for a signed letter, PROOF for a document.
 * @param receivedAt When it was received.
 * @param replyId Identifies the reply.
 * @param statusReason Why it is rejected; absent for other kinds. Known values: {@code UserNotFound}, {@code InconsistentData}, {@code AlreadyCancelled}, {@code BindingPeriod}. More may be added: do not fail on an unknown one.
 * @param subject The subject.
 * @param text The text; only in getReply and answerReply.
 */
public record Reply(
        @JsonProperty("answerStatus") String answerStatus,
        @JsonProperty("answeredAt") Instant answeredAt,
        @JsonProperty("attachments") List<ReplyAttachment> attachments,
        @JsonProperty("authentication") String authentication,
        @JsonProperty("decidedBy") String decidedBy,
        @JsonProperty("endDate") LocalDate endDate,
        @JsonProperty("excerpt") String excerpt,
        @JsonProperty("from") String from,
        @JsonProperty("kind") String kind,
        @JsonProperty("laterDate") LocalDate laterDate,
        @JsonProperty("neededFields") List<String> neededFields,
        @JsonProperty("receivedAt") Instant receivedAt,
        @JsonProperty("replyId") String replyId,
        @JsonProperty("statusReason") String statusReason,
        @JsonProperty("subject") String subject,
        @JsonProperty("text") String text
) {
    /** A value of {@code answerStatus}. */
    public static final String ANSWER_STATUS_CREATED = "Created";
    /** A value of {@code answerStatus}. */
    public static final String ANSWER_STATUS_QUEUED = "Queued";
    /** A value of {@code answerStatus}. */
    public static final String ANSWER_STATUS_SENT = "Sent";
    /** A value of {@code answerStatus}. */
    public static final String ANSWER_STATUS_DELIVERED = "Delivered";
    /** A value of {@code answerStatus}. */
    public static final String ANSWER_STATUS_DELIVERY_FAILED = "DeliveryFailed";
    /** A value of {@code kind}. */
    public static final String KIND_CONFIRMED = "Confirmed";
    /** A value of {@code kind}. */
    public static final String KIND_REJECTED = "Rejected";
    /** A value of {@code kind}. */
    public static final String KIND_NEEDS_INFORMATION = "NeedsInformation";
    /** A value of {@code kind}. */
    public static final String KIND_RECEIVED = "Received";
    /** A value of {@code kind}. */
    public static final String KIND_OFFER = "Offer";
    /** A value of {@code kind}. */
    public static final String KIND_AUTO_REPLY = "AutoReply";
    /** A value of {@code kind}. */
    public static final String KIND_UNCLEAR = "Unclear";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_USER_NOT_FOUND = "UserNotFound";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_INCONSISTENT_DATA = "InconsistentData";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_ALREADY_CANCELLED = "AlreadyCancelled";
    /** A value of {@code statusReason}. */
    public static final String STATUS_REASON_BINDING_PERIOD = "BindingPeriod";
}
