package example.aviso;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The samples that the reference shows, against the stack at AVISO_BASE_URL. */
@Tag("stack")
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SamplesTest {
    private static final Path SNIPPETS = Path.of("../../docs/snippets");

    /** What follows a sample: it takes from the answer what later samples need. */
    private static final Map<String, String> FOLLOWING = Map.ofEntries(
            Map.entry("createUser", "userId = user.userId();"),
            Map.entry("acceptTerms", """
                    for (var t : client.terms().list()) {
                        client.user(userId).terms().accept(
                                new AcceptTermsRequest().termsType(t.termsType()).version(t.version()));
                    }"""),
            Map.entry("listProviders", "providerId = providers.iterator().next().id();"),
            Map.entry("createConnection", """
                    connectionId = link.connectionId();
                    System.out.println("Open " + link.redirectUrl());
                    var connections = client.user(userId).connections();
                    while (connections.get(connectionId).lastSuccessAt().isBefore(Instant.EPOCH)) {
                        Thread.sleep(200);
                    }"""),
            Map.entry("listAccounts",
                    "accountId = client.user(userId).accounts().list().iterator().next().accountId();"),
            Map.entry("listTransactions",
                    "transactionId = client.user(userId).transactions().list().iterator().next().id();"),
            Map.entry("listRecurringContracts", """
                    subscriptionId =
                            client.user(userId).insights().listRecurringContracts().iterator().next().subscriptionId();"""),
            Map.entry("searchCatalogue", "organizationId = found.data().organizations().get(0).id();"),
            Map.entry("listProducts",
                    "productId = client.catalogue().listProducts(organizationId).get(0).productId();"),
            Map.entry("listReplies",
                    "replyId = client.user(userId).cancellations().listReplies(cancellationId).get(0).replyId();"),
            Map.entry("createCancellation", "cancellationId = created.cancellation().cancellationId();"),
            Map.entry("createWebhookSubscription", """
                    subscriptionId = created.subscription().subscriptionId();
                    secretId = created.secret().secretId();"""),
            Map.entry("createExport", "exportId = export.exportId();"),
            Map.entry("deleteUser", "erasureId = erasure.erasureId();"));

    private static final String PROGRAM = """
            import example.aviso.*;
            import example.aviso.model.*;
            import java.math.BigDecimal;
            import java.net.URI;
            import java.net.http.*;
            import java.nio.charset.StandardCharsets;
            import java.nio.file.*;
            import java.time.Instant;
            import java.time.LocalDate;
            import java.util.List;
            import java.util.Map;

            @SuppressWarnings("deprecation") // createOpenBankingClient is deprecated
            class Samples {
                static String baseUrl = System.getenv("AVISO_BASE_URL");
                static String clientId = System.getenv("AVISO_CLIENT_ID");
                static String clientSecret = System.getenv("AVISO_CLIENT_SECRET");
                static Aviso client = Aviso.create();
                static String userId, providerId, connectionId, accountId, transactionId;
                static String organizationId, productId, cancellationId, subscriptionId, secretId, erasureId, replyId;
                static String exportId;

                public static void main(String[] args) throws Exception {
            """;

    /** Returns the README's cancellation, of another contract with the same organization. */
    private static String cancellationOfTheReadme() throws IOException {
        var block = Pattern.compile("## Cancel a contract.*?```java\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("README.md"))).results().findFirst().orElseThrow().group(1);
        return """
                {
                    var user = client.user(userId);
                    var form = Map.of("NAME", "Anna Sommer", "ADDRESS", "Lindenallee 12", "ZIP", "50667", "CITY", "Köln",
                            "EMAIL", "anna.sommer@example.org", "CUSTOMER_NUMBER", "K-204818",
                            "DATA_DELETE_REQUEST", "false");
                """ + block + """
                    System.out.println(made.cancellation().status());
                }
                """;
    }

    @Test
    void allRun(@TempDir Path folder) throws Exception {
        var calls = new StringBuilder(PROGRAM);
        var methods = new StringBuilder();
        for (var line : Files.readAllLines(SNIPPETS.resolve("order.txt"))) {
            var operation = line.split(" ")[0];
            var sample = Files.readString(SNIPPETS.resolve("java/" + operation + ".java"));
            calls.append(operation).append("();\n");
            methods.append("static void ").append(operation).append("() throws Exception {\n")
                    .append(sample).append(FOLLOWING.getOrDefault(operation, ""))
                    .append(operation.equals("createCancellation") ? cancellationOfTheReadme() : "").append("\n}\n");
        }
        var program = folder.resolve("Samples.java");
        Files.writeString(program, calls + "}\n" + methods + "}\n");
        StackTest.run(program.toString(), folder.toFile(), line -> {
            if (line.startsWith("Open ")) {
                StackTest.approve(line.substring(5), "anna", "https://partner.example/back");
            }
        });
    }
}
