// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso;

import example.aviso.model.*;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Totals by category and by merchant, and the contracts found in transactions. */
public final class UserInsightsGroup {
    private final Transport transport;
    private final String userId;

    UserInsightsGroup(Transport transport, String userId) {
        this.transport = transport;
        this.userId = userId;
    }

    /**
     * Sum a user's transactions by category. One element for each category, currency and period. Pending transactions count; void ones do not. Sums are signed. Without a limit, you get all elements, at most 10,000. With a limit, you get pages.
     *
     * @return the answer
     */
    public CategoryInsightListResponse listCategoryInsights() {
        return listCategoryInsights(options -> {});
    }

    /**
     * Sum a user's transactions by category, with options. One element for each category, currency and period. Pending transactions count; void ones do not. Sums are signed. Without a limit, you get all elements, at most 10,000. With a limit, you get pages.
     *
     * @param options sets options
     * @return the answer
     */
    public CategoryInsightListResponse listCategoryInsights(Consumer<ListCategoryInsightsOptions> options) {
        var call = new Call("GET", "/openbanking/v1/insights/categories", userId, false);
        options.accept(new ListCategoryInsightsOptions(call));
        return transport.send(call, CategoryInsightListResponse.class);
    }

    /**
     * Sum a user's transactions by merchant. One element for each merchant, currency and period. Transactions that name neither merchant nor counterparty are left out, as are cash and transfers between the user's own accounts, so that the sums may be less than those by category. Pending transactions count; void ones do not. Sums are signed. Without a limit, you get all elements, at most 10,000. With a limit, you get pages.
     *
     * @return the answer
     */
    public MerchantInsightListResponse listMerchantInsights() {
        return listMerchantInsights(options -> {});
    }

    /**
     * Sum a user's transactions by merchant, with options. One element for each merchant, currency and period. Transactions that name neither merchant nor counterparty are left out, as are cash and transfers between the user's own accounts, so that the sums may be less than those by category. Pending transactions count; void ones do not. Sums are signed. Without a limit, you get all elements, at most 10,000. With a limit, you get pages.
     *
     * @param options sets options
     * @return the answer
     */
    public MerchantInsightListResponse listMerchantInsights(Consumer<ListMerchantInsightsOptions> options) {
        var call = new Call("GET", "/openbanking/v1/insights/merchants", userId, false);
        options.accept(new ListMerchantInsightsOptions(call));
        return transport.send(call, MerchantInsightListResponse.class);
    }

    /**
     * List how prices of recurring contracts changed. How the prices of running contracts changed, based on the latest payments, and whether a rise gives a right to end the contract early. Amounts that change all the time, promotions that end, and steps of over 30 percent are not price changes. Not paginated.
     *
     * @return the answer
     */
    public List<PriceChange> listPriceChanges() {
        return listPriceChanges(options -> {});
    }

    /**
     * List how prices of recurring contracts changed, with options. How the prices of running contracts changed, based on the latest payments, and whether a rise gives a right to end the contract early. Amounts that change all the time, promotions that end, and steps of over 30 percent are not price changes. Not paginated.
     *
     * @param options sets options
     * @return the answer
     */
    public List<PriceChange> listPriceChanges(Consumer<ListPriceChangesOptions> options) {
        var call = new Call("GET", "/openbanking/v1/insights/price-changes", userId, false);
        options.accept(new ListPriceChangesOptions(call));
        return transport.send(call, PriceChangeListResponse.class).data().priceChanges();
    }

    /**
     * List a user's recurring contracts. Contracts found in the user's payments, such as phone, streaming, insurance and gym. Rent, loans, taxes and transfers between own accounts are left out, and so are contracts that have ended. The largest yearly cost comes first; amounts are not converted. Not paginated.
     *
     * @return the answer
     */
    public List<RecurringContract> listRecurringContracts() {
        return listRecurringContracts(options -> {});
    }

    /**
     * List a user's recurring contracts, with options. Contracts found in the user's payments, such as phone, streaming, insurance and gym. Rent, loans, taxes and transfers between own accounts are left out, and so are contracts that have ended. The largest yearly cost comes first; amounts are not converted. Not paginated.
     *
     * @param options sets options
     * @return the answer
     */
    public List<RecurringContract> listRecurringContracts(Consumer<PlainOptions> options) {
        var call = new Call("GET", "/openbanking/v1/insights/subscriptions", userId, false);
        options.accept(new PlainOptions(call));
        return transport.send(call, RecurringContractListResponse.class).data().subscriptions();
    }

    /**
     * List what cancelled contracts save. Contracts that were cancelled and whose debits have stopped: the cancellation's outcome is Ended. One element for each currency; amounts are not converted. Not paginated.
     *
     * @return the answer
     */
    public List<Savings> listSavings() {
        return listSavings(options -> {});
    }

