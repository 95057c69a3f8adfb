package example.aviso;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import example.aviso.CallbackException.Reason;
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
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallbackVerifierTest {
    // The example of the Standard Webhooks specification.
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
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

    @ParameterizedTest
    @ValueSource(longs = {-301, 301})
    void refusesOldAndFutureCallbacks(long seconds) {
        refused(Reason.BAD_TIME, PING, signed(PING, seconds, SECRET), SECRET);
    }

    @Test
    void refusesWhatIsNotGenuine() {
        refused(Reason.BAD_SIGNATURE, PING + " ", signed(PING, 0, SECRET), SECRET);
        refused(Reason.BAD_SIGNATURE, PING, signed(PING, 0, OTHER), SECRET);
        for (var name : List.of("Webhook-Id", "Webhook-Timestamp", "Webhook-Signature")) {
            var headers = signed(PING, 0, SECRET);
            headers.remove(name);
            refused(Reason.BAD_HEADERS, PING, headers, SECRET);
        }
        var headers = signed(PING, 0, SECRET);
        headers.put("Webhook-Timestamp", List.of("soon"));
        refused(Reason.BAD_HEADERS, PING, headers, SECRET);
        refused(Reason.BAD_BODY, "[]", signed("[]", 0, SECRET), SECRET);
        refused(Reason.BAD_BODY, "null", signed("null", 0, SECRET), SECRET);
        assertThrows(IllegalArgumentException.class, () -> new CallbackVerifier());
    }

    @Test
    void handlesCallbacksOfTheJdksServer() throws Exception {
        clock.now = Instant.now();
        var events = new ArrayList<Event>();
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", new CallbackHandler(events::add, SECRET));
        server.start();
        try {
            for (var secret : List.of(SECRET, OTHER)) {
                var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
                        .POST(HttpRequest.BodyPublishers.ofString(PING));
                signed(PING, 0, secret).forEach((name, values) -> request.header(name, values.get(0)));
                var answer = HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
                assertEquals(secret.equals(SECRET) ? 200 : 401, answer.statusCode());
                assertEquals(secret.equals(SECRET), answer.body().startsWith("{\"isAcknowledged\":true,"));
            }
        } finally {
            server.stop(0);
        }
        assertEquals(1, events.size());
    }

    private Event verify(String body, Map<String, List<String>> headers, String... secrets) {
        return new CallbackVerifier(clock, secrets).verify(body.getBytes(StandardCharsets.UTF_8), headers);
    }

    private void refused(Reason reason, String body, Map<String, List<String>> headers, String... secrets) {
        var e = assertThrows(CallbackException.class, () -> verify(body, headers, secrets));
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
