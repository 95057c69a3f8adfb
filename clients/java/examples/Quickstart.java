import com.sun.net.httpserver.HttpServer;
import example.aviso.*;
import example.aviso.model.*;
import java.net.InetSocketAddress;
import java.util.*;

public class Quickstart {
    public static void main(String[] args) throws Exception {
        var client = Aviso.create();
        var person = new CreateUserRequest().countryCode("DE").languageCode("en");
        var user = client.user(client.users().create(person).userId());
        for (Terms terms : client.terms().list()) {
            user.terms().accept(new AcceptTermsRequest().termsType(terms.termsType()).version(terms.version()));
        }
        var hook = client.webhooks().createSubscription(new CreateWebhookSubscriptionRequest()
                .serverUrl("http://127.0.0.1:8080/").events(List.of("connection.refreshed")));
        var events = new java.util.concurrent.LinkedBlockingQueue<Event>();
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 8080), 0);
        server.createContext("/", new CallbackHandler(events::add, hook.secret().key()));
        server.start();
        var bank = client.providers().list(options -> options.providerNameFilter("linden")).iterator().next();
        var request = new CreateConnectionRequest().providerId(bank.id()).returnUrl("http://localhost:8080/");
        System.out.println("Open " + user.connections().create(request).redirectUrl());
        for (Transaction t : client.user(events.take().userId()).transactions().list()) {
            System.out.println(t.recordDate() + " " + t.amount() + " " + t.currencyCode() + " " + t.note());
        }
        server.stop(0);
    }
}
