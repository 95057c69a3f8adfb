package example.aviso;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import example.aviso.model.Event;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * Receives callbacks in the JDK's own HTTP server: verifies each, stores its event, and
 * acknowledges it. In another server, do the same with a {@link CallbackVerifier}.
 */
public final class CallbackHandler implements HttpHandler {
    private static final byte[] NOTHING = {};

    private final Consumer<? super Event> store;
    private final CallbackVerifier verifier;

    /**
     * Creates a handler.
     *
     * @param store stores the event; if it throws, the event is not acknowledged and comes again
     * @param secrets the keys of the subscription: several while you rotate them
     */
    public CallbackHandler(Consumer<? super Event> store, String... secrets) {
        this.store = store;
        verifier = new CallbackVerifier(secrets);
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            int status = 200;
            var body = verifier.acknowledgement();
            try {
                store.accept(verifier.verify(
                        exchange.getRequestBody().readAllBytes(), exchange.getRequestHeaders()));
            } catch (CallbackException e) {
                status = 401;
                body = NOTHING;
            }
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