    /**
     * List what cancelled contracts save, with options. Contracts that were cancelled and whose debits have stopped: the cancellation's outcome is Ended. One element for each currency; amounts are not converted. Not paginated.
     *
     * @param options sets options
     * @return the answer
     */
    public List<Savings> listSavings(Consumer<PlainOptions> options) {
        var call = new Call("GET", "/openbanking/v1/insights/savings", userId, false);
        options.accept(new PlainOptions(call));
        return transport.send(call, SavingsListResponse.class).data().savings();
    }

    /**
     * Say when a contract began, or what it is for. What the user says replaces what was found in the payments, and stays when the bank is read again. The deadline is computed from it. You can also change contracts that have ended.
     *
     * @param subscriptionId The contract.
     * @param body what to send
     * @return the answer
     */
    public RecurringContract updateRecurringContract(String subscriptionId, UpdateRecurringContractRequest body) {
        return updateRecurringContract(subscriptionId, body, options -> {});
    }

    /**
     * Say when a contract began, or what it is for, with options. What the user says replaces what was found in the payments, and stays when the bank is read again. The deadline is computed from it. You can also change contracts that have ended.
     *
     * @param subscriptionId The contract.
     * @param body what to send
     * @param options sets options
     * @return the answer
     */
    public RecurringContract updateRecurringContract(String subscriptionId, UpdateRecurringContractRequest body, Consumer<PlainOptions> options) {
        var call = new Call("PATCH", "/openbanking/v1/insights/subscriptions/{subscriptionId}", userId, false);
        call.path("subscriptionId", subscriptionId);
        call.body(body);
        options.accept(new PlainOptions(call));
        return transport.send(call, RecurringContractResponse.class).data().subscription();
    }

    /** Options of {@code listCategoryInsights}. */
    public static final class ListCategoryInsightsOptions extends CallOptions<ListCategoryInsightsOptions> {
        /** A value of {@code transactionType}. */
        public static final String TRANSACTION_TYPE_INCOME = "Income";
        /** A value of {@code transactionType}. */
        public static final String TRANSACTION_TYPE_EXPENSE = "Expense";
        /** A value of {@code granularity}. */
        public static final String GRANULARITY_ALLTIME = "alltime";
        /** A value of {@code granularity}. */
        public static final String GRANULARITY_DAILY = "daily";
        /** A value of {@code granularity}. */
        public static final String GRANULARITY_WEEKLY = "weekly";
        /** A value of {@code granularity}. */
        public static final String GRANULARITY_MONTHLY = "monthly";
        /** A value of {@code granularity}. */
        public static final String GRANULARITY_QUARTERLY = "quarterly";
        /** A value of {@code granularity}. */
        public static final String GRANULARITY_YEARLY = "yearly";
        /** A value of {@code orderBy}. */
        public static final String ORDER_BY_AMOUNT = "amount";
        /** A value of {@code orderBy}. */
        public static final String ORDER_BY_NUMBER_OF_TRANSACTIONS = "numberOfTransactions";
        /** A value of {@code orderBy}. */
        public static final String ORDER_BY_NAME = "name";
        /** A value of {@code categoryLevel}. */
        public static final String CATEGORY_LEVEL_L1 = "L1";
        /** A value of {@code categoryLevel}. */
        public static final String CATEGORY_LEVEL_L2 = "L2";

        ListCategoryInsightsOptions(Call call) {
            super(call);
        }

        /**
         * Direction to sum.
         *
         * @param transactionType the value
         * @return these options
         */
        public ListCategoryInsightsOptions transactionType(String transactionType) {
            return query("transactionType", transactionType);
        }

        /**
         * Length of a period. Weeks start on Monday.
         *
         * @param granularity the value
         * @return these options
         */
        public ListCategoryInsightsOptions granularity(String granularity) {
            return query("granularity", granularity);
        }

        /**
         * amount sorts by absolute value, largest first.
         *
         * @param orderBy the value
         * @return these options
         */
        public ListCategoryInsightsOptions orderBy(String orderBy) {
            return query("orderBy", orderBy);
        }

        /**
         * First day to include.
         *
         * @param dateFrom the value
         * @return these options
         */
        public ListCategoryInsightsOptions dateFrom(LocalDate dateFrom) {
            return query("dateFrom", dateFrom);
        }

        /**
         * Last day to include.
         *
         * @param dateTo the value
         * @return these options
         */
        public ListCategoryInsightsOptions dateTo(LocalDate dateTo) {
            return query("dateTo", dateTo);
        }

        /**
         * Only transactions of this account.
         *
         * @param accountId the value
         * @return these options
         */
        public ListCategoryInsightsOptions accountId(String accountId) {
            return query("accountId", accountId);
        }

        /**
         * Maximum number of elements in the response; more than 200 count as 200. Without it, the response has all.
         *
         * @param limit the value
         * @return these options
         */
        public ListCategoryInsightsOptions limit(int limit) {
            return query("limit", limit);
        }

