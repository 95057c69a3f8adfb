package example.aviso;

/** 429: too many requests, or too early; {@link #retryAfter} says when to go on. */
public final class RateLimitedException extends ApiException {
    private static final long serialVersionUID = 1L;

    RateLimitedException(Details details) {
        super(details);
    }
}
