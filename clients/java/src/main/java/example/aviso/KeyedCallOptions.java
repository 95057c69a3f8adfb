package example.aviso;

import java.util.Objects;

/**
 * Options of operations that take an {@code Idempotency-Key}.
 *
 * @param <T> the options of the operation
 */
public abstract class KeyedCallOptions<T extends KeyedCallOptions<T>> extends CallOptions<T> {
    KeyedCallOptions(Call call) {
        super(call);
    }

    /**
     * Sets the {@code Idempotency-Key}. Without it, the client makes one for each call.
     *
     * @param key the key
     * @return these options
     */
    public T idempotencyKey(String key) {
        return header(Call.IDEMPOTENCY_KEY, Objects.requireNonNull(key, "key"));
    }
}
