package example.aviso;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** One call of an operation. It stays the same over all its attempts, and so does its idempotency key. */
final class Call {
    static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    private static final Set<String> REPEATABLE_METHODS = Set.of("GET", "PUT", "DELETE");

    private final String method;
    private final Map<String, String> query;
    private final Map<String, String> headers;
    private String path;
    private byte[] body = {};
    private boolean repeatable;
    Duration timeout;

    Call(String method, String path, String userId, boolean keyed) {
        this.method = method;
        this.path = path;
        query = new LinkedHashMap<>();
        headers = new LinkedHashMap<>();
        repeatable = keyed || REPEATABLE_METHODS.contains(method);
        header("X-User-Id", userId);
        if (keyed) {
            header(IDEMPOTENCY_KEY, UUID.randomUUID().toString());
        }
    }

    private Call(Call other) {
        method = other.method;
        path = other.path;
        body = other.body;
        timeout = other.timeout;
        repeatable = other.repeatable;
        query = new LinkedHashMap<>(other.query);
        headers = new LinkedHashMap<>(other.headers);
    }

    Call path(String name, String value) {
        path = path.replace("{" + name + "}", encode(value));
        return this;
    }

    Call query(String name, Object value) {
        return put(query, name, value);
    }

    Call header(String name, Object value) {
        return put(headers, name, value);
    }

    Call body(Object value) {
        body = Json.write(value);
        return header("Content-Type", "application/json");
    }

    Call form(Map<String, String> values) {
        body = join(values).getBytes(StandardCharsets.UTF_8);
        return header("Content-Type", "application/x-www-form-urlencoded");
    }

    Call repeatable() {
        repeatable = true;
        return this;
    }

    /** Returns the same call for another page. */
    Call page(String nextToken) {
        return new Call(this).query("nextToken", nextToken);
    }

    /** Reports whether the service may receive the call twice without doing something twice. */
    boolean isRepeatable() {
        return repeatable;
    }

    HttpRequest request(String baseUrl) {
        var uri = URI.create(baseUrl + path + (query.isEmpty() ? "" : "?" + join(query)));
        var publisher = body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
        var request = HttpRequest.newBuilder(uri).method(method, publisher);
        headers.forEach(request::setHeader);
        return request.build();
    }

    private Call put(Map<String, String> values, String name, Object value) {
        if (value == null) {
            values.remove(name);
        } else {
            values.put(name, value.toString());
        }
        return this;
    }

    private static String join(Map<String, String> values) {
        return values.entrySet().stream().map(e -> encode(e.getKey()) + "=" + encode(e.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