        /**
         * The nextToken of the previous page.
         *
         * @param nextToken the value
         * @return these options
         */
        public ListCategoryInsightsOptions nextToken(String nextToken) {
            return query("nextToken", nextToken);
        }

        /**
         * L1: categories; L2: subcategories.
         *
         * @param categoryLevel the value
         * @return these options
         */
        public ListCategoryInsightsOptions categoryLevel(String categoryLevel) {
            return query("categoryLevel", categoryLevel);
        }
    }

    /** Options of {@code listMerchantInsights}. */
    public static final class ListMerchantInsightsOptions extends CallOptions<ListMerchantInsightsOptions> {
        /** A value of {@code transactionType}. */
        public static final String TRANSACTION_TYPE_INCOME = "Income";
        /** A value of {@code transactionType}. */
        public static final String TRANSACTION_TYPE_EXPENSE = "Expense";
        /** A value of {@code granularity}. */
        public static final String GRANULARITY_ALLTIME = "alltime";
        /** A value of {@code granularity}. */
        public static final String GRANULARITY_DAILY = "daily";
        /** A value of {@code granularity}. */
        public static final String GRANULARITY_WEEKLY = "weekly";
        /** A value of {@code granularity}. */
        public static final String GRANULARITY_MONTHLY = "monthly";
        /** A value of {@code granularity}. */
        public static final String GRANULARITY_QUARTERLY = "quarterly";
        /** A value of {@code granularity}. */
        public static final String GRANULARITY_YEARLY = "yearly";
        /** A value of {@code orderBy}. */
        public static final String ORDER_BY_AMOUNT = "amount";
        /** A value of {@code orderBy}. */
        public static final String ORDER_BY_NUMBER_OF_TRANSACTIONS = "numberOfTransactions";
        /** A value of {@code orderBy}. */
        public static final String ORDER_BY_NAME = "name";

        ListMerchantInsightsOptions(Call call) {
            super(call);
        }

        /**
         * Direction to sum.
         *
         * @param transactionType the value
         * @return these options
         */
        public ListMerchantInsightsOptions transactionType(String transactionType) {
            return query("transactionType", transactionType);
        }

        /**
         * Length of a period. Weeks start on Monday.
         *
         * @param granularity the value
         * @return these options
         */
        public ListMerchantInsightsOptions granularity(String granularity) {
            return query("granularity", granularity);
        }

        /**
         * amount sorts by absolute value, largest first.
         *
         * @param orderBy the value
         * @return these options
         */
        public ListMerchantInsightsOptions orderBy(String orderBy) {
            return query("orderBy", orderBy);
        }

        /**
         * First day to include.
         *
         * @param dateFrom the value
         * @return these options
         */
        public ListMerchantInsightsOptions dateFrom(LocalDate dateFrom) {
            return query("dateFrom", dateFrom);
        }

        /**
         * Last day to include.
         *
         * @param dateTo the value
         * @return these options
         */
        public ListMerchantInsightsOptions dateTo(LocalDate dateTo) {
            return query("dateTo", dateTo);
        }

        /**
         * Only transactions of this account.
         *
         * @param accountId the value
         * @return these options
         */
        public ListMerchantInsightsOptions accountId(String accountId) {
            return query("accountId", accountId);
        }

        /**
         * Maximum number of elements in the response; more than 200 count as 200. Without it, the response has all.
         *
         * @param limit the value
         * @return these options
         */
        public ListMerchantInsightsOptions limit(int limit) {
            return query("limit", limit);
        }

        /**
         * The nextToken of the previous page.
         *
         * @param nextToken the value
         * @return these options
         */
        public ListMerchantInsightsOptions nextToken(String nextToken) {
            return query("nextToken", nextToken);
        }
    }

    /** Options of {@code listPriceChanges}. */
    public static final class ListPriceChangesOptions extends CallOptions<ListPriceChangesOptions> {

        ListPriceChangesOptions(Call call) {
            super(call);
        }

        /**
         * Only changes of this contract.
         *
         * @param subscriptionId the value
         * @return these options
         */
        public ListPriceChangesOptions subscriptionId(String subscriptionId) {
            return query("subscriptionId", subscriptionId);
        }

        /**
         * The day on which the organization told the user of the rise, for lastDay. It needs subscriptionId.
         *
         * @param noticeDate the value
         * @return these options
         */
        public ListPriceChangesOptions noticeDate(LocalDate noticeDate) {
            return query("noticeDate", noticeDate);
        }

        /**
         * The language of the texts, and the country whose law applies to contracts whose product is not known. By default the language is that of the product.
         *
         * @param locale the value
         * @return these options
         */
        public ListPriceChangesOptions locale(String locale) {
            return query("locale", locale);
        }
    }
}
