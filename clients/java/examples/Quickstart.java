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
        client.terms().list().forEach(terms -> // once the user has agreed
                user.terms().accept(new AcceptTermsRequest().termsType(terms.termsType()).version(terms.version())));
        var server = HttpServer.create(new InetSocketAddress("localhost", 8090), 0); // listens from now on
        var hook = client.webhooks().createSubscription(new CreateWebhookSubscriptionRequest()
                .serverUrl("http://localhost:8090/").events(List.of("connection.refreshed")));
        var events = new java.util.concurrent.LinkedBlockingQueue<Event>();
        server.createContext("/", new CallbackHandler(events::add, hook.secret().key()));
        server.start();
        var bank = client.providers().list(options -> options.providerNameFilter("linden")).iterator().next();
        var request = new CreateConnectionRequest().providerId(bank.id()).returnUrl("http://localhost:8090/");
        System.out.println("Open " + user.connections().create(request).redirectUrl());
        while (!events.take().userId().equals(user.id())) continue; // a simulated event has no user
        for (Transaction t : user.transactions().list())
            System.out.println(t.recordDate() + " " + t.amount() + " " + t.currencyCode() + " " + t.note());
        client.webhooks().deleteSubscription(hook.subscription().subscriptionId());
        server.stop(0);
    }
}
