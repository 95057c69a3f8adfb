package example.aviso;

/** A callback is not genuine, or cannot be read: answer 401 and do not acknowledge it. */
public final class WebhookVerificationException extends AvisoException {
    private static final long serialVersionUID = 1L;
    private final Reason reason;

    /** Why a callback is refused. */
    public enum Reason {
        /** A header is missing. */
        HEADER_MISSING,
        /** {@code webhook-timestamp} is not a number of seconds. */
        TIMESTAMP_INVALID,
        /** It was signed too long ago. */
        TIMESTAMP_TOO_OLD,
        /** It was signed in the future. */
        TIMESTAMP_TOO_NEW,
        /** No signature is by one of the secrets. */
        SIGNATURE_MISMATCH,
        /** The signature is right, but the body is no event. */
        PAYLOAD_INVALID
    }

    WebhookVerificationException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** {@return why the callback is refused} */
    public Reason reason() {
        return reason;
    }
}
