// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso;

import example.aviso.model.*;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Users' requests to end a contract, and the letters that cancel it. */
public final class UserCancellationsGroup {
    private final Transport transport;
    private final String userId;

    UserCancellationsGroup(Transport transport, String userId) {
        this.transport = transport;
        this.userId = userId;
    }

    /**
     * Send what the organization asks for. For a reply of kind NeedsInformation. The fields go to the organization by e-mail, in the thread of its mail: to its sender if the sender is authenticated, or else to the address that the letter went to. A reply has one answer; if it has one that was not refused by the mail server, or cannot be answered, the answer is conflict.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @param replyId An answer to the cancellation, from listReplies.
     * @param body what to send
     * @return the answer
     */
    public Reply answerReply(String cancellationId, String replyId, AnswerReplyRequest body) {
        return answerReply(cancellationId, replyId, body, options -> {});
    }

    /**
     * Send what the organization asks for, with options. For a reply of kind NeedsInformation. The fields go to the organization by e-mail, in the thread of its mail: to its sender if the sender is authenticated, or else to the address that the letter went to. A reply has one answer; if it has one that was not refused by the mail server, or cannot be answered, the answer is conflict.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @param replyId An answer to the cancellation, from listReplies.
     * @param body what to send
     * @param options sets options
     * @return the answer
     */
    public Reply answerReply(String cancellationId, String replyId, AnswerReplyRequest body, Consumer<KeyedOptions> options) {
        var call = new Call("POST", "/cancellations/v1/cancellations/{cancellationId}/replies/{replyId}/answer", userId, true);
        call.path("cancellationId", cancellationId);
        call.path("replyId", replyId);
        call.body(body);
        options.accept(new KeyedOptions(call));
        return transport.send(call, ReplyResponse.class).data().reply();
    }

    /**
     * Cancel a contract. We write a letter and send it by e-mail, fax, mail or registered mail. With dryRun, nothing is stored or sent, and the response is 200 with the letter. If the user already has a cancellation with the same external identifier and content, the response is 200 with that cancellation. A second letter for the same contract is usually a mistake. So the answer is 409 already_cancelled with the cancellationId of the first, unless you send repeat, or that cancellation failed, was rejected or withdrawn, or its contract has ended. Another customer, contract or phone number, or another number plate, means another contract. The answer is 422 form_not_supported if the law wants an original signature; dryRun then gives the letter to print. It is 422 reason_not_available if the law does not know the reason, or if the period of a withdrawal is over. Electricity, gas and water need endDate, unless the user withdraws: the new supplier cancels, and an own letter can end the supply.
     *
     * @param body what to send
     * @return the answer
     */
    public CreatedCancellationData create(CreateCancellationRequest body) {
        return create(body, options -> {});
    }

    /**
     * Cancel a contract, with options. We write a letter and send it by e-mail, fax, mail or registered mail. With dryRun, nothing is stored or sent, and the response is 200 with the letter. If the user already has a cancellation with the same external identifier and content, the response is 200 with that cancellation. A second letter for the same contract is usually a mistake. So the answer is 409 already_cancelled with the cancellationId of the first, unless you send repeat, or that cancellation failed, was rejected or withdrawn, or its contract has ended. Another customer, contract or phone number, or another number plate, means another contract. The answer is 422 form_not_supported if the law wants an original signature; dryRun then gives the letter to print. It is 422 reason_not_available if the law does not know the reason, or if the period of a withdrawal is over. Electricity, gas and water need endDate, unless the user withdraws: the new supplier cancels, and an own letter can end the supply.
     *
     * @param body what to send
     * @param options sets options
     * @return the answer
     */
    public CreatedCancellationData create(CreateCancellationRequest body, Consumer<CreateCancellationOptions> options) {
        var call = new Call("POST", "/cancellations/v1/cancellations", userId, true);
        call.body(body);
        options.accept(new CreateCancellationOptions(call));
        return transport.send(call, CreatedCancellationResponse.class).data();
    }

    /**
     * Preview a letter that objects to debits. The same letter as in sendObjection, for the user to send. We neither store nor send it. It offers the evidence on request. If no debit is unpaid, the answer is conflict.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @param body what to send
     * @return the answer
     */
    public CancellationLetter createObjection(String cancellationId, CreateObjectionRequest body) {
        return createObjection(cancellationId, body, options -> {});
    }

