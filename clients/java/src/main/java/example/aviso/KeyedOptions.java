package example.aviso;

/** Options of an operation that has none of its own but an {@code Idempotency-Key}. */
public final class KeyedOptions extends KeyedCallOptions<KeyedOptions> {
    KeyedOptions(Call call) {
        super(call);
    }
}
