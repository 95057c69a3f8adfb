package example.aviso;

/** No usable answer has arrived: no connection, a lost one, a time-out, or an interrupted thread. */
public final class ConnectionFailedException extends AvisoException {
    private static final long serialVersionUID = 1L;
    private final boolean sent;

    ConnectionFailedException(String message, Throwable cause, boolean sent) {
        super(message, cause);
        this.sent = sent;
    }

    /** {@return whether the service may have received the request} */
    public boolean isSent() {
        return sent;
    }
}
