// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso;

import example.aviso.model.*;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Users' connections to their banks: authorise, refresh, renew, delete. */
public final class UserConnectionsGroup {
    private final Transport transport;
    private final String userId;

    UserConnectionsGroup(Transport transport, String userId) {
        this.transport = transport;
        this.userId = userId;
    }

    /**
     * Connect a user's bank account. Send the user to redirectUrl before expiresAt. The bank asks the user for consent. Then the user returns to returnUrl, with connectionId and status (success, failed, cancelled) in the query. If the user has connected this bank before, the new connection takes over the accounts that both list, with their IDs, history and categories. An older connection that keeps no account becomes Expired with the reason ConsentReplaced.
     *
     * @param body what to send
     * @return the answer
     */
    public ConnectionLink create(CreateConnectionRequest body) {
        return create(body, options -> {});
    }

    /**
     * Connect a user's bank account, with options. Send the user to redirectUrl before expiresAt. The bank asks the user for consent. Then the user returns to returnUrl, with connectionId and status (success, failed, cancelled) in the query. If the user has connected this bank before, the new connection takes over the accounts that both list, with their IDs, history and categories. An older connection that keeps no account becomes Expired with the reason ConsentReplaced.
     *
     * @param body what to send
     * @param options sets options
     * @return the answer
     */
    public ConnectionLink create(CreateConnectionRequest body, Consumer<KeyedOptions> options) {
        var call = new Call("POST", "/openbanking/v1/connections", userId, true);
        call.body(body);
        options.accept(new KeyedOptions(call));
        return transport.send(call, ConnectionLinkResponse.class).data();
    }

    /**
     * Delete a connection. The connection and the accounts that it holds disappear at once, their transactions within 20 seconds. Accounts that another connection has taken over stay. We end the consent at the bank.
     *
     * @param connectionId A connection of the user, from listConnections.
     */
    public void delete(String connectionId) {
        delete(connectionId, options -> {});
    }

    /**
     * Delete a connection, with options. The connection and the accounts that it holds disappear at once, their transactions within 20 seconds. Accounts that another connection has taken over stay. We end the consent at the bank.
     *
     * @param connectionId A connection of the user, from listConnections.
     * @param options sets options
     */
    public void delete(String connectionId, Consumer<PlainOptions> options) {
        var call = new Call("DELETE", "/openbanking/v1/connections/{connectionId}", userId, false);
        call.path("connectionId", connectionId);
        options.accept(new PlainOptions(call));
        transport.send(call);
    }

    /**
     * Get a connection. Its status, and the reason for it.
     *
     * @param connectionId A connection of the user, from listConnections.
     * @return the answer
     */
    public Connection get(String connectionId) {
        return get(connectionId, options -> {});
    }

    /**
     * Get a connection, with options. Its status, and the reason for it.
     *
     * @param connectionId A connection of the user, from listConnections.
     * @param options sets options
     * @return the answer
     */
    public Connection get(String connectionId, Consumer<PlainOptions> options) {
        var call = new Call("GET", "/openbanking/v1/connections/{connectionId}", userId, false);
        call.path("connectionId", connectionId);
        options.accept(new PlainOptions(call));
        return transport.send(call, ConnectionResponse.class).data().connection();
    }

    /**
     * List a user's connections. All of the user's connections, whatever their status. The order is stable but has no meaning.
     *
     * @return the answer
     */
    public Pages<Connection> list() {
        return list(options -> {});
    }

    /**
     * List a user's connections, with options. All of the user's connections, whatever their status. The order is stable but has no meaning.
     *
     * @param options sets options
     * @return the answer
     */
    public Pages<Connection> list(Consumer<ListConnectionsOptions> options) {
        var call = new Call("GET", "/openbanking/v1/connections", userId, false);
        options.accept(new ListConnectionsOptions(call));
        return new Pages<>(transport, call, ConnectionListResponse.class,
                answer -> new Page<>(answer.data().connections(), answer.meta().pagination().nextToken()));
    }

