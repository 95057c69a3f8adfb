package example.aviso;

/** Options of an operation that has none of its own. */
public final class PlainOptions extends CallOptions<PlainOptions> {
    PlainOptions(Call call) {
        super(call);
    }
}
