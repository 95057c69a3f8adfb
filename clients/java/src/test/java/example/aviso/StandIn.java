package example.aviso;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A service that answers as a test has set it up. It gives out the tokens token-1, token-2, … */
final class StandIn implements AutoCloseable {
    /** What it has received. */
    record Received(String method, String path, String query, Map<String, List<String>> headers, String body) {
        String header(String name) {
            var values = headers.get(name);
            return values == null ? null : values.get(0);
        }
    }

    /** One answer. */
    interface Answer {
        void send(HttpExchange exchange) throws IOException;
    }

    final List<Received> received = new CopyOnWriteArrayList<>();
    final List<Received> tokenRequests = new CopyOnWriteArrayList<>();
    final List<Duration> pauses = new CopyOnWriteArrayList<>();
    long tokenSeconds = 3600;
    private final Queue<Answer> answers = new ArrayDeque<>();
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    StandIn() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    Aviso.Builder client() {
        var builder = new Aviso.Builder(Map.of()).credentials("me", "se:cret").baseUrl(url());
        builder.sleeper = pauses::add;
        return builder;
    }

    StandIn then(int status, String body, String... headers) {
        return then(exchange -> send(exchange, status, body, headers));
    }

    synchronized StandIn then(Answer answer) {
        answers.add(answer);
        return this;
    }

    private synchronized Answer next() {
        return answers.remove();
    }

    private void handle(HttpExchange exchange) {
        try (exchange) {
            var uri = exchange.getRequestURI();
            var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            var request = new Received(exchange.getRequestMethod(), uri.getRawPath(), uri.getRawQuery(),
                    exchange.getRequestHeaders(), body);
            if (request.path.equals("/oauth2/token")) {
                tokenRequests.add(request);
                send(exchange, 200, "{\"access_token\":\"token-" + tokenRequests.size() + "\",\"expires_in\":"
                        + tokenSeconds + ",\"token_type\":\"Bearer\",\"new\":1}");
                return;
            }
            received.add(request);
            next().send(exchange);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void send(HttpExchange exchange, int status, String body, String... headers) throws IOException {
        for (int i = 0; i < headers.length; i += 2) {
            exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
        }
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