    /**
     * List the consents of a connection. For a permission dashboard: each answer that the user gave on our consent page, the latest first, with the words of the page and how the consent ended. They stay when the connection is deleted. Empty if the operator has no consent page; then keep your own record.
     *
     * @param connectionId A connection of the user, from listConnections.
     * @return the answer
     */
    public List<Consent> listConsents(String connectionId) {
        return listConsents(connectionId, options -> {});
    }

    /**
     * List the consents of a connection, with options. For a permission dashboard: each answer that the user gave on our consent page, the latest first, with the words of the page and how the consent ended. They stay when the connection is deleted. Empty if the operator has no consent page; then keep your own record.
     *
     * @param connectionId A connection of the user, from listConnections.
     * @param options sets options
     * @return the answer
     */
    public List<Consent> listConsents(String connectionId, Consumer<PlainOptions> options) {
        var call = new Call("GET", "/openbanking/v1/connections/{connectionId}/consents", userId, false);
        call.path("connectionId", connectionId);
        options.accept(new PlainOptions(call));
        return transport.send(call, ConsentListResponse.class).data().consents();
    }

    /**
     * Renew or repair a connection. Creates a new link to the bank for the same connection. The connection, its accounts and its transactions keep their IDs. An Active connection stays as it is until the user authorises the new consent; any other becomes Pending. Any earlier link stops working. If the user shares none of the accounts that we know, we read nothing and end the new consent: the connection becomes ActionRequired with the reason AccountsMismatch.
     *
     * @param connectionId A connection of the user, from listConnections.
     * @param body what to send
     * @return the answer
     */
    public ConnectionLink reconnect(String connectionId, ReconnectConnectionRequest body) {
        return reconnect(connectionId, body, options -> {});
    }

    /**
     * Renew or repair a connection, with options. Creates a new link to the bank for the same connection. The connection, its accounts and its transactions keep their IDs. An Active connection stays as it is until the user authorises the new consent; any other becomes Pending. Any earlier link stops working. If the user shares none of the accounts that we know, we read nothing and end the new consent: the connection becomes ActionRequired with the reason AccountsMismatch.
     *
     * @param connectionId A connection of the user, from listConnections.
     * @param body what to send
     * @param options sets options
     * @return the answer
     */
    public ConnectionLink reconnect(String connectionId, ReconnectConnectionRequest body, Consumer<KeyedOptions> options) {
        var call = new Call("POST", "/openbanking/v1/connections/{connectionId}/reconnect", userId, true);
        call.path("connectionId", connectionId);
        call.body(body);
        options.accept(new KeyedOptions(call));
        return transport.send(call, ConnectionLinkResponse.class).data();
    }

    /**
     * Refresh a connection now. We read the bank within seconds; lastSuccessAt shows when we succeeded. Possible from nextRefreshPossibleAt on, and at most four times in any 24 hours without the user, automatic refreshes included.
     *
     * @param connectionId A connection of the user, from listConnections.
     * @return the answer
     */
    public Connection refresh(String connectionId) {
        return refresh(connectionId, options -> {});
    }

    /**
     * Refresh a connection now, with options. We read the bank within seconds; lastSuccessAt shows when we succeeded. Possible from nextRefreshPossibleAt on, and at most four times in any 24 hours without the user, automatic refreshes included.
     *
     * @param connectionId A connection of the user, from listConnections.
     * @param options sets options
     * @return the answer
     */
    public Connection refresh(String connectionId, Consumer<RefreshConnectionOptions> options) {
        var call = new Call("POST", "/openbanking/v1/connections/{connectionId}/refresh", userId, true);
        call.path("connectionId", connectionId);
        options.accept(new RefreshConnectionOptions(call));
        return transport.send(call, ConnectionResponse.class).data().connection();
    }

    /** Options of {@code listConnections}. */
    public static final class ListConnectionsOptions extends CallOptions<ListConnectionsOptions> {

        ListConnectionsOptions(Call call) {
            super(call);
        }

        /**
         * Maximum number of elements in the response; more than 200 count as 200.
         *
         * @param limit the value
         * @return these options
         */
        public ListConnectionsOptions limit(int limit) {
            return query("limit", limit);
        }

