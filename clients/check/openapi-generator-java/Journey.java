import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.UUID;

import aviso.ApiClient;
import aviso.ApiException;
import aviso.api.AccountsApi;
import aviso.api.AuthenticationApi;
import aviso.api.ConnectionsApi;
import aviso.api.ProvidersApi;
import aviso.api.TermsApi;
import aviso.api.TransactionsApi;
import aviso.api.UsersApi;
import aviso.model.AcceptTermsRequest;
import aviso.model.CreateConnectionRequest;
import aviso.model.CreateUserRequest;
import aviso.model.Problem;
import aviso.model.Transaction;

/** Connects two people's accounts and reads them with the generated client. */
final class Journey {
    private Journey() {
    }

    public static void main(String[] arguments) throws Exception {
        var basic = Base64.getEncoder().encodeToString("sandbox:sandbox-secret".getBytes());
        var token = new AuthenticationApi(client("BASE_URL", "Basic " + basic))
            .createToken("client_credentials", null, null, null).getAccessToken();
        var api = client("BASE_URL", "Bearer " + token);

        var user = new UsersApi(api).createUser(new CreateUserRequest().countryCode("DE").languageCode("en"), null, null)
            .getData().getUser().getUserId();
        System.out.println("user " + user);
        for (var terms : new TermsApi(api).listTerms(null).getData().getTerms()) {
            var type = AcceptTermsRequest.TermsTypeEnum.fromValue(terms.getTermsType());
            new TermsApi(api).acceptTerms(user, new AcceptTermsRequest().termsType(type).version(terms.getVersion()), null, null);
        }
        connect(api, user, "family");
        var connection = connect(api, user, "anna");

        System.out.println("accounts " + new AccountsApi(api).listAccounts(user.toString(), null, null, null).getData().getAccounts().size());
        int count = 0;
        var sum = BigDecimal.ZERO;
        String more = null;
        do {
            var page = new TransactionsApi(api)
                .listTransactions(user.toString(), null, 200, more, null, null, null, null, null, null, null, null, null, null);
            for (Transaction row : page.getData().getTransactions()) {
                sum = sum.add(row.getAmount());
                count++;
            }
            more = page.getMeta().getPagination().getNextToken();
        } while (more != null);
        System.out.println("transactions " + count);
        System.out.println("sum " + sum.setScale(2));

        try {
            new TransactionsApi(api).getTransaction(user.toString(), UUID.randomUUID(), null);
        } catch (ApiException refused) {
            var problem = api.getObjectMapper().readValue(refused.getResponseBody(), Problem.class);
            System.out.println("error " + problem.getStatus() + " " + problem.getCode());
        }

        var later = client("FUTURE_URL", "Bearer " + token);
        var state = new ConnectionsApi(later).getConnection(user.toString(), connection, null).getData().getConnection();
        var account = new AccountsApi(later).listAccounts(user.toString(), null, null, null).getData().getAccounts().get(0);
        var rows = new TransactionsApi(later)
            .listTransactions(user.toString(), null, 4, null, null, null, null, null, null, null, null, null, null, null)
            .getData().getTransactions();
        var future = new StringBuilder("future");
        for (Transaction row : rows) {
            future.append(' ').append(row.getAmount().toPlainString());
        }
        System.out.println(future + " " + state.getConnectionStatus() + " " + account.getAccountType() + " "
            + rows.get(0).getRecordState());
    }

    private static ApiClient client(String address, String authorization) {
        var client = new ApiClient();
        client.updateBaseUri(System.getenv(address));
        client.setRequestInterceptor(request -> request.header("Authorization", authorization));
        return client;
    }

    private static UUID connect(ApiClient api, UUID user, String persona) throws Exception {
        var bank = new ProvidersApi(api).listProviders(null, null, null, null, "linden", null, null).getData().getProviders().get(0);
        var request = new CreateConnectionRequest().providerId(bank.getId()).returnUrl(URI.create("http://localhost:8080/"));
        var link = new ConnectionsApi(api).createConnection(user.toString(), request, null, null).getData();
        var approval = HttpRequest.newBuilder(URI.create(System.getenv("APPROVE_URL") + persona))
            .POST(HttpRequest.BodyPublishers.ofString(link.getRedirectUrl().toString())).build();
        HttpClient.newHttpClient().send(approval, HttpResponse.BodyHandlers.discarding());
        while (new ConnectionsApi(api).getConnection(user.toString(), link.getConnectionId(), null)
            .getData().getConnection().getLastSuccessAt().getYear() == 1) {
            Thread.sleep(200);
        }
        return link.getConnectionId();
    }
}
