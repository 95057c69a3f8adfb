package example.aviso;

/** A callback is not genuine, or cannot be read: answer 401 and do not acknowledge it. */
public final class CallbackException extends AvisoException {
    private static final long serialVersionUID = 1L;
    private final Reason reason;

    /** Why a callback is refused. */
    public enum Reason {
        /** A header is missing or malformed. */
        BAD_HEADERS,
        /** It was signed too long ago, or in the future. */
        BAD_TIME,
        /** No signature is by one of the secrets. */
        BAD_SIGNATURE,
        /** The signature is right, but the body is no event. */
        BAD_BODY
    }

    CallbackException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** {@return why the callback is refused} */
    public Reason reason() {
        return reason;
    }
}
