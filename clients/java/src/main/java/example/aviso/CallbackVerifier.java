package example.aviso;

import com.fasterxml.jackson.annotation.JsonProperty;
import example.aviso.WebhookVerificationException.Reason;
import example.aviso.model.Event;
import example.aviso.model.EventAcknowledgement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies callbacks (Standard Webhooks) and reads their events. */
public final class CallbackVerifier {
    private static final Duration TOLERANCE = Duration.ofMinutes(5);
    private static final String WRONG_SECRET = "the webhook secret must be given as it was issued, with whsec_";

    private record Kind(@JsonProperty("eventType") String eventType) {}

    private final List<SecretKeySpec> keys;
    private final Clock clock;

    /**
     * Creates a verifier.
     *
     * @param secrets the keys of the subscription, with {@code whsec_}: several while you rotate them;
     *     empty ones are ignored if there is another
     */
    public CallbackVerifier(String... secrets) {
        this(Clock.systemUTC(), secrets);
    }

    CallbackVerifier(Clock clock, String... secrets) {
        this.clock = clock;
        keys = secrets == null ? List.of() : Arrays.stream(secrets).filter(secret -> secret != null && !secret.isEmpty())
                .map(CallbackVerifier::key).toList();
        if (keys.isEmpty()) {
            throw new IllegalArgumentException(WRONG_SECRET);
        }
    }

    /**
     * Verifies a callback whose headers are in a map, whatever the case of their names.
     *
     * @param body the body's bytes, as they were received
     * @param headers the headers
     * @return the event
     * @throws WebhookVerificationException if the callback is not genuine
     */
    public Event verify(byte[] body, Map<String, List<String>> headers) {
        return verify(body, name -> headers.entrySet().stream()
                .filter(header -> name.equalsIgnoreCase(header.getKey()) && !header.getValue().isEmpty())
                .map(header -> header.getValue().get(0)).findFirst().orElse(null));
    }

    /**
     * Verifies a callback.
     *
     * @param body the body's bytes, as they were received
     * @param header returns the value of a header, or null: {@code request::getHeader} in most frameworks
     * @return the event; an {@link example.aviso.model.UnknownEvent} if this version does not know its type
     * @throws WebhookVerificationException if the callback is not genuine
     */
    public Event verify(byte[] body, UnaryOperator<String> header) {
        var id = need(header, "webhook-id");
        var timestamp = need(header, "webhook-timestamp");
        var signatures = need(header, "webhook-signature");
        if (!timestamp.matches("[0-9]{1,11}")) {
            throw refused(Reason.TIMESTAMP_INVALID, "webhook-timestamp is not a number of seconds", null);
        }
        var age = Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), clock.instant());
        if (age.compareTo(TOLERANCE) > 0) {
            throw refused(Reason.TIMESTAMP_TOO_OLD, "the callback was signed more than 5 minutes ago", null);
        }
        if (age.negated().compareTo(TOLERANCE) > 0) {
            throw refused(
                    Reason.TIMESTAMP_TOO_NEW, "the callback was signed more than 5 minutes in the future", null);
        }
        boolean genuine = false;
        for (var signature : signatures.split(" ")) {
            for (var key : keys) {
                var right = ("v1," + sign(key, id, timestamp, body)).getBytes(StandardCharsets.UTF_8);
                genuine |= MessageDigest.isEqual(right, signature.getBytes(StandardCharsets.UTF_8));
            }
        }
        if (!genuine) {
            throw refused(Reason.SIGNATURE_MISMATCH,
                    "no signature matches: the secret is of another subscription, or the body was changed", null);
        }
        return read(body);
    }

    /**
     * Makes the answer to a callback: send it with status 200 once you have stored the event.
     *
     * @return the body of the answer, in JSON
     */
    public byte[] acknowledgement() {
        return Json.write(new EventAcknowledgement(true, clock.instant()));
    }

    private static Event read(byte[] body) {
        try {
            var type = Json.read(body, Kind.class).eventType;
            return Json.read(body, Event.classOf(type == null ? "" : type));
        } catch (IOException e) {
            throw refused(Reason.PAYLOAD_INVALID, "the body is no event", e);
        }
    }

    private static String sign(SecretKeySpec key, String id, String timestamp, byte[] body) {
        try {
            var mac = Mac.getInstance(key.getAlgorithm());
            mac.init(key);
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static SecretKeySpec key(String secret) {
        try {
            if (secret.startsWith("whsec_")) {
                return new SecretKeySpec(Base64.getDecoder().decode(secret.substring(6)), "HmacSHA256");
            }
        } catch (IllegalArgumentException e) {
            // It is not Base64, or empty. The cause is left out: it shows a part of the secret.
        }
        throw new IllegalArgumentException(WRONG_SECRET);
    }

    private static String need(UnaryOperator<String> header, String name) {
        var value = header.apply(name);
        if (value == null || value.isBlank()) {
            throw refused(Reason.HEADER_MISSING, name + " is missing", null);
        }
        return value;
    }

    private static WebhookVerificationException refused(Reason reason, String message, Throwable cause) {
        return new WebhookVerificationException(reason, message, cause);
    }
}
