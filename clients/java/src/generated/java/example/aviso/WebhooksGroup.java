// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso;

import example.aviso.model.*;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Event subscriptions, their secrets, and delivery attempts. */
public final class WebhooksGroup {
    private final Transport transport;
    private final String userId;

    WebhooksGroup(Transport transport, String userId) {
        this.transport = transport;
        this.userId = userId;
    }

    /**
     * Create a secret. The new secret signs from now on. The previous one keeps signing for 24 hours; during that time a callback has both signatures. Only this response contains the key.
     *
     * @param subscriptionId The subscription, from listWebhookSubscriptions.
     * @return the answer
     */
    public WebhookSecret createSecret(String subscriptionId) {
        return createSecret(subscriptionId, options -> {});
    }

    /**
     * Create a secret, with options. The new secret signs from now on. The previous one keeps signing for 24 hours; during that time a callback has both signatures. Only this response contains the key.
     *
     * @param subscriptionId The subscription, from listWebhookSubscriptions.
     * @param options sets options
     * @return the answer
     */
    public WebhookSecret createSecret(String subscriptionId, Consumer<KeyedOptions> options) {
        var call = new Call("POST", "/webhooks/v1/subscriptions/{subscriptionId}/secrets", null, true);
        call.path("subscriptionId", subscriptionId);
        call.body(Map.of());
        options.accept(new KeyedOptions(call));
        return transport.send(call, WebhookSecretResponse.class).data().secret();
    }

    /**
     * Subscribe to events. The subscription comes with its first secret. Only this response has its key: store it.
     *
     * @param body what to send
     * @return the answer
     */
    public CreatedWebhookSubscriptionData createSubscription(CreateWebhookSubscriptionRequest body) {
        return createSubscription(body, options -> {});
    }

    /**
     * Subscribe to events, with options. The subscription comes with its first secret. Only this response has its key: store it.
     *
     * @param body what to send
     * @param options sets options
     * @return the answer
     */
    public CreatedWebhookSubscriptionData createSubscription(CreateWebhookSubscriptionRequest body, Consumer<KeyedOptions> options) {
        var call = new Call("POST", "/webhooks/v1/subscriptions", null, true);
        call.body(body);
        options.accept(new KeyedOptions(call));
        return transport.send(call, CreatedWebhookSubscriptionResponse.class).data();
    }

    /**
     * Revoke a secret. The secret stops signing at once. Refused if no other secret is Active.
     *
     * @param subscriptionId The subscription, from listWebhookSubscriptions.
     * @param secretId The secret, from listWebhookSecrets.
     */
    public void deleteSecret(String subscriptionId, String secretId) {
        deleteSecret(subscriptionId, secretId, options -> {});
    }

    /**
     * Revoke a secret, with options. The secret stops signing at once. Refused if no other secret is Active.
     *
     * @param subscriptionId The subscription, from listWebhookSubscriptions.
     * @param secretId The secret, from listWebhookSecrets.
     * @param options sets options
     */
    public void deleteSecret(String subscriptionId, String secretId, Consumer<PlainOptions> options) {
        var call = new Call("DELETE", "/webhooks/v1/subscriptions/{subscriptionId}/secrets/{secretId}", null, false);
        call.path("subscriptionId", subscriptionId);
        call.path("secretId", secretId);
        options.accept(new PlainOptions(call));
        transport.send(call);
    }

    /**
     * Delete a webhook subscription. Deliveries that are pending are given up.
     *
     * @param subscriptionId The subscription, from listWebhookSubscriptions.
     */
    public void deleteSubscription(String subscriptionId) {
        deleteSubscription(subscriptionId, options -> {});
    }

    /**
     * Delete a webhook subscription, with options. Deliveries that are pending are given up.
     *
     * @param subscriptionId The subscription, from listWebhookSubscriptions.
     * @param options sets options
     */
    public void deleteSubscription(String subscriptionId, Consumer<PlainOptions> options) {
        var call = new Call("DELETE", "/webhooks/v1/subscriptions/{subscriptionId}", null, false);
        call.path("subscriptionId", subscriptionId);
        options.accept(new PlainOptions(call));
        transport.send(call);
    }

