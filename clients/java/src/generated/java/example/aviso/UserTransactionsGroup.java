// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso;

import example.aviso.model.*;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Transactions of connected accounts, their categories, and what has changed. */
public final class UserTransactionsGroup {
    private final Transport transport;
    private final String userId;

    UserTransactionsGroup(Transport transport, String userId) {
        this.transport = transport;
        this.userId = userId;
    }

    /**
     * Take back the user's category. The transaction gets the category that was found for it. If the user has chosen the category for the merchant, that choice ends for all of the merchant's transactions; the others follow within moments. Without a choice, nothing changes.
     *
     * @param transactionId A transaction of the user, from listTransactions.
     */
    public void deleteCategory(String transactionId) {
        deleteCategory(transactionId, options -> {});
    }

    /**
     * Take back the user's category, with options. The transaction gets the category that was found for it. If the user has chosen the category for the merchant, that choice ends for all of the merchant's transactions; the others follow within moments. Without a choice, nothing changes.
     *
     * @param transactionId A transaction of the user, from listTransactions.
     * @param options sets options
     */
    public void deleteCategory(String transactionId, Consumer<PlainOptions> options) {
        var call = new Call("DELETE", "/openbanking/v1/transactions/{transactionId}/category", userId, false);
        call.path("transactionId", transactionId);
        options.accept(new PlainOptions(call));
        transport.send(call);
    }

    /**
     * Get a transaction. One transaction, and how its category was found.
     *
     * @param transactionId A transaction of the user, from listTransactions.
     * @return the answer
     */
    public TransactionDetail get(String transactionId) {
        return get(transactionId, options -> {});
    }

    /**
     * Get a transaction, with options. One transaction, and how its category was found.
     *
     * @param transactionId A transaction of the user, from listTransactions.
     * @param options sets options
     * @return the answer
     */
    public TransactionDetail get(String transactionId, Consumer<PlainOptions> options) {
        var call = new Call("GET", "/openbanking/v1/transactions/{transactionId}", userId, false);
        call.path("transactionId", transactionId);
        options.accept(new PlainOptions(call));
        return transport.send(call, TransactionResponse.class).data().transaction();
    }

    /**
     * Follow changes to a user's transactions. Changes since the previous call, in the order in which they happened. If a transaction changed several times, only the last change is listed. Call again with the new since until changes is empty.
     *
     * @return the answer
     */
    public TransactionChangeList listChanges() {
        return listChanges(options -> {});
    }

    /**
     * Follow changes to a user's transactions, with options. Changes since the previous call, in the order in which they happened. If a transaction changed several times, only the last change is listed. Call again with the new since until changes is empty.
     *
     * @param options sets options
     * @return the answer
     */
    public TransactionChangeList listChanges(Consumer<ListTransactionChangesOptions> options) {
        var call = new Call("GET", "/openbanking/v1/transactions/changes", userId, false);
        options.accept(new ListTransactionChangesOptions(call));
        return transport.send(call, TransactionChangeListResponse.class).data();
    }

    /**
     * List a user's transactions. Newest day first. If few transactions match the filters, a page may have fewer elements than the limit, or none, although another page follows. Continue while there is a nextToken.
     *
     * @return the answer
     */
    public Pages<Transaction> list() {
        return list(options -> {});
    }

    /**
     * List a user's transactions, with options. Newest day first. If few transactions match the filters, a page may have fewer elements than the limit, or none, although another page follows. Continue while there is a nextToken.
     *
     * @param options sets options
     * @return the answer
     */
    public Pages<Transaction> list(Consumer<ListTransactionsOptions> options) {
        var call = new Call("GET", "/openbanking/v1/transactions", userId, false);
        options.accept(new ListTransactionsOptions(call));
        return new Pages<>(transport, call, TransactionListResponse.class,
                answer -> new Page<>(answer.data().transactions(), answer.meta().pagination().nextToken()));
    }

    /**
     * Set a transaction's category. The user's choice stays when we read the bank again. deleteTransactionCategory undoes it.
     *
     * @param transactionId A transaction of the user, from listTransactions.
     * @param body what to send
     * @return the answer
     */
    public TransactionDetail update(String transactionId, UpdateTransactionRequest body) {
        return update(transactionId, body, options -> {});
    }