    /**
     * Preview a letter that objects to debits, with options. The same letter as in sendObjection, for the user to send. We neither store nor send it. It offers the evidence on request. If no debit is unpaid, the answer is conflict.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @param body what to send
     * @param options sets options
     * @return the answer
     */
    public CancellationLetter createObjection(String cancellationId, CreateObjectionRequest body, Consumer<PlainOptions> options) {
        var call = new Call("POST", "/cancellations/v1/cancellations/{cancellationId}/objection", userId, false);
        call.path("cancellationId", cancellationId);
        call.body(body);
        options.accept(new PlainOptions(call));
        return transport.send(call, ObjectionResponse.class).data().letter();
    }

    /**
     * Get a cancellation. Its status, and every status before.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @return the answer
     */
    public Cancellation get(String cancellationId) {
        return get(cancellationId, options -> {});
    }

    /**
     * Get a cancellation, with options. Its status, and every status before.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @param options sets options
     * @return the answer
     */
    public Cancellation get(String cancellationId, Consumer<PlainOptions> options) {
        var call = new Call("GET", "/cancellations/v1/cancellations/{cancellationId}", userId, false);
        call.path("cancellationId", cancellationId);
        options.accept(new PlainOptions(call));
        return transport.send(call, CancellationResponse.class).data().cancellation();
    }

    /**
     * Get the evidence of a cancellation. A ZIP archive that records what happened, and that can be verified offline: the letter, every step in a chain of digests (evidence.json), the same in words for people and judges (evidence.pdf), our signature (evidence.jws), a time stamp of it (evidence.tsr, RFC 3161), and what carriers sent. It has the same bytes until something happens. If the time-stamp authority does not answer, the archive has timestamp-pending.txt instead; fetch it again later. The ID of an objection gives the evidence of that letter.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @return the answer
     */
    public byte[] getEvidence(String cancellationId) {
        return getEvidence(cancellationId, options -> {});
    }

    /**
     * Get the evidence of a cancellation, with options. A ZIP archive that records what happened, and that can be verified offline: the letter, every step in a chain of digests (evidence.json), the same in words for people and judges (evidence.pdf), our signature (evidence.jws), a time stamp of it (evidence.tsr, RFC 3161), and what carriers sent. It has the same bytes until something happens. If the time-stamp authority does not answer, the archive has timestamp-pending.txt instead; fetch it again later. The ID of an objection gives the evidence of that letter.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @param options sets options
     * @return the answer
     */
    public byte[] getEvidence(String cancellationId, Consumer<PlainOptions> options) {
        var call = new Call("GET", "/cancellations/v1/cancellations/{cancellationId}/evidence", userId, false);
        call.path("cancellationId", cancellationId);
        options.accept(new PlainOptions(call));
        return transport.send(call).body();
    }

    /**
     * Get the letter of a cancellation. The PDF that was or will be sent. Its SHA-256 is the cancellation's letterSha256. The ID of an objection gives its letter.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @return the answer
     */
    public byte[] getLetter(String cancellationId) {
        return getLetter(cancellationId, options -> {});
    }

    /**
     * Get the letter of a cancellation, with options. The PDF that was or will be sent. Its SHA-256 is the cancellation's letterSha256. The ID of an objection gives its letter.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @param options sets options
     * @return the answer
     */
    public byte[] getLetter(String cancellationId, Consumer<PlainOptions> options) {
        var call = new Call("GET", "/cancellations/v1/cancellations/{cancellationId}/letter", userId, false);
        call.path("cancellationId", cancellationId);
        options.accept(new PlainOptions(call));
        return transport.send(call).body();
    }

    /**
     * Get an answer as it was received. The mail as a file. A mail of more than 4 MB is not kept; the answer is then 404.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @param replyId An answer to the cancellation, from listReplies.
     * @return the answer
     */
    public byte[] getRawReply(String cancellationId, String replyId) {
        return getRawReply(cancellationId, replyId, options -> {});
    }

    /**
     * Get an answer as it was received, with options. The mail as a file. A mail of more than 4 MB is not kept; the answer is then 404.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @param replyId An answer to the cancellation, from listReplies.
     * @param options sets options
     * @return the answer
     */
    public byte[] getRawReply(String cancellationId, String replyId, Consumer<PlainOptions> options) {
        var call = new Call("GET", "/cancellations/v1/cancellations/{cancellationId}/replies/{replyId}/raw", userId, false);
        call.path("cancellationId", cancellationId);
        call.path("replyId", replyId);
        options.accept(new PlainOptions(call));
        return transport.send(call).body();
    }

    /**
     * Get an answer with its text. The text is without quotations of your letter, and includes that of PDF files.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @param replyId An answer to the cancellation, from listReplies.
     * @return the answer
     */
    public Reply getReply(String cancellationId, String replyId) {
        return getReply(cancellationId, replyId, options -> {});
    }

