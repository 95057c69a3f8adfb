package example.aviso;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends calls: with a token, within the time-outs, and again where that is safe. */
final class Transport {
    /** A write may have happened before these: 503 follows one whose answer was lost on the way. */
    private static final Set<Integer> MAYBE_DONE = Set.of(502, 503, 504);

    private static final Duration FIRST_WAIT = Duration.ofMillis(500);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(8);

    private final Aviso.Builder settings;
    private final HttpClient http;
    private final TokenSource tokens;
    private final Clock clock;

    Transport(Aviso.Builder settings, HttpClient http) {
        this.settings = settings;
        this.http = http;
        this.clock = settings.clock;
        this.tokens = new TokenSource(this, settings.clientId, settings.clientSecret, clock);
    }

    <T> T send(Call call, Class<T> type) {
        return read(send(call), type);
    }

    HttpResponse<byte[]> send(Call call) {
        return retrying(call, true);
    }

    <T> T sendWithoutToken(Call call, Class<T> type) {
        return read(retrying(call, false), type);
    }

    private <T> T read(HttpResponse<byte[]> response, Class<T> type) {
        try {
            return Json.read(response.body(), type);
        } catch (IOException e) {
            throw new ConnectionFailedException(response.uri() + ": the answer is not a " + type.getSimpleName(), e, true);
        }
    }

    private HttpResponse<byte[]> retrying(Call call, boolean withToken) {
        long deadline = System.nanoTime() + (call.timeout == null ? settings.timeout : call.timeout).toNanos();
        boolean renewed = false;
        for (int retries = 0;;) {
            String token = withToken ? tokens.get() : null;
            if (withToken) {
                call.header("Authorization", "Bearer " + token);
            }
            AvisoException failure;
            try {
                var response = exchange(call.request(settings.baseUrl), deadline);
                if (response.statusCode() < 300) {
                    return response;
                }
                failure = ApiException.of(response, clock.instant());
            } catch (ConnectionFailedException e) {
                failure = e;
            }
            if (withToken && !renewed && failure instanceof AuthenticationException) {
                renewed = true;
                tokens.forget(token);
                continue;
            }
            var wait = pause(failure, retries);
            if (retries++ >= settings.retries || !mayRepeat(call, failure)
                    || System.nanoTime() + wait.toNanos() >= deadline) {
                throw failure;
            }
            sleep(wait, failure);
        }
    }

    private HttpResponse<byte[]> exchange(HttpRequest request, long deadline) {
        var address = request.method() + " " + request.uri().getPath();
        var exchange = http.sendAsync(
                HttpRequest.newBuilder(request, (name, value) -> true)
                        .setHeader("User-Agent", Aviso.USER_AGENT).build(),
                BodyHandlers.ofByteArray());
        long left = Math.min(deadline - System.nanoTime(), settings.attemptTimeout.toNanos());
        try {
            // HttpRequest's own time-out would end with the headers of the answer.
            return exchange.get(left, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            exchange.cancel(true);
            throw new ConnectionFailedException(address + ": no answer in time", e, true);
        } catch (InterruptedException e) {
            exchange.cancel(true);
            Thread.currentThread().interrupt();
            throw new ConnectionFailedException(address + ": interrupted", e, true);
        } catch (ExecutionException e) {
            var cause = e.getCause();
            boolean unsent = cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException
                    || cause instanceof UnknownHostException;
            throw new ConnectionFailedException(address + ": " + cause, cause, !unsent);
        }
    }

    private static boolean mayRepeat(Call call, AvisoException failure) {
        if (failure instanceof ConnectionFailedException lost) {
            return (call.isRepeatable() || !lost.isSent()) && !Thread.currentThread().isInterrupted();
        }
        var refused = (ApiException) failure;
        return refused.status() == 429
                || call.isRepeatable() && MAYBE_DONE.contains(refused.status())
                || refused.code().equals("idempotency_in_progress");
    }

    /** Returns what the service asks for, or else any time up to a limit that doubles. */
    private static Duration pause(AvisoException failure, int retries) {
        if (failure instanceof ApiException refused && refused.retryAfter().isPresent()) {
            return refused.retryAfter().get();
        }
        long limit = Math.min(FIRST_WAIT.toMillis() << Math.min(retries, 10), LONGEST_WAIT.toMillis());
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(limit + 1));
    }

    private void sleep(Duration wait, AvisoException failure) {
        try {
            settings.sleeper.sleep(wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure;
        }
    }
}
