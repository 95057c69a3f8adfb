package example.aviso;

/** 400, 422 and other 4xx: the request is not valid; {@link #errors} says which parts. */
public final class ValidationException extends ApiException {
    private static final long serialVersionUID = 1L;

    ValidationException(Details details) {
        super(details);
    }
}
