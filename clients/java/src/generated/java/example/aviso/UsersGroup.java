// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso;

import example.aviso.model.*;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Partner Users: the people a partner acts for. */
public final class UsersGroup {
    private final Transport transport;
    private final String userId;

    UsersGroup(Transport transport, String userId) {
        this.transport = transport;
        this.userId = userId;
    }

    /**
     * Export all data of a user. For users who want a copy of their data (GDPR, articles 15 and 20). The links lead to archives of JSON Lines with what this API answers, and letters as PDF: one archive for each scope of your token. Give them to nobody but the user: they need no token. They show the data of the moment at which they are opened, need no accepted terms, and end with an erasure. An archive of more than 4 MB is answered with 422; then read the lists.
     *
     * @param userId The user. The example is a user of the local stack.
     * @return the answer
     */
    public Export createExport(String userId) {
        return createExport(userId, options -> {});
    }

    /**
     * Export all data of a user, with options. For users who want a copy of their data (GDPR, articles 15 and 20). The links lead to archives of JSON Lines with what this API answers, and letters as PDF: one archive for each scope of your token. Give them to nobody but the user: they need no token. They show the data of the moment at which they are opened, need no accepted terms, and end with an erasure. An archive of more than 4 MB is answered with 422; then read the lists.
     *
     * @param userId The user. The example is a user of the local stack.
     * @param options sets options
     * @return the answer
     */
    public Export createExport(String userId, Consumer<KeyedOptions> options) {
        var call = new Call("POST", "/identity/v1/users/{userId}/exports", null, true);
        call.path("userId", userId);
        options.accept(new KeyedOptions(call));
        return transport.send(call, ExportResponse.class).data().export();
    }

    /**
     * Create a Partner User. If you already have a user with this externalId, the response is 200 with that user, unchanged.
     *
     * @param body what to send
     * @return the answer
     */
    public User create(CreateUserRequest body) {
        return create(body, options -> {});
    }

    /**
     * Create a Partner User, with options. If you already have a user with this externalId, the response is 200 with that user, unchanged.
     *
     * @param body what to send
     * @param options sets options
     * @return the answer
     */
    public User create(CreateUserRequest body, Consumer<KeyedOptions> options) {
        var call = new Call("POST", "/identity/v1/users", null, true);
        call.body(body);
        options.accept(new KeyedOptions(call));
        return transport.send(call, UserResponse.class).data().user();
    }

    /**
     * Erase a Partner User. From now on, every call for the user returns 404, including this one, and you can use the externalId for a new user. We delete all data of the user within minutes, and then end the consents at the banks. If a bank does not respond, we retry for up to an hour. A letter that has not been handed to its carrier by now is never sent; {@code withdrawals} counts these.
     *
     * @param userId The user. The example is a user of the local stack.
     * @return the answer
     */
    public Erasure delete(String userId) {
        return delete(userId, options -> {});
    }

    /**
     * Erase a Partner User, with options. From now on, every call for the user returns 404, including this one, and you can use the externalId for a new user. We delete all data of the user within minutes, and then end the consents at the banks. If a bank does not respond, we retry for up to an hour. A letter that has not been handed to its carrier by now is never sent; {@code withdrawals} counts these.
     *
     * @param userId The user. The example is a user of the local stack.
     * @param options sets options
     * @return the answer
     */
    public Erasure delete(String userId, Consumer<PlainOptions> options) {
        var call = new Call("DELETE", "/identity/v1/users/{userId}", null, false);
        call.path("userId", userId);
        options.accept(new PlainOptions(call));
        return transport.send(call, ErasureResponse.class).data().erasure();
    }

    /**
     * Find a Partner User by your own ID. The user that you created with this externalId.
     *
     * @return the answer
     */
    public User find() {
        return find(options -> {});
    }

    /**
     * Find a Partner User by your own ID, with options. The user that you created with this externalId.
     *
     * @param options sets options
     * @return the answer
     */
    public User find(Consumer<FindUserOptions> options) {
        var call = new Call("GET", "/identity/v1/users", null, false);
        options.accept(new FindUserOptions(call));
        return transport.send(call, UserResponse.class).data().user();
    }

