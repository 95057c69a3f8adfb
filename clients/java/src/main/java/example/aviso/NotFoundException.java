package example.aviso;

/** 404: it does not exist, or is not yours. */
public final class NotFoundException extends ApiException {
    private static final long serialVersionUID = 1L;

    NotFoundException(Details details) {
        super(details);
    }
}