    /**
     * Get an answer with its text, with options. The text is without quotations of your letter, and includes that of PDF files.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @param replyId An answer to the cancellation, from listReplies.
     * @param options sets options
     * @return the answer
     */
    public Reply getReply(String cancellationId, String replyId, Consumer<PlainOptions> options) {
        var call = new Call("GET", "/cancellations/v1/cancellations/{cancellationId}/replies/{replyId}", userId, false);
        call.path("cancellationId", cancellationId);
        call.path("replyId", replyId);
        options.accept(new PlainOptions(call));
        return transport.send(call, ReplyResponse.class).data().reply();
    }

    /**
     * List a user's cancellations. The newest first.
     *
     * @return the answer
     */
    public Pages<Cancellation> list() {
        return list(options -> {});
    }

    /**
     * List a user's cancellations, with options. The newest first.
     *
     * @param options sets options
     * @return the answer
     */
    public Pages<Cancellation> list(Consumer<ListCancellationsOptions> options) {
        var call = new Call("GET", "/cancellations/v1/cancellations", userId, false);
        options.accept(new ListCancellationsOptions(call));
        return new Pages<>(transport, call, CancellationListResponse.class,
                answer -> new Page<>(answer.data().cancellations(), answer.meta().pagination().nextToken()));
    }

    /**
     * List the objections to debits. Objections to debits after the end of the contract, oldest first.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @return the answer
     */
    public List<Objection> listObjections(String cancellationId) {
        return listObjections(cancellationId, options -> {});
    }

    /**
     * List the objections to debits, with options. Objections to debits after the end of the contract, oldest first.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @param options sets options
     * @return the answer
     */
    public List<Objection> listObjections(String cancellationId, Consumer<PlainOptions> options) {
        var call = new Call("GET", "/cancellations/v1/cancellations/{cancellationId}/objections", userId, false);
        call.path("cancellationId", cancellationId);
        options.accept(new PlainOptions(call));
        return transport.send(call, ObjectionListResponse.class).data().objections();
    }

    /**
     * List the organization's answers. What the organization has answered to replyAddress, newest first. A confirmation or a rejection that is clear changes the status of the cancellation. All others only inform you.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @return the answer
     */
    public List<Reply> listReplies(String cancellationId) {
        return listReplies(cancellationId, options -> {});
    }

    /**
     * List the organization's answers, with options. What the organization has answered to replyAddress, newest first. A confirmation or a rejection that is clear changes the status of the cancellation. All others only inform you.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @param options sets options
     * @return the answer
     */
    public List<Reply> listReplies(String cancellationId, Consumer<PlainOptions> options) {
        var call = new Call("GET", "/cancellations/v1/cancellations/{cancellationId}/replies", userId, false);
        call.path("cancellationId", cancellationId);
        options.accept(new PlainOptions(call));
        return transport.send(call, ReplyListResponse.class).data().replies();
    }

    /**
     * Send a letter that objects to debits. If debits came after the end of the contract, the letter asks for the money back, withdraws the permission to debit, and names the cancellation with its digest. It goes the same way as the letter of cancellation, and encloses its evidence. With dryRun, nothing is stored or sent, and the response is 200 with the letter. If the outcome is not StillDebited, the answer is conflict. Each debit has one objection. If all debits already have one, the answer is conflict with its objectionId. An objection that could not be delivered does not count.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @param body what to send
     * @return the answer
     */
    public SentObjectionData sendObjection(String cancellationId, SendObjectionRequest body) {
        return sendObjection(cancellationId, body, options -> {});
    }

    /**
     * Send a letter that objects to debits, with options. If debits came after the end of the contract, the letter asks for the money back, withdraws the permission to debit, and names the cancellation with its digest. It goes the same way as the letter of cancellation, and encloses its evidence. With dryRun, nothing is stored or sent, and the response is 200 with the letter. If the outcome is not StillDebited, the answer is conflict. Each debit has one objection. If all debits already have one, the answer is conflict with its objectionId. An objection that could not be delivered does not count.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @param body what to send
     * @param options sets options
     * @return the answer
     */
    public SentObjectionData sendObjection(String cancellationId, SendObjectionRequest body, Consumer<SendObjectionOptions> options) {
        var call = new Call("POST", "/cancellations/v1/cancellations/{cancellationId}/objections", userId, true);
        call.path("cancellationId", cancellationId);
        call.body(body);
        options.accept(new SendObjectionOptions(call));
        return transport.send(call, SentObjectionResponse.class).data();
    }

    /**
     * Report the organization's answer. For an answer that the user got in another way, such as by post. The history and the evidence say that it is your word. If the cancellation is not waiting for an answer, the answer is conflict. The same report again has no effect.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @param body what to send
     * @return the answer
     */
    public Cancellation updateOutcome(String cancellationId, UpdateCancellationOutcomeRequest body) {
        return updateOutcome(cancellationId, body, options -> {});
    }