    /**
     * Get the receipt of an erasure. The status of the erasure, and how much was erased of each kind. The receipt has no personal data, and we keep it.
     *
     * @param erasureId The erasure, as deleteUser returned it.
     * @return the answer
     */
    public ErasureReceipt getErasure(String erasureId) {
        return getErasure(erasureId, options -> {});
    }

    /**
     * Get the receipt of an erasure, with options. The status of the erasure, and how much was erased of each kind. The receipt has no personal data, and we keep it.
     *
     * @param erasureId The erasure, as deleteUser returned it.
     * @param options sets options
     * @return the answer
     */
    public ErasureReceipt getErasure(String erasureId, Consumer<PlainOptions> options) {
        var call = new Call("GET", "/identity/v1/erasures/{erasureId}", null, false);
        call.path("erasureId", erasureId);
        options.accept(new PlainOptions(call));
        return transport.send(call, ErasureReceiptResponse.class).data().erasure();
    }

    /**
     * Get new links of an export. Each link works for an hour. Ask for new ones within a day.
     *
     * @param userId The user. The example is a user of the local stack.
     * @param exportId An export of the user, from createExport.
     * @return the answer
     */
    public Export getExport(String userId, String exportId) {
        return getExport(userId, exportId, options -> {});
    }

    /**
     * Get new links of an export, with options. Each link works for an hour. Ask for new ones within a day.
     *
     * @param userId The user. The example is a user of the local stack.
     * @param exportId An export of the user, from createExport.
     * @param options sets options
     * @return the answer
     */
    public Export getExport(String userId, String exportId, Consumer<PlainOptions> options) {
        var call = new Call("GET", "/identity/v1/users/{userId}/exports/{exportId}", null, false);
        call.path("userId", userId);
        call.path("exportId", exportId);
        options.accept(new PlainOptions(call));
        return transport.send(call, ExportResponse.class).data().export();
    }

    /**
     * Get a Partner User. One of your users, by the ID that we gave it.
     *
     * @param userId The user. The example is a user of the local stack.
     * @return the answer
     */
    public User get(String userId) {
        return get(userId, options -> {});
    }

    /**
     * Get a Partner User, with options. One of your users, by the ID that we gave it.
     *
     * @param userId The user. The example is a user of the local stack.
     * @param options sets options
     * @return the answer
     */
    public User get(String userId, Consumer<PlainOptions> options) {
        var call = new Call("GET", "/identity/v1/users/{userId}", null, false);
        call.path("userId", userId);
        options.accept(new PlainOptions(call));
        return transport.send(call, UserResponse.class).data().user();
    }

    /**
     * Update a Partner User. Members that are not sent keep their values. If another user has the externalId, the answer is 409.
     *
     * @param userId The user. The example is a user of the local stack.
     * @param body what to send
     * @return the answer
     */
    public User update(String userId, UpdateUserRequest body) {
        return update(userId, body, options -> {});
    }

    /**
     * Update a Partner User, with options. Members that are not sent keep their values. If another user has the externalId, the answer is 409.
     *
     * @param userId The user. The example is a user of the local stack.
     * @param body what to send
     * @param options sets options
     * @return the answer
     */
    public User update(String userId, UpdateUserRequest body, Consumer<PlainOptions> options) {
        var call = new Call("PATCH", "/identity/v1/users/{userId}", null, false);
        call.path("userId", userId);
        call.body(body);
        options.accept(new PlainOptions(call));
        return transport.send(call, UserResponse.class).data().user();
    }

    /** Options of {@code findUser}. */
    public static final class FindUserOptions extends CallOptions<FindUserOptions> {

        FindUserOptions(Call call) {
            super(call);
        }

        /**
         * Your own ID for the user.
         *
         * @param externalId the value
         * @return these options
         */
        public FindUserOptions externalId(String externalId) {
            return query("externalId", externalId);
        }
    }
}