    /**
     * Get a webhook subscription. The URL and events of the subscription, and whether it receives events.
     *
     * @param subscriptionId The subscription, from listWebhookSubscriptions.
     * @return the answer
     */
    public WebhookSubscription getSubscription(String subscriptionId) {
        return getSubscription(subscriptionId, options -> {});
    }

    /**
     * Get a webhook subscription, with options. The URL and events of the subscription, and whether it receives events.
     *
     * @param subscriptionId The subscription, from listWebhookSubscriptions.
     * @param options sets options
     * @return the answer
     */
    public WebhookSubscription getSubscription(String subscriptionId, Consumer<PlainOptions> options) {
        var call = new Call("GET", "/webhooks/v1/subscriptions/{subscriptionId}", null, false);
        call.path("subscriptionId", subscriptionId);
        options.accept(new PlainOptions(call));
        return transport.send(call, WebhookSubscriptionResponse.class).data().subscription();
    }

    /**
     * List delivery attempts. Every callback of the last 30 days and its outcome, newest first.
     *
     * @param subscriptionId The subscription, from listWebhookSubscriptions.
     * @return the answer
     */
    public Pages<DeliveryAttempt> listDeliveryAttempts(String subscriptionId) {
        return listDeliveryAttempts(subscriptionId, options -> {});
    }

    /**
     * List delivery attempts, with options. Every callback of the last 30 days and its outcome, newest first.
     *
     * @param subscriptionId The subscription, from listWebhookSubscriptions.
     * @param options sets options
     * @return the answer
     */
    public Pages<DeliveryAttempt> listDeliveryAttempts(String subscriptionId, Consumer<ListDeliveryAttemptsOptions> options) {
        var call = new Call("GET", "/webhooks/v1/subscriptions/{subscriptionId}/attempts", null, false);
        call.path("subscriptionId", subscriptionId);
        options.accept(new ListDeliveryAttemptsOptions(call));
        return new Pages<>(transport, call, DeliveryAttemptListResponse.class,
                answer -> new Page<>(answer.data().attempts(), answer.meta().pagination().nextToken()));
    }

    /**
     * List event types. Each event type has the JSON Schema of its data and an example.
     *
     * @return the answer
     */
    public List<EventType> listEventTypes() {
        return listEventTypes(options -> {});
    }

    /**
     * List event types, with options. Each event type has the JSON Schema of its data and an example.
     *
     * @param options sets options
     * @return the answer
     */
    public List<EventType> listEventTypes(Consumer<PlainOptions> options) {
        var call = new Call("GET", "/webhooks/v1/event-types", null, false);
        options.accept(new PlainOptions(call));
        return transport.send(call, EventTypeListResponse.class).data().eventTypes();
    }

    /**
     * List the secrets of a subscription. Newest first, without their keys. Revoked secrets stay in the list for 30 days.
     *
     * @param subscriptionId The subscription, from listWebhookSubscriptions.
     * @return the answer
     */
    public List<WebhookSecret> listSecrets(String subscriptionId) {
        return listSecrets(subscriptionId, options -> {});
    }

    /**
     * List the secrets of a subscription, with options. Newest first, without their keys. Revoked secrets stay in the list for 30 days.
     *
     * @param subscriptionId The subscription, from listWebhookSubscriptions.
     * @param options sets options
     * @return the answer
     */
    public List<WebhookSecret> listSecrets(String subscriptionId, Consumer<PlainOptions> options) {
        var call = new Call("GET", "/webhooks/v1/subscriptions/{subscriptionId}/secrets", null, false);
        call.path("subscriptionId", subscriptionId);
        options.accept(new PlainOptions(call));
        return transport.send(call, WebhookSecretListResponse.class).data().secrets();
    }

    /**
     * List webhook subscriptions. All of your subscriptions, at most 50.
     *
     * @return the answer
     */
    public List<WebhookSubscription> listSubscriptions() {
        return listSubscriptions(options -> {});
    }

    /**
     * List webhook subscriptions, with options. All of your subscriptions, at most 50.
     *
     * @param options sets options
     * @return the answer
     */
    public List<WebhookSubscription> listSubscriptions(Consumer<PlainOptions> options) {
        var call = new Call("GET", "/webhooks/v1/subscriptions", null, false);
        options.accept(new PlainOptions(call));
        return transport.send(call, WebhookSubscriptionListResponse.class).data().subscriptions();
    }