    /**
     * Report the organization's answer, with options. For an answer that the user got in another way, such as by post. The history and the evidence say that it is your word. If the cancellation is not waiting for an answer, the answer is conflict. The same report again has no effect.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @param body what to send
     * @param options sets options
     * @return the answer
     */
    public Cancellation updateOutcome(String cancellationId, UpdateCancellationOutcomeRequest body, Consumer<PlainOptions> options) {
        var call = new Call("POST", "/cancellations/v1/cancellations/{cancellationId}/outcome", userId, false);
        call.path("cancellationId", cancellationId);
        call.body(body);
        options.accept(new PlainOptions(call));
        return transport.send(call, CancellationResponse.class).data().cancellation();
    }

    /**
     * Withdraw a cancellation. Possible until the letter is being handed to a carrier. Withdrawing again has no effect.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @return the answer
     */
    public Cancellation withdraw(String cancellationId) {
        return withdraw(cancellationId, options -> {});
    }

    /**
     * Withdraw a cancellation, with options. Possible until the letter is being handed to a carrier. Withdrawing again has no effect.
     *
     * @param cancellationId A cancellation of the user, from listCancellations.
     * @param options sets options
     * @return the answer
     */
    public Cancellation withdraw(String cancellationId, Consumer<PlainOptions> options) {
        var call = new Call("POST", "/cancellations/v1/cancellations/{cancellationId}/withdraw", userId, false);
        call.path("cancellationId", cancellationId);
        options.accept(new PlainOptions(call));
        return transport.send(call, CancellationResponse.class).data().cancellation();
    }

    /** Options of {@code createCancellation}. */
    public static final class CreateCancellationOptions extends KeyedCallOptions<CreateCancellationOptions> {

        CreateCancellationOptions(Call call) {
            super(call);
        }

        /**
         * Preview the letter: nothing is stored or sent, and the response is 200 with data.letter.
         *
         * @param dryRun the value
         * @return these options
         */
        public CreateCancellationOptions dryRun(boolean dryRun) {
            return query("dryRun", dryRun);
        }
    }

    /** Options of {@code listCancellations}. */
    public static final class ListCancellationsOptions extends CallOptions<ListCancellationsOptions> {
        /** A value of {@code status}. */
        public static final String STATUS_CREATED = "Created";
        /** A value of {@code status}. */
        public static final String STATUS_QUEUED = "Queued";
        /** A value of {@code status}. */
        public static final String STATUS_SENT = "Sent";
        /** A value of {@code status}. */
        public static final String STATUS_DELIVERED = "Delivered";
        /** A value of {@code status}. */
        public static final String STATUS_CONFIRMED = "Confirmed";
        /** A value of {@code status}. */
        public static final String STATUS_DELIVERY_FAILED = "DeliveryFailed";
        /** A value of {@code status}. */
        public static final String STATUS_REJECTED = "Rejected";
        /** A value of {@code status}. */
        public static final String STATUS_WITHDRAWN = "Withdrawn";

        ListCancellationsOptions(Call call) {
            super(call);
        }

        /**
         * Maximum number of elements in the response; more than 200 count as 200.
         *
         * @param limit the value
         * @return these options
         */
        public ListCancellationsOptions limit(int limit) {
            return query("limit", limit);
        }

        /**
         * The nextToken of the previous page.
         *
         * @param nextToken the value
         * @return these options
         */
        public ListCancellationsOptions nextToken(String nextToken) {
            return query("nextToken", nextToken);
        }

        /**
         * Only cancellations with this status.
         *
         * @param status the value
         * @return these options
         */
        public ListCancellationsOptions status(String status) {
            return query("status", status);
        }

        /**
         * Only the cancellation with this identifier.
         *
         * @param externalCancellationRequestIdentifier the value
         * @return these options
         */
        public ListCancellationsOptions externalCancellationRequestIdentifier(String externalCancellationRequestIdentifier) {
            return query("externalCancellationRequestIdentifier", externalCancellationRequestIdentifier);
        }
    }

    /** Options of {@code sendObjection}. */
    public static final class SendObjectionOptions extends KeyedCallOptions<SendObjectionOptions> {

        SendObjectionOptions(Call call) {
            super(call);
        }

        /**
         * Preview the letter: nothing is stored or sent, and the response is 200 with data.letter.
         *
         * @param dryRun the value
         * @return these options
         */
        public SendObjectionOptions dryRun(boolean dryRun) {
            return query("dryRun", dryRun);
        }
    }
}
