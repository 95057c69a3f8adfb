package example.aviso;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import example.aviso.model.CreateTestTransactionsRequest;
import example.aviso.model.CreateUserRequest;
import example.aviso.model.TestTransaction;
import example.aviso.model.UpdateUserRequest;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientTest {
    private static final String USER = "{\"data\":{\"user\":{\"userId\":\"u-1\",\"countryCode\":\"DE\"}},\"meta\":{}}";
    private static final String NO_COUNTRIES = "{\"data\":{\"countries\":[]},\"meta\":{\"pagination\":{}}}";

    private StandIn service;

    @BeforeEach
    void start() throws IOException {
        service = new StandIn();
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void sendsTokenUserAgentAndUser() {
        service.then(200, "{\"data\":{\"connection\":{\"connectionId\":\"a/b\"}},\"meta\":{}}");
        var connection = service.client().build().user("u-1").connections().get("a/b", o -> o.requestId("r-1"));
        assertEquals("a/b", connection.connectionId());
        var request = service.received.get(0);
        assertEquals("/openbanking/v1/connections/a%2Fb", request.path());
        assertEquals("Bearer token-1", request.header("Authorization"));
        assertEquals("aviso-java/1.0.0", request.header("User-agent"));
        assertEquals("u-1", request.header("X-user-id"));
        assertEquals("r-1", request.header("X-request-id"));
        // The credentials are form-encoded first (RFC 6749 §2.3.1): me:se%3Acret.
        assertEquals("Basic bWU6c2UlM0FjcmV0", service.tokenRequests.get(0).header("Authorization"));
        assertEquals("grant_type=client_credentials", service.tokenRequests.get(0).body());
    }

    @Test
    void needsCredentialsAndBaseUrl() {
        var e = assertThrows(IllegalArgumentException.class, () -> new Aviso.Builder(Map.of()).build());
        assertTrue(e.getMessage().contains("AVISO_CLIENT_ID"));
        new Aviso.Builder(Map.of("AVISO_CLIENT_ID", "a", "AVISO_CLIENT_SECRET", "b", "AVISO_BASE_URL", "http://c")).build();
        for (var url : List.of("localhost:3000", "ftp://c", "//c")) {
            var wrong = assertThrows(IllegalArgumentException.class,
                    () -> new Aviso.Builder(Map.of()).credentials("a", "b").baseUrl(url).build());
            assertEquals("the base URL must begin with http:// or https://", wrong.getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> service.client().build().user(""));
    }

    @Test
    void fetchesOneTokenForManyThreads() throws Exception {
        IntStream.range(0, 20).forEach(i -> service.then(200, NO_COUNTRIES));
        var client = service.client().build();
        var threads = Executors.newFixedThreadPool(20);
        try {
            var calls = IntStream.range(0, 20)
                    .mapToObj(i -> threads.submit(() -> client.providers().listCountries())).toList();
            for (var call : calls) {
                call.get();
            }
        } finally {
            threads.shutdown();
        }
        assertEquals(1, service.tokenRequests.size());
    }

    @Test
    void renewsTheTokenBeforeItExpires() {
        var clock = new TestClock();
        var builder = service.client();
        builder.clock = clock;
        var client = builder.build();
        for (int seconds : List.of(0, 3539, 3541)) {
            clock.now = TestClock.START.plusSeconds(seconds);
            service.then(200, NO_COUNTRIES);
            client.providers().listCountries();
        }
        assertEquals(List.of("Bearer token-1", "Bearer token-1", "Bearer token-2"),
                service.received.stream().map(r -> r.header("Authorization")).toList());
    }

    @Test
    void renewsTheTokenOnceAfter401() {
        service.then(401, "{\"code\":\"unauthorized\",\"status\":401}").then(200, NO_COUNTRIES);
        var client = service.client().retries(0).build();
        client.providers().listCountries();
        assertEquals("Bearer token-2", service.received.get(1).header("Authorization"));
        service.then(401, "").then(401, "");
        assertThrows(AuthenticationException.class, () -> client.providers().listCountries());
        assertEquals(4, service.received.size());
    }

    @Test
    void keepsTheIdempotencyKeyOverRetries() {
        service.then(503, "", "Retry-After", "7").then(429, "", "Retry-After", "0")
                .then(exchange -> { }).then(201, USER).then(201, USER).then(201, USER);
        var client = service.client().build();
        var request = new CreateUserRequest().countryCode("DE").languageCode("en");
        assertEquals("u-1", client.users().create(request).userId());
        client.users().create(request);
        client.users().create(request, o -> o.idempotencyKey("mine"));
        var keys = service.received.stream().map(r -> r.header("Idempotency-key")).toList();
        assertEquals(6, keys.size());
        assertEquals(1, new HashSet<>(keys.subList(0, 4)).size());
        assertEquals(3, new HashSet<>(keys).size());
        assertEquals("mine", keys.get(5));
        assertEquals(List.of(Duration.ofSeconds(7), Duration.ZERO), service.pauses.subList(0, 2));
        assertEquals("{\"countryCode\":\"DE\",\"languageCode\":\"en\"}", service.received.get(0).body());
        assertNull(service.tokenRequests.get(0).header("Idempotency-key"));
    }

    @ParameterizedTest
    @CsvSource({"429,2", "503,1", "502,1", "504,1", "500,1", "409,1"})
    void repeatsUnsafeCallsOnlyIfNothingHasHappened(int status, int sent) {
        service.then(status, "").then(200, USER);
        var client = service.client().build();
        Runnable call = () -> client.users().update("u-1", new UpdateUserRequest().countryCode("AT"));
        if (sent == 1) {
            assertThrows(ApiException.class, call::run);
        } else {
            call.run();
        }
        assertEquals(sent, service.received.size());
    }

    @Test
    void doesNotRepeatAnUnsafeCallThatMayHaveArrived() {
        service.then(exchange -> { }).then(200, USER);
        var client = service.client().build();
        var e = assertThrows(ConnectionFailedException.class,
                () -> client.users().update("u-1", new UpdateUserRequest().countryCode("AT")));
        assertTrue(e.isSent());
        assertEquals(1, service.received.size());
    }

    @Test
    void repeatsSafeCallsAfterBadGateways() {
        service.then(502, "<html>").then(504, "").then(200, NO_COUNTRIES);
        service.client().build().providers().listCountries();
        assertEquals(3, service.received.size());
        assertTrue(service.pauses.get(0).compareTo(Duration.ofMillis(500)) <= 0);
        assertTrue(service.pauses.get(1).compareTo(Duration.ofMillis(1000)) <= 0);
    }

    @Test
    void repeatsWhatIsInProgressWithTheSameKey() {
        service.then(409, "{\"code\":\"idempotency_in_progress\"}", "Retry-After", "1").then(201, USER);
        service.client().build().users().create(new CreateUserRequest());
        assertEquals(service.received.get(0).header("Idempotency-key"), service.received.get(1).header("Idempotency-key"));
    }

    @Test
    void boundsRetries() {
        IntStream.range(0, 5).forEach(i -> service.then(503, ""));
        var client = service.client().retries(2).build();
        assertThrows(ServerException.class, () -> client.providers().listCountries());
        assertEquals(3, service.received.size());
        var e = assertThrows(ServerException.class, () -> service.client().retries(0).build().providers().listCountries());
        assertEquals(503, e.status());
        assertEquals(4, service.received.size());
    }

    @Test
    void doesNotWaitLongerThanTheCallMayTake() {
        service.then(429, "", "Retry-After", "3600");
        var e = assertThrows(RateLimitedException.class, () -> service.client().build().providers().listCountries());
        assertEquals(Duration.ofHours(1), e.retryAfter().orElseThrow());
        assertEquals(List.of(), service.pauses);
    }

    @Test
    void readsRetryAfterAsDate() {
        var builder = service.client();
        var clock = new TestClock();
        builder.clock = clock;
        var date = ZonedDateTime.ofInstant(TestClock.START.plusSeconds(4), ZoneOffset.UTC);
        service.then(503, "", "Retry-After", DateTimeFormatter.RFC_1123_DATE_TIME.format(date)).then(200, NO_COUNTRIES);
        builder.build().providers().listCountries();
        assertEquals(List.of(Duration.ofSeconds(4)), service.pauses);
    }

    @Test
    void endsAtTheTimeOutEvenWithinABody() throws InterruptedException {
        var stop = new CountDownLatch(1);
        service.then(exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            try {
                stop.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        var client = service.client().build();
        try {
            assertTimeoutPreemptively(Duration.ofSeconds(10), () -> assertThrows(ConnectionFailedException.class,
                    () -> client.providers().listCountries(o -> o.timeout(Duration.ofMillis(300)))));
        } finally {
            stop.countDown();
        }
    }

    @Test
    void endsInterruptedCallsAtOnce() {
        var client = service.client().build();
        service.then(200, NO_COUNTRIES);
        client.providers().listCountries();
        Thread.currentThread().interrupt();
        assertThrows(ConnectionFailedException.class, () -> client.providers().listCountries());
        assertTrue(Thread.interrupted());
    }

    @Test
    void repeatsWhatNeverLeft() {
        var client = service.client().baseUrl("http://127.0.0.1:1").build();
        var e = assertThrows(ConnectionFailedException.class,
                () -> client.users().update("u-1", new UpdateUserRequest().countryCode("AT")));
        assertFalse(e.isSent());
        assertEquals(3, service.pauses.size());
    }

    @Test
    void iteratesOverAllPagesLazily() {
        var client = service.client().build();
        page("a,b", "n-1");
        page("", "n 2");
        page("c", null);
        var ids = client.user("u").transactions().list(o -> o.limit(2).text("ä &")).stream().map(t -> t.id()).toList();
        assertEquals(List.of("a", "b", "c"), ids);
        assertEquals(List.of("limit=2&text=%C3%A4%20%26", "limit=2&text=%C3%A4%20%26&nextToken=n-1",
                "limit=2&text=%C3%A4%20%26&nextToken=n%202"), service.received.stream().map(r -> r.query()).toList());
        page("a,b", "n-1");
        assertEquals("a", client.user("u").transactions().list().iterator().next().id());
        page("d", "n-9");
        var page = client.user("u").transactions().list(o -> o.nextToken("n-8")).page();
        assertEquals("d", page.items().get(0).id());
        assertEquals("n-9", page.nextToken());
        assertEquals(5, service.received.size());
    }

    private void page(String ids, String nextToken) {
        var items = ids.isEmpty() ? "" : "{\"id\":\"" + ids.replace(",", "\"},{\"id\":\"") + "\"}";
        var pagination = nextToken == null ? "{}" : "{\"nextToken\":\"" + nextToken + "\"}";
        service.then(200, "{\"data\":{\"transactions\":[" + items + "]},\"meta\":{\"pagination\":" + pagination + "}}");
    }

    @Test
    void readsWhatItDoesNotKnow() {
        service.then(200, "{\"data\":{\"transactions\":[{\"id\":\"a\",\"recordState\":\"Imagined\",\"colour\":{}}],"
                + "\"more\":1},\"meta\":{\"pagination\":{},\"x\":[]},\"y\":2}");
        assertEquals("Imagined", service.client().build().user("u").transactions().list().toList().get(0).recordState());
    }

    @Test
    void keepsDecimals() {
        service.then(200, "{\"data\":{\"transactions\":[{\"amount\":0.1},{\"amount\":0.20},{\"amount\":1234567.89},"
                + "{\"amount\":90071992547409.93},{\"amount\":1e2}]},\"meta\":{\"pagination\":{}}}");
        var user = service.client().build().user("u");
        var sum = user.transactions().list().stream().map(t -> t.amount()).reduce(BigDecimal.ZERO, BigDecimal::add);
        assertEquals(0, new BigDecimal("90071993782078.12").compareTo(sum), sum.toString());
        service.then(201, "{\"data\":{\"testTransactions\":{\"added\":1}},\"meta\":{}}");
        user.sandbox().createTestTransactions(new CreateTestTransactionsRequest().transactions(
                List.of(new TestTransaction().amount(new BigDecimal("1E+5")).note("n"))));
        var request = service.received.get(1);
        assertTrue(request.body().contains("\"amount\":100000,"), request.body());
        assertEquals("/sandbox/v1/users/u/transactions", request.path());
        assertNull(request.header("X-user-id"));
    }

    @ParameterizedTest
    @CsvSource({"400,ValidationException", "401,AuthenticationException", "403,PermissionDeniedException",
        "404,NotFoundException", "409,ConflictException", "413,ValidationException", "422,ValidationException",
        "429,RateLimitedException", "500,ServerException", "503,ServerException"})
    void typesProblems(int status, String name) {
        var body = "{\"status\":" + status + ",\"code\":\"c\",\"traceId\":\"t\",\"title\":\"T\",\"detail\":\"D\","
                + "\"errors\":[{\"code\":\"required\",\"pointer\":\"/x\",\"detail\":\"is wrong\",\"new\":1}],\"type\":\"about:blank\",\"n\":{}}";
        service.then(status, body, "Retry-After", "9").then(status, body);
        var client = service.client().retries(0).build();
        var e = assertThrows(ApiException.class, () -> client.providers().listCountries());
        assertEquals(name, e.getClass().getSimpleName());
        assertEquals(status, e.status());
        assertEquals("c", e.code());
        if (status != 401) {
            assertEquals(Duration.ofSeconds(9), e.retryAfter().orElseThrow());
        }
        assertEquals("t", e.traceId());
        assertEquals("/x", e.errors().get(0).pointer());
        assertEquals(status + " c: D (/x is wrong), trace ID t", e.getMessage());
    }

    @Test
    void survivesErrorsThatAreNoProblems() {
        service.then(500, "<html>", "X-Request-Id", "r-1");
        var e = assertThrows(ServerException.class, () -> service.client().build().providers().listCountries());
        assertEquals("", e.code());
        assertEquals("r-1", e.traceId());
        assertEquals("500 without a problem document: is this Aviso's address?, trace ID r-1", e.getMessage());
        assertEquals(List.of(), e.errors());
        service.then(200, "not JSON");
        assertInstanceOf(ConnectionFailedException.class, assertThrows(AvisoException.class,
                () -> service.client().build().providers().listCountries()));
        assertNotNull(e.problem());
    }

    /** A clock that stands still. */
    static final class TestClock extends Clock {
        static final Instant START = Instant.parse("2026-03-02T09:30:00Z");
        Instant now = START;

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
