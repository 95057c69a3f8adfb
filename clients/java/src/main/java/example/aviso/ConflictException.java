package example.aviso;

/** 409: the state of things does not allow it, or the idempotency key is in use. */
public final class ConflictException extends ApiException {
    private static final long serialVersionUID = 1L;

    ConflictException(Details details) {
        super(details);
    }
}