        /**
         * The nextToken of the previous page.
         *
         * @param nextToken the value
         * @return these options
         */
        public ListConnectionsOptions nextToken(String nextToken) {
            return query("nextToken", nextToken);
        }
    }

    /** Options of {@code refreshConnection}. */
    public static final class RefreshConnectionOptions extends KeyedCallOptions<RefreshConnectionOptions> {
        /** A value of {@code psuHttpMethod}. */
        public static final String PSU_HTTP_METHOD_GET = "GET";
        /** A value of {@code psuHttpMethod}. */
        public static final String PSU_HTTP_METHOD_POST = "POST";
        /** A value of {@code psuHttpMethod}. */
        public static final String PSU_HTTP_METHOD_PUT = "PUT";
        /** A value of {@code psuHttpMethod}. */
        public static final String PSU_HTTP_METHOD_PATCH = "PATCH";
        /** A value of {@code psuHttpMethod}. */
        public static final String PSU_HTTP_METHOD_DELETE = "DELETE";

        RefreshConnectionOptions(Call call) {
            super(call);
        }

        /**
         * The user's IP address, if the user is present. Such a refresh does not count towards the four in any 24 hours without the user.
         *
         * @param psuIpAddress the value
         * @return these options
         */
        public RefreshConnectionOptions psuIpAddress(String psuIpAddress) {
            return header("X-Psu-Ip-Address", psuIpAddress);
        }

        /**
         * With X-Psu-Ip-Address: the header Accept of the user's call to you. This and the following headers are passed on to banks that want them.
         *
         * @param psuAccept the value
         * @return these options
         */
        public RefreshConnectionOptions psuAccept(String psuAccept) {
            return header("X-Psu-Accept", psuAccept);
        }

        /**
         * The header Accept-Charset of the user's call.
         *
         * @param psuAcceptCharset the value
         * @return these options
         */
        public RefreshConnectionOptions psuAcceptCharset(String psuAcceptCharset) {
            return header("X-Psu-Accept-Charset", psuAcceptCharset);
        }

        /**
         * The header Accept-Encoding of the user's call.
         *
         * @param psuAcceptEncoding the value
         * @return these options
         */
        public RefreshConnectionOptions psuAcceptEncoding(String psuAcceptEncoding) {
            return header("X-Psu-Accept-Encoding", psuAcceptEncoding);
        }

        /**
         * The header Accept-Language of the user's call.
         *
         * @param psuAcceptLanguage the value
         * @return these options
         */
        public RefreshConnectionOptions psuAcceptLanguage(String psuAcceptLanguage) {
            return header("X-Psu-Accept-Language", psuAcceptLanguage);
        }

        /**
         * The header User-Agent of the user's call.
         *
         * @param psuUserAgent the value
         * @return these options
         */
        public RefreshConnectionOptions psuUserAgent(String psuUserAgent) {
            return header("X-Psu-User-Agent", psuUserAgent);
        }

        /**
         * The method of the user's call.
         *
         * @param psuHttpMethod the value
         * @return these options
         */
        public RefreshConnectionOptions psuHttpMethod(String psuHttpMethod) {
            return header("X-Psu-Http-Method", psuHttpMethod);
        }

        /**
         * A UUID of the user's device, or of your app on it.
         *
         * @param psuDeviceId the value
         * @return these options
         */
        public RefreshConnectionOptions psuDeviceId(String psuDeviceId) {
            return header("X-Psu-Device-Id", psuDeviceId);
        }

        /**
         * Where the user is.
         *
         * @param psuGeoLocation the value
         * @return these options
         */
        public RefreshConnectionOptions psuGeoLocation(String psuGeoLocation) {
            return header("X-Psu-Geo-Location", psuGeoLocation);
        }

        /**
         * The port of the user's call.
         *
         * @param psuIpPort the value
         * @return these options
         */
        public RefreshConnectionOptions psuIpPort(String psuIpPort) {
            return header("X-Psu-Ip-Port", psuIpPort);
        }
    }
}
