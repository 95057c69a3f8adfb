package example.aviso;

import java.time.Duration;

/**
 * Options that every operation has.
 *
 * @param <T> the options of the operation
 */
public abstract class CallOptions<T extends CallOptions<T>> {
    private final Call call;

    CallOptions(Call call) {
        this.call = call;
    }

    /**
     * Sets an ID of your own for the request. It comes back as the {@code traceId} of errors.
     *
     * @param requestId the ID
     * @return these options
     */
    public T requestId(String requestId) {
        return header("X-Request-Id", requestId);
    }

    /**
     * Bounds this call, with all its retries. The default is the client's.
     *
     * @param timeout the longest time that the call may take
     * @return these options
     */
    public T timeout(Duration timeout) {
        call.timeout = timeout;
        return self();
    }

    T query(String name, Object value) {
        call.query(name, value);
        return self();
    }

    T header(String name, Object value) {
        call.header(name, value);
        return self();
    }

    @SuppressWarnings("unchecked")
    private T self() {
        return (T) this;
    }
}
