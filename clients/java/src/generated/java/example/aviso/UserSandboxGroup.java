// Generated from docs/openapi.yaml by `make clients`. Do not edit.
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
     * Advance a user's clock. Everything that would have happened to the user until then happens now, in the right order: the bank books what was pending, and continues with salary, rent and contracts; connections with automaticFetch are refreshed once a day; links and consents expire, with the events before that; letters are delivered, come back or are answered; callbacks that failed are repeated. Answers and events have the user's time. Other users are not affected. A clock only moves forward. Read it until its status is Ready. In production this operation does not exist.
     *
     * @param body what to send
     * @return the answer
     */
    public Clock advanceClock(AdvanceClockRequest body) {
        return advanceClock(body, options -> {});
    }

    /**
     * Advance a user's clock, with options. Everything that would have happened to the user until then happens now, in the right order: the bank books what was pending, and continues with salary, rent and contracts; connections with automaticFetch are refreshed once a day; links and consents expire, with the events before that; letters are delivered, come back or are answered; callbacks that failed are repeated. Answers and events have the user's time. Other users are not affected. A clock only moves forward. Read it until its status is Ready. In production this operation does not exist.
     *
     * @param body what to send
     * @param options sets options
     * @return the answer
     */
    public Clock advanceClock(AdvanceClockRequest body, Consumer<KeyedOptions> options) {
        var call = new Call("POST", "/sandbox/v1/users/{userId}/clock", null, true);
        call.path("userId", userId);
        call.body(body);
        options.accept(new KeyedOptions(call));
        return transport.send(call, ClockResponse.class).data().clock();
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

    /**
     * Get a user's clock. Every user of a sandbox has a clock of their own. It shows real time until you advance it. In production this operation does not exist.
     *
     * @return the answer
     */
    public Clock getClock() {
        return getClock(options -> {});
    }

    /**
     * Get a user's clock, with options. Every user of a sandbox has a clock of their own. It shows real time until you advance it. In production this operation does not exist.
     *
     * @param options sets options
     * @return the answer
     */
    public Clock getClock(Consumer<PlainOptions> options) {
        var call = new Call("GET", "/sandbox/v1/users/{userId}/clock", null, false);
        call.path("userId", userId);
        options.accept(new PlainOptions(call));
        return transport.send(call, ClockResponse.class).data().clock();
    }
}
