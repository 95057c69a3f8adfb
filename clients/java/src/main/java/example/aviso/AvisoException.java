package example.aviso;

/** Something went wrong. All exceptions of this library are of this class. */
public abstract class AvisoException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    AvisoException(String message, Throwable cause) {
        super(message, cause);
    }
}
