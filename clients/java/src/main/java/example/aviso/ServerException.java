package example.aviso;

/** 5xx: the service has failed, or is not available for the moment. */
public final class ServerException extends ApiException {
    private static final long serialVersionUID = 1L;

    ServerException(Details details) {
        super(details);
    }
}
