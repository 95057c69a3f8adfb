// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso;

import example.aviso.model.*;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Accounts of connected banks, with their balances. */
public final class UserAccountsGroup {
    private final Transport transport;
    private final String userId;

    UserAccountsGroup(Transport transport, String userId) {
        this.transport = transport;
        this.userId = userId;
    }

    /**
     * List a user's accounts. Accounts from all of the user's connections. An account that several connections share is in the list once, with the connection that holds it.
     *
     * @return the answer
     */
    public Pages<Account> list() {
        return list(options -> {});
    }

    /**
     * List a user's accounts, with options. Accounts from all of the user's connections. An account that several connections share is in the list once, with the connection that holds it.
     *
     * @param options sets options
     * @return the answer
     */
    public Pages<Account> list(Consumer<ListAccountsOptions> options) {
        var call = new Call("GET", "/openbanking/v1/accounts", userId, false);
        options.accept(new ListAccountsOptions(call));
        return new Pages<>(transport, call, AccountListResponse.class,
                answer -> new Page<>(answer.data().accounts(), answer.meta().pagination().nextToken()));
    }

    /** Options of {@code listAccounts}. */
    public static final class ListAccountsOptions extends CallOptions<ListAccountsOptions> {

        ListAccountsOptions(Call call) {
            super(call);
        }

        /**
         * Maximum number of elements in the response; more than 200 count as 200.
         *
         * @param limit the value
         * @return these options
         */
        public ListAccountsOptions limit(int limit) {
            return query("limit", limit);
        }

        /**
         * The nextToken of the previous page.
         *
         * @param nextToken the value
         * @return these options
         */
        public ListAccountsOptions nextToken(String nextToken) {
            return query("nextToken", nextToken);
        }
    }
}
