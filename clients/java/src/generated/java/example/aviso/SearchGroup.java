// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso;

import example.aviso.model.*;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Find organizations and products by the words in their names. */
public final class SearchGroup {
    private final Transport transport;
    private final String userId;

    SearchGroup(Transport transport, String userId) {
        this.transport = transport;
        this.userId = userId;
    }

    /**
     * Search organizations and products. Searches names by their words, in any order, and returns the best match first. Case, accents and the spelling of umlauts (ä, ae, a) do not matter. Words of four or more letters may contain one typo. The beginning of a word also matches. A product also matches by the name of its organization. If no name contains all words, rare words decide and common ones are ignored.
     *
     * @return the answer
     */
    public SearchResponse searchCatalogue() {
        return searchCatalogue(options -> {});
    }

    /**
     * Search organizations and products, with options. Searches names by their words, in any order, and returns the best match first. Case, accents and the spelling of umlauts (ä, ae, a) do not matter. Words of four or more letters may contain one typo. The beginning of a word also matches. A product also matches by the name of its organization. If no name contains all words, rare words decide and common ones are ignored.
     *
     * @param options sets options
     * @return the answer
     */
    public SearchResponse searchCatalogue(Consumer<SearchCatalogueOptions> options) {
        var call = new Call("GET", "/cancellations/v1/search", null, false);
        options.accept(new SearchCatalogueOptions(call));
        return transport.send(call, SearchResponse.class);
    }

    /** Options of {@code searchCatalogue}. */
    public static final class SearchCatalogueOptions extends CallOptions<SearchCatalogueOptions> {
        /** A value of {@code confirmed}. */
        public static final String CONFIRMED_TRUE = "true";
        /** A value of {@code confirmed}. */
        public static final String CONFIRMED_FALSE = "false";

        SearchCatalogueOptions(Call call) {
            super(call);
        }

        /**
         * Maximum number of elements in each of the two lists; more than 200 count as 200.
         *
         * @param limit the value
         * @return these options
         */
        public SearchCatalogueOptions limit(int limit) {
            return query("limit", limit);
        }

        /**
         * The nextToken of the previous page's meta.pagination.
         *
         * @param nextToken the value
         * @return these options
         */
        public SearchCatalogueOptions nextToken(String nextToken) {
            return query("nextToken", nextToken);
        }

        /**
         * Words from the name of an organization, a product, or both; the last word may be incomplete.
         *
         * @param searchQuery the value
         * @return these options
         */
        public SearchCatalogueOptions searchQuery(String searchQuery) {
            return query("searchQuery", searchQuery);
        }

        /**
         * Only what is offered in this locale.
         *
         * @param locale the value
         * @return these options
         */
        public SearchCatalogueOptions locale(String locale) {
            return query("locale", locale);
        }

        /**
         * Only organizations in this category, and their products.
         *
         * @param categoryId the value
         * @return these options
         */
        public SearchCatalogueOptions categoryId(String categoryId) {
            return query("categoryId", categoryId);
        }

        /**
         * Only organizations whose address is confirmed, or only the others, and their products.
         *
         * @param confirmed the value
         * @return these options
         */
        public SearchCatalogueOptions confirmed(String confirmed) {
            return query("confirmed", confirmed);
        }
    }
}
