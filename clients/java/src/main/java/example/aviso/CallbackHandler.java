package example.aviso;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import example.aviso.model.Event;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Receives callbacks in the JDK's own HTTP server: verifies each, stores its event, and
 * acknowledges it. What it refuses is logged with the reason. A GET is no callback but a user who
 * returns from the bank, and gets a page with thanks. In another server, do the same with a {@link CallbackVerifier}.
 */
public final class CallbackHandler implements HttpHandler {
    private static final Logger LOGGER = System.getLogger(CallbackHandler.class.getName());

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
            if (exchange.getRequestMethod().equals("GET")) {
                answer(exchange, "text/plain", "Thank you.".getBytes(StandardCharsets.UTF_8));
                return;
            }
            try {
                store.accept(verifier.verify(
                        exchange.getRequestBody().readAllBytes(), exchange.getRequestHeaders()));
            } catch (RuntimeException e) {
                LOGGER.log(Level.WARNING, "a callback is not acknowledged: " + e.getMessage());
                exchange.sendResponseHeaders(e instanceof WebhookVerificationException ? 401 : 500, -1);
                return;
            }
            answer(exchange, "application/json", verifier.acknowledgement());
        }
    }

    private static void answer(HttpExchange exchange, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }
}
