package example.aviso;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Holds the access token. However many threads want one, it is fetched once. */
final class TokenSource {
    /** A token is not used in its last minute, or in the last tenth of a short life. */
    private static final long SECONDS_TO_SPARE = 60;

    private record Token(
            @JsonProperty("access_token") String value, @JsonProperty("expires_in") long seconds) {}

    private final Transport transport;
    private final Clock clock;
    private final String authorization;
    private final ReentrantLock lock = new ReentrantLock();
    private String token;
    private Instant validUntil;

    TokenSource(Transport transport, String clientId, String clientSecret, Clock clock) {
        this.transport = transport;
        this.clock = clock;
        var credentials = encode(clientId) + ":" + encode(clientSecret);
        authorization = "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    String get() {
        lock.lock();
        try {
            if (token == null || !clock.instant().isBefore(validUntil)) {
                var call = new Call("POST", "/oauth2/token", null, false)
                        .repeatable()
                        .header("Authorization", authorization)
                        .form(Map.of("grant_type", "client_credentials"));
                var fetched = transport.sendWithoutToken(call, Token.class);
                long spare = Math.min(SECONDS_TO_SPARE, fetched.seconds / 10);
                validUntil = clock.instant().plusSeconds(fetched.seconds - spare);
                token = fetched.value;
            }
            return token;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets a token that the service has refused, unless another thread has renewed it already. */
    void forget(String refused) {
        lock.lock();
        try {
            if (refused.equals(token)) {
                token = null;
            }
        } finally {
            lock.unlock();
        }
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
