// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso;

import example.aviso.model.*;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Deprecated; no flow needs it. */
public final class UserClientsGroup {
    private final Transport transport;
    private final String userId;

    UserClientsGroup(Transport transport, String userId) {
        this.transport = transport;
        this.userId = userId;
    }

    /**
     * Create a client. No longer needed: remove the call. It returns the same ID for a user every time.
     *
     * @param body what to send
     * @return the answer
     */
    @Deprecated
    public OpenBankingClient createOpenBankingClient(CreateOpenBankingClientRequest body) {
        return createOpenBankingClient(body, options -> {});
    }

    /**
     * Create a client, with options. No longer needed: remove the call. It returns the same ID for a user every time.
     *
     * @param body what to send
     * @param options sets options
     * @return the answer
     */
    @Deprecated
    public OpenBankingClient createOpenBankingClient(CreateOpenBankingClientRequest body, Consumer<KeyedOptions> options) {
        var call = new Call("POST", "/openbanking/v1/clients", userId, true);
        call.body(body);
        options.accept(new KeyedOptions(call));
        return transport.send(call, OpenBankingClientResponse.class).data().client();
    }
}
