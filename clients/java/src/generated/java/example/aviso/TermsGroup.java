// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso;

import example.aviso.model.*;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Terms and conditions, and whether a user has accepted them. */
public final class TermsGroup {
    private final Transport transport;
    private final String userId;

    TermsGroup(Transport transport, String userId) {
        this.transport = transport;
        this.userId = userId;
    }

    /**
     * List the terms in force. Users accept exactly these versions. Once a new version is in force, they have to accept again. A version that is published ahead is listed after the one that it replaces; who accepts it needs no other. Users who have not accepted can still list their connections, end them, and leave.
     *
     * @return the answer
     */
    public List<Terms> list() {
        return list(options -> {});
    }

    /**
     * List the terms in force, with options. Users accept exactly these versions. Once a new version is in force, they have to accept again. A version that is published ahead is listed after the one that it replaces; who accepts it needs no other. Users who have not accepted can still list their connections, end them, and leave.
     *
     * @param options sets options
     * @return the answer
     */
    public List<Terms> list(Consumer<PlainOptions> options) {
        var call = new Call("GET", "/identity/v1/terms", null, false);
        options.accept(new PlainOptions(call));
        return transport.send(call, TermsListResponse.class).data().terms();
    }
}