    /**
     * Set a transaction's category, with options. The user's choice stays when we read the bank again. deleteTransactionCategory undoes it.
     *
     * @param transactionId A transaction of the user, from listTransactions.
     * @param body what to send
     * @param options sets options
     * @return the answer
     */
    public TransactionDetail update(String transactionId, UpdateTransactionRequest body, Consumer<PlainOptions> options) {
        var call = new Call("PATCH", "/openbanking/v1/transactions/{transactionId}", userId, false);
        call.path("transactionId", transactionId);
        call.body(body);
        options.accept(new PlainOptions(call));
        return transport.send(call, TransactionResponse.class).data().transaction();
    }

    /** Options of {@code listTransactionChanges}. */
    public static final class ListTransactionChangesOptions extends CallOptions<ListTransactionChangesOptions> {

        ListTransactionChangesOptions(Call call) {
            super(call);
        }

        /**
         * The since of the previous response. Omit it to start from the beginning.
         *
         * @param since the value
         * @return these options
         */
        public ListTransactionChangesOptions since(String since) {
            return query("since", since);
        }

        /**
         * Maximum number of changes in the response; more than 200 count as 200.
         *
         * @param limit the value
         * @return these options
         */
        public ListTransactionChangesOptions limit(int limit) {
            return query("limit", limit);
        }
    }

    /** Options of {@code listTransactions}. */
    public static final class ListTransactionsOptions extends CallOptions<ListTransactionsOptions> {
        /** A value of {@code recordState}. */
        public static final String RECORD_STATE_CLEARED = "Cleared";
        /** A value of {@code recordState}. */
        public static final String RECORD_STATE_UNCLEARED = "Uncleared";
        /** A value of {@code recordState}. */
        public static final String RECORD_STATE_VOID = "Void";
        /** A value of {@code recordType}. */
        public static final String RECORD_TYPE_INCOME = "Income";
        /** A value of {@code recordType}. */
        public static final String RECORD_TYPE_EXPENSE = "Expense";

        ListTransactionsOptions(Call call) {
            super(call);
        }

        /**
         * Maximum number of elements in the response; more than 200 count as 200.
         *
         * @param limit the value
         * @return these options
         */
        public ListTransactionsOptions limit(int limit) {
            return query("limit", limit);
        }

        /**
         * The nextToken of the previous page.
         *
         * @param nextToken the value
         * @return these options
         */
        public ListTransactionsOptions nextToken(String nextToken) {
            return query("nextToken", nextToken);
        }

        /**
         * Only transactions of this account.
         *
         * @param accountId the value
         * @return these options
         */
        public ListTransactionsOptions accountId(String accountId) {
            return query("accountId", accountId);
        }

        /**
         * First day to include.
         *
         * @param dateFrom the value
         * @return these options
         */
        public ListTransactionsOptions dateFrom(LocalDate dateFrom) {
            return query("dateFrom", dateFrom);
        }

        /**
         * Last day to include.
         *
         * @param dateTo the value
         * @return these options
         */
        public ListTransactionsOptions dateTo(LocalDate dateTo) {
            return query("dateTo", dateTo);
        }

        /**
         * Only transactions in this state.
         *
         * @param recordState the value
         * @return these options
         */
        public ListTransactionsOptions recordState(String recordState) {
            return query("recordState", recordState);
        }

        /**
         * Only transactions in this category, given as an L1 or L2 ID.
         *
         * @param categoryId the value
         * @return these options
         */
        public ListTransactionsOptions categoryId(int categoryId) {
            return query("categoryId", categoryId);
        }

        /**
         * Only transactions with this merchant or counterparty.
         *
         * @param merchantId the value
         * @return these options
         */
        public ListTransactionsOptions merchantId(String merchantId) {
            return query("merchantId", merchantId);
        }

        /**
         * Only transactions of this type.
         *
         * @param recordType the value
         * @return these options
         */
        public ListTransactionsOptions recordType(String recordType) {
            return query("recordType", recordType);
        }

        /**
         * Smallest amount to include, in major units of whatever currency. Expenses are negative: amountTo=-100 lists expenses of 100 or more.
         *
         * @param amountFrom the value
         * @return these options
         */
        public ListTransactionsOptions amountFrom(String amountFrom) {
            return query("amountFrom", amountFrom);
        }

        /**
         * Largest amount to include.
         *
         * @param amountTo the value
         * @return these options
         */
        public ListTransactionsOptions amountTo(String amountTo) {
            return query("amountTo", amountTo);
        }

        /**
         * Only transactions that contain all of these words: in the note, the merchant's name, or the counterparty's name, account, mandate or creditor ID. Case, accents and the spelling of umlauts do not matter. Parts of words are found too; a word of one or two characters must begin a word.
         *
         * @param text the value
         * @return these options
         */
        public ListTransactionsOptions text(String text) {
            return query("text", text);
        }
    }
}
