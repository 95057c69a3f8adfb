package example.aviso;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import example.aviso.model.AcceptTermsRequest;
import example.aviso.model.CreateConnectionRequest;
import example.aviso.model.CreateUserRequest;
import example.aviso.model.CreateWebhookSubscriptionRequest;
import example.aviso.model.Event;
import example.aviso.model.SimulateEventRequest;
import example.aviso.model.UnknownEvent;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The journey, the sums and the events, against the stack at AVISO_BASE_URL. */
@Tag("stack")
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StackTest {
    private static final String RETURN_URL = "http://localhost:8090/";

    @Test
    void runsTheQuickstart() throws Exception {
        var rows = new AtomicInteger();
        run("Quickstart", new File("."), line -> {
            if (line.startsWith("Open ")) {
                approve(line.substring(5), "anna", RETURN_URL);
            } else {
                assertTrue(line.contains(" EUR "), line);
                rows.incrementAndGet();
            }
        });
        assertTrue(rows.get() >= 100, rows + " rows");
    }

    @Test
    void addsUpToTheServicesOwnSums() throws Exception {
        var client = Aviso.create();
        var user = client.user(client.users().create(
                new CreateUserRequest().countryCode("DE").languageCode("en")).userId());
        for (var terms : client.terms().list()) {
            user.terms().accept(new AcceptTermsRequest().termsType(terms.termsType()).version(terms.version()));
        }
        var bank = client.providers().list(o -> o.providerNameFilter("linden")).page().items().get(0);
        for (var person : List.of("family", "anna")) {
            var link = user.connections().create(
                    new CreateConnectionRequest().providerId(bank.id()).returnUrl(RETURN_URL));
            approve(link.redirectUrl(), person, RETURN_URL);
            while (user.connections().get(link.connectionId()).lastSuccessAt().isBefore(Instant.EPOCH)) {
                Thread.sleep(200);
            }
        }

        int rows = 0;
        Map<String, BigDecimal> sums = new HashMap<>();
        for (var row : user.transactions().list(o -> o.limit(200))) {
            rows++;
            sums.merge(row.currencyCode(), row.amount(), BigDecimal::add);
        }
        Map<String, BigDecimal> totals = new HashMap<>();
        for (var type : List.of("Income", "Expense")) {
            var list = user.insights().listCategoryInsights(o -> o.granularity("alltime").transactionType(type));
            list.data().insights().forEach(i -> totals.merge(i.currencyCode(), i.amount(), BigDecimal::add));
        }
        System.out.println(rows + " rows: " + sums + "; the service's own sums: " + totals);
        assertTrue(rows >= 1652, rows + " rows");
        assertEquals(totals.keySet(), sums.keySet());
        sums.forEach((currency, sum) -> assertEquals(0, sum.compareTo(totals.get(currency)), currency));
    }

    @Test
    void hasARecordForEachEvent() throws Exception {
        var client = Aviso.create();
        var events = new LinkedBlockingQueue<Event>();
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.start();
        var created = client.webhooks().createSubscription(new CreateWebhookSubscriptionRequest()
                .serverUrl("http://127.0.0.1:" + server.getAddress().getPort() + "/").events(List.of("*")));
        server.createContext("/", new CallbackHandler(events::add, created.secret().key()));
        var id = created.subscription().subscriptionId();
        try {
            Map<String, String> expected = new HashMap<>();
            for (var type : client.webhooks().listEventTypes()) {
                assertNotEquals(UnknownEvent.class, Event.classOf(type.eventType()));
                var event = client.webhooks().simulateEvent(
                        new SimulateEventRequest().eventType(type.eventType()).subscriptionId(id));
                expected.put(event.eventId(), type.eventType());
            }
            while (!expected.isEmpty()) {
                var event = events.poll(1, TimeUnit.MINUTES);
                assertNotNull(event, () -> "these did not come: " + expected);
                var type = expected.remove(event.eventId());
                assertTrue(type == null || Event.classOf(type).isInstance(event), event::toString);
            }
        } finally {
            client.webhooks().deleteSubscription(id);
            server.stop(0);
        }
    }

    /** Takes each line that a program prints. */
    interface Printed {
        void line(String text) throws IOException, InterruptedException;
    }

    /** Runs a program, a class or a source file, in a folder. */
    static void run(String program, File folder, Printed printed) throws IOException, InterruptedException {
        var java = new File(System.getProperty("java.home"), "bin/java").getPath();
        var classPath = System.getProperty("java.class.path");
        var process = new ProcessBuilder(java, "-Dfile.encoding=UTF-8", "-cp", classPath, program)
                .directory(folder).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream()))) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                printed.line(line);
            }
            assertEquals(0, process.waitFor());
        } finally {
            process.destroyForcibly();
        }
    }

    /** Follows a link as a user's browser does, and approves. The way back needs the link's cookie. */
    static void approve(String link, String persona, String home) throws IOException, InterruptedException {
        // The JDK's own cookies are of no use: they withhold one that is Secure from http://localhost.
        var opened = send(HttpRequest.newBuilder(URI.create(link)));
        var cookie = opened.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
        var form = "persona=" + persona + "&account[]=current&account[]=savings&account[]=card&decision=approve";
        var back = send(HttpRequest.newBuilder(location(opened)).POST(BodyPublishers.ofString(form))
                .header("Content-Type", "application/x-www-form-urlencoded"));
        var end = location(send(HttpRequest.newBuilder(location(back)).header("Cookie", cookie)));
        assertTrue(end.toString().startsWith(home) && end.getQuery().contains("status=success"), end::toString);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }

    private static URI location(HttpResponse<?> answer) {
        return answer.uri().resolve(answer.headers().firstValue("Location").orElseThrow(
                () -> new AssertionError(answer.uri() + " answered " + answer.statusCode())));
    }
}
