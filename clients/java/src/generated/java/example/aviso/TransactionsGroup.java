// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso;

import example.aviso.model.*;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Transactions of connected accounts, their categories, and what has changed. */
public final class TransactionsGroup {
    private final Transport transport;
    private final String userId;

    TransactionsGroup(Transport transport, String userId) {
        this.transport = transport;
        this.userId = userId;
    }

    /**
     * List the transaction categories. Top-level categories (L1) with their subcategories (L2), ordered by ID.
     *
     * @return the answer
     */
    public List<TopCategory> listCategories() {
        return listCategories(options -> {});
    }

    /**
     * List the transaction categories, with options. Top-level categories (L1) with their subcategories (L2), ordered by ID.
     *
     * @param options sets options
     * @return the answer
     */
    public List<TopCategory> listCategories(Consumer<PlainOptions> options) {
        var call = new Call("GET", "/openbanking/v1/categories", null, false);
        options.accept(new PlainOptions(call));
        return transport.send(call, TopCategoryListResponse.class).data().categories();
    }
}
