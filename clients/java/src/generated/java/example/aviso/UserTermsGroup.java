// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso;

import example.aviso.model.*;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Terms and conditions, and whether a user has accepted them. */
public final class UserTermsGroup {
    private final Transport transport;
    private final String userId;

    UserTermsGroup(Transport transport, String userId) {
        this.transport = transport;
        this.userId = userId;
    }

    /**
     * Record that a user accepts terms. Only the version in force can be accepted, or the one that follows. Accepting it again changes nothing.
     *
     * @param body what to send
     * @return the answer
     */
    public TermsAcceptance accept(AcceptTermsRequest body) {
        return accept(body, options -> {});
    }

    /**
     * Record that a user accepts terms, with options. Only the version in force can be accepted, or the one that follows. Accepting it again changes nothing.
     *
     * @param body what to send
     * @param options sets options
     * @return the answer
     */
    public TermsAcceptance accept(AcceptTermsRequest body, Consumer<KeyedOptions> options) {
        var call = new Call("POST", "/identity/v1/users/{userId}/terms-acceptances", null, true);
        call.path("userId", userId);
        call.body(body);
        options.accept(new KeyedOptions(call));
        return transport.send(call, TermsAcceptanceResponse.class).data().termsAcceptance();
    }

    /**
     * List the terms a user accepted. Oldest first, including previous versions.
     *
     * @return the answer
     */
    public List<TermsAcceptance> listAcceptances() {
        return listAcceptances(options -> {});
    }

    /**
     * List the terms a user accepted, with options. Oldest first, including previous versions.
     *
     * @param options sets options
     * @return the answer
     */
    public List<TermsAcceptance> listAcceptances(Consumer<PlainOptions> options) {
        var call = new Call("GET", "/identity/v1/users/{userId}/terms-acceptances", null, false);
        call.path("userId", userId);
        options.accept(new PlainOptions(call));
        return transport.send(call, TermsAcceptanceListResponse.class).data().termsAcceptances();
    }
}
