package example.aviso;

/** 403: the token's scope does not suffice, or the user has not accepted the terms. */
public final class PermissionDeniedException extends ApiException {
    private static final long serialVersionUID = 1L;

    PermissionDeniedException(Details details) {
        super(details);
    }
}