    /**
     * Simulate an event. The event is delivered like any other, with isSimulated set to true. Refused if no Active subscription includes its type. Not available in production.
     *
     * @param body what to send
     * @return the answer
     */
    public SimulatedEvent simulateEvent(SimulateEventRequest body) {
        return simulateEvent(body, options -> {});
    }

    /**
     * Simulate an event, with options. The event is delivered like any other, with isSimulated set to true. Refused if no Active subscription includes its type. Not available in production.
     *
     * @param body what to send
     * @param options sets options
     * @return the answer
     */
    public SimulatedEvent simulateEvent(SimulateEventRequest body, Consumer<KeyedOptions> options) {
        var call = new Call("POST", "/webhooks/v1/events", null, true);
        call.body(body);
        options.accept(new KeyedOptions(call));
        return transport.send(call, SimulatedEventResponse.class).data().event();
    }

    /**
     * Update a webhook subscription. Members that are not sent keep their values. Further attempts of pending deliveries use the new values.
     *
     * @param subscriptionId The subscription, from listWebhookSubscriptions.
     * @param body what to send
     * @return the answer
     */
    public WebhookSubscription updateSubscription(String subscriptionId, UpdateWebhookSubscriptionRequest body) {
        return updateSubscription(subscriptionId, body, options -> {});
    }

    /**
     * Update a webhook subscription, with options. Members that are not sent keep their values. Further attempts of pending deliveries use the new values.
     *
     * @param subscriptionId The subscription, from listWebhookSubscriptions.
     * @param body what to send
     * @param options sets options
     * @return the answer
     */
    public WebhookSubscription updateSubscription(String subscriptionId, UpdateWebhookSubscriptionRequest body, Consumer<PlainOptions> options) {
        var call = new Call("PATCH", "/webhooks/v1/subscriptions/{subscriptionId}", null, false);
        call.path("subscriptionId", subscriptionId);
        call.body(body);
        options.accept(new PlainOptions(call));
        return transport.send(call, WebhookSubscriptionResponse.class).data().subscription();
    }

    /**
     * Pause or resume a webhook subscription. A paused subscription never gets the events that happen meanwhile. If the next attempt of a delivery is due during the pause, the delivery is given up.
     *
     * @param subscriptionId The subscription, from listWebhookSubscriptions.
     * @param body what to send
     * @return the answer
     */
    public WebhookSubscription updateSubscriptionStatus(String subscriptionId, UpdateWebhookSubscriptionStatusRequest body) {
        return updateSubscriptionStatus(subscriptionId, body, options -> {});
    }

    /**
     * Pause or resume a webhook subscription, with options. A paused subscription never gets the events that happen meanwhile. If the next attempt of a delivery is due during the pause, the delivery is given up.
     *
     * @param subscriptionId The subscription, from listWebhookSubscriptions.
     * @param body what to send
     * @param options sets options
     * @return the answer
     */
    public WebhookSubscription updateSubscriptionStatus(String subscriptionId, UpdateWebhookSubscriptionStatusRequest body, Consumer<PlainOptions> options) {
        var call = new Call("PUT", "/webhooks/v1/subscriptions/{subscriptionId}/status", null, false);
        call.path("subscriptionId", subscriptionId);
        call.body(body);
        options.accept(new PlainOptions(call));
        return transport.send(call, WebhookSubscriptionResponse.class).data().subscription();
    }

    /** Options of {@code listDeliveryAttempts}. */
    public static final class ListDeliveryAttemptsOptions extends CallOptions<ListDeliveryAttemptsOptions> {

        ListDeliveryAttemptsOptions(Call call) {
            super(call);
        }

        /**
         * Maximum number of elements in the response; more than 200 count as 200.
         *
         * @param limit the value
         * @return these options
         */
        public ListDeliveryAttemptsOptions limit(int limit) {
            return query("limit", limit);
        }

        /**
         * The nextToken of the previous page.
         *
         * @param nextToken the value
         * @return these options
         */
        public ListDeliveryAttemptsOptions nextToken(String nextToken) {
            return query("nextToken", nextToken);
        }
    }
}
