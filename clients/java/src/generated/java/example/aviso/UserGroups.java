// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso;

/** The groups of operations that act for a user. */
public abstract class UserGroups {
    final Transport transport;
    final String userId;

    UserGroups(Transport transport, String userId) {
        this.transport = transport;
        this.userId = userId;
    }

    /** {@return Accounts of connected banks, with their balances.} */
    public UserAccountsGroup accounts() {
        return new UserAccountsGroup(transport, userId);
    }

    /** {@return Users' requests to end a contract, and the letters that cancel it.} */
    public UserCancellationsGroup cancellations() {
        return new UserCancellationsGroup(transport, userId);
    }

    /** {@return Deprecated; no flow needs it.} */
    public UserClientsGroup clients() {
        return new UserClientsGroup(transport, userId);
    }

    /** {@return Users' connections to their banks: authorise, refresh, renew, delete.} */
    public UserConnectionsGroup connections() {
        return new UserConnectionsGroup(transport, userId);
    }

    /** {@return Totals by category and by merchant, and the contracts found in transactions.} */
    public UserInsightsGroup insights() {
        return new UserInsightsGroup(transport, userId);
    }

    /** {@return Test data of your own. Not in production.} */
    public UserSandboxGroup sandbox() {
        return new UserSandboxGroup(transport, userId);
    }

    /** {@return Terms and conditions, and whether a user has accepted them.} */
    public UserTermsGroup terms() {
        return new UserTermsGroup(transport, userId);
    }

    /** {@return Transactions of connected accounts, their categories, and what has changed.} */
    public UserTransactionsGroup transactions() {
        return new UserTransactionsGroup(transport, userId);
    }
}
