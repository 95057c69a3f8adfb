// Generated from docs/openapi.yaml by `make clients-java`. Do not edit.
package example.aviso;

import example.aviso.model.*;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Test data of your own. Not in production. */
public final class UserSandboxGroup {
    private final Transport transport;
    private final String userId;

    UserSandboxGroup(Transport transport, String userId) {
        this.transport = transport;
        this.userId = userId;
    }

    /**
     * Add transactions to a sandbox account. The sandbox bank reports the rows from then on, and the next refresh of the connection reads them. That refresh is possible at once, whatever nextRefreshPossibleAt says. An account takes at most 500 added rows. In production this operation does not exist.
     *
     * @param body what to send
     * @return the answer
     */
    public AddedTestTransactions createTestTransactions(CreateTestTransactionsRequest body) {
        return createTestTransactions(body, options -> {});
    }

    /**
     * Add transactions to a sandbox account, with options. The sandbox bank reports the rows from then on, and the next refresh of the connection reads them. That refresh is possible at once, whatever nextRefreshPossibleAt says. An account takes at most 500 added rows. In production this operation does not exist.
     *
     * @param body what to send
     * @param options sets options
     * @return the answer
     */
    public AddedTestTransactions createTestTransactions(CreateTestTransactionsRequest body, Consumer<KeyedOptions> options) {
        var call = new Call("POST", "/sandbox/v1/users/{userId}/transactions", null, true);
        call.path("userId", userId);
        call.body(body);
        options.accept(new KeyedOptions(call));
        return transport.send(call, TestTransactionsResponse.class).data().testTransactions();
    }
}
