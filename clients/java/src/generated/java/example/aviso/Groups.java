// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso;

/** The groups of operations that act for no user. */
public abstract class Groups {
    final Transport transport;

    Groups(Transport transport) {
        this.transport = transport;
    }

    /** {@return Organizations, and the contracts that can be cancelled with them.} */
    public CatalogueGroup catalogue() {
        return new CatalogueGroup(transport, null);
    }

    /** {@return Banks that users can connect.} */
    public ProvidersGroup providers() {
        return new ProvidersGroup(transport, null);
    }

    /** {@return Find organizations and products by the words in their names.} */
    public SearchGroup search() {
        return new SearchGroup(transport, null);
    }

    /** {@return Terms and conditions, and whether a user has accepted them.} */
    public TermsGroup terms() {
        return new TermsGroup(transport, null);
    }

    /** {@return Transactions of connected accounts, their categories, and what has changed.} */
    public TransactionsGroup transactions() {
        return new TransactionsGroup(transport, null);
    }

    /** {@return Partner Users: the people a partner acts for.} */
    public UsersGroup users() {
        return new UsersGroup(transport, null);
    }

    /** {@return Event subscriptions, their secrets, and delivery attempts.} */
    public WebhooksGroup webhooks() {
        return new WebhooksGroup(transport, null);
    }
}
