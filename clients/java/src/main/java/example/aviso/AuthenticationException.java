package example.aviso;

/** 401: the credentials or the token are not valid. */
public final class AuthenticationException extends ApiException {
    private static final long serialVersionUID = 1L;

    AuthenticationException(Details details) {
        super(details);
    }
}
