package example.aviso;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import example.aviso.WebhookVerificationException.Reason;
import example.aviso.model.Event;
import example.aviso.model.UnknownEvent;
import example.aviso.model.WebhookPingEvent;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallbackVerifierTest {
    // The example of the Standard Webhooks specification.
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final Logger LOGGER = Logger.getLogger(CallbackHandler.class.getName());
    private static final String OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    private static final String PING = """
            {"eventId":"e-1","eventType":"webhook.ping","occurredAt":"2026-03-02T09:34:58Z","environment":"dream",\
            "isSimulated":true,"userId":"","data":{"message":"ä","more":1},"new":{}}""";

    private final ClientTest.TestClock clock = new ClientTest.TestClock();

    @Test
    void verifiesTheSpecificationsExample() {
        clock.now = Instant.ofEpochSecond(1614265330);
        var headers = Map.of("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp", "1614265330",
                "webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        var body = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);
        var event = new CallbackVerifier(clock, SECRET).verify(body, headers::get);
        assertInstanceOf(UnknownEvent.class, event);
    }

    @Test
    void readsTheEvent() {
        var event = verify(PING, signed(PING, 0, SECRET), SECRET);
        assertEquals("ä", assertInstanceOf(WebhookPingEvent.class, event).data().message());
        assertEquals("dream", event.environment());
        assertTrue(event.isSimulated());
        var acknowledgement = new String(new CallbackVerifier(clock, SECRET).acknowledgement(), StandardCharsets.UTF_8);
        assertEquals("{\"isAcknowledged\":true,\"timestamp\":\"2026-03-02T09:30:00Z\"}", acknowledgement);
    }

    @Test
    void returnsEventsOfUnknownTypes() {
        var body = PING.replace("webhook.ping", "moon.landed");
        var event = verify(body, signed(body, 0, SECRET), SECRET);
        assertEquals("ä", assertInstanceOf(UnknownEvent.class, event).data().get("message"));
        assertEquals("moon.landed", event.eventType());
    }

    @Test
    void acceptsRotatedSecretsAndSeveralSignatures() {
        verify(PING, signed(PING, 0, OTHER), SECRET, OTHER);
        verify(PING, signed(PING, 0, SECRET), SECRET, "", null);
        verify(PING, signed(PING, 0, OTHER, SECRET), SECRET);
        var headers = signed(PING, 0, SECRET);
        headers.put("Webhook-Signature", List.of("v1a,xyz nonsense " + headers.get("Webhook-Signature").get(0)));
        verify(PING, headers, SECRET);
    }

    @ParameterizedTest
    @ValueSource(longs = {-299, 299})
    void toleratesFiveMinutes(long seconds) {
        verify(PING, signed(PING, seconds, SECRET), SECRET);
    }

    @Test
    void refusesOldAndFutureCallbacks() {
        refused(Reason.TIMESTAMP_TOO_OLD, PING, signed(PING, -301, SECRET), SECRET);
        refused(Reason.TIMESTAMP_TOO_NEW, PING, signed(PING, 301, SECRET), SECRET);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "whsec_", "whsec_!", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"})
    void refusesSecretsThatWereNotIssuedLikeThat(String secret) {
        var e = assertThrows(IllegalArgumentException.class, () -> new CallbackVerifier(secret));
        assertEquals("the webhook secret must be given as it was issued, with whsec_", e.getMessage());
    }

    @Test
    void refusesWhatIsNotGenuine() {
        refused(Reason.SIGNATURE_MISMATCH, PING + " ", signed(PING, 0, SECRET), SECRET);
        refused(Reason.SIGNATURE_MISMATCH, PING, signed(PING, 0, OTHER), SECRET);
        for (var name : List.of("Webhook-Id", "Webhook-Timestamp", "Webhook-Signature")) {
            var headers = signed(PING, 0, SECRET);
            headers.remove(name);
            refused(Reason.HEADER_MISSING, PING, headers, SECRET);
        }
        var headers = signed(PING, 0, SECRET);
        headers.put("Webhook-Timestamp", List.of("soon"));
        refused(Reason.TIMESTAMP_INVALID, PING, headers, SECRET);
        refused(Reason.PAYLOAD_INVALID, "[]", signed("[]", 0, SECRET), SECRET);
        refused(Reason.PAYLOAD_INVALID, "null", signed("null", 0, SECRET), SECRET);
        assertThrows(IllegalArgumentException.class, () -> new CallbackVerifier());
    }

    @Test
    void handlesCallbacksOfTheJdksServer() throws Exception {
        clock.now = Instant.now();
        var events = new ArrayList<Event>();
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", new CallbackHandler(events::add, SECRET));
        server.createContext("/full", new CallbackHandler(event -> { throw new IllegalStateException("full"); }, SECRET));
        var logged = logged();
        server.start();
        try {
            for (var secret : List.of(SECRET, OTHER)) {
                var answer = post(server, "/", signed(PING, 0, secret));
                assertEquals(secret.equals(SECRET) ? 200 : 401, answer.statusCode());
                assertEquals(secret.equals(SECRET), answer.body().startsWith("{\"isAcknowledged\":true,"));
            }
            assertEquals(500, post(server, "/full", signed(PING, 0, SECRET)).statusCode());
            var page = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getAddress().getPort())).build();
            assertEquals("Thank you.", HttpClient.newHttpClient().send(page, HttpResponse.BodyHandlers.ofString()).body());
        } finally {
            server.stop(0);
        }
        assertEquals(1, events.size());
        assertEquals(List.of(
                "a callback is not acknowledged: no signature matches: "
                        + "the secret is of another subscription, or the body was changed",
                "a callback is not acknowledged: full"), logged);
    }

    private static HttpResponse<String> post(HttpServer server, String path, Map<String, List<String>> headers)
            throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path))
                .POST(HttpRequest.BodyPublishers.ofString(PING));
        headers.forEach((name, values) -> request.header(name, values.get(0)));
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Returns what the handler logs from now on. */
    private static List<String> logged() {
        var lines = new CopyOnWriteArrayList<String>();
        LOGGER.setUseParentHandlers(false);
        LOGGER.addHandler(new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        });
        return lines;
    }

    private Event verify(String body, Map<String, List<String>> headers, String... secrets) {
        return new CallbackVerifier(clock, secrets).verify(body.getBytes(StandardCharsets.UTF_8), headers);
    }

    private void refused(Reason reason, String body, Map<String, List<String>> headers, String... secrets) {
        var e = assertThrows(WebhookVerificationException.class, () -> verify(body, headers, secrets));
        assertEquals(reason, e.reason());
    }

    private Map<String, List<String>> signed(String body, long seconds, String... secrets) {
        var timestamp = String.valueOf(clock.now.plus(Duration.ofSeconds(seconds)).getEpochSecond());
        var signatures = new StringBuilder();
        for (var secret : secrets) {
            try {
                var mac = Mac.getInstance("HmacSHA256");
                mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring(6)), "HmacSHA256"));
                var text = "e-1." + timestamp + "." + body;
                signatures.append(" v1,").append(
                        Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8))));
            } catch (GeneralSecurityException e) {
                throw new AssertionError(e);
            }
        }
        var headers = new LinkedHashMap<String, List<String>>();
        headers.put("Webhook-Id", List.of("e-1"));
        headers.put("Webhook-Timestamp", List.of(timestamp));
        headers.put("Webhook-Signature", List.of(signatures.substring(1)));
        return headers;
    }
}
