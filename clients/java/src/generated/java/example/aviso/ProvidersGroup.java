// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso;

import example.aviso.model.*;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Banks that users can connect. */
public final class ProvidersGroup {
    private final Transport transport;
    private final String userId;

    ProvidersGroup(Transport transport, String userId) {
        this.transport = transport;
        this.userId = userId;
    }

    /**
     * Get a bank. One bank by its ID.
     *
     * @param providerId The bank, from listProviders. The example is a bank of the sandbox.
     * @return the answer
     */
    public Provider get(String providerId) {
        return get(providerId, options -> {});
    }

    /**
     * Get a bank, with options. One bank by its ID.
     *
     * @param providerId The bank, from listProviders. The example is a bank of the sandbox.
     * @param options sets options
     * @return the answer
     */
    public Provider get(String providerId, Consumer<PlainOptions> options) {
        var call = new Call("GET", "/openbanking/v1/providers/{providerId}", null, false);
        call.path("providerId", providerId);
        options.accept(new PlainOptions(call));
        return transport.send(call, ProviderResponse.class).data().provider();
    }

    /**
     * List countries that have banks. Countries with at least one bank, ordered by code.
     *
     * @return the answer
     */
    public List<ProviderCountry> listCountries() {
        return listCountries(options -> {});
    }

    /**
     * List countries that have banks, with options. Countries with at least one bank, ordered by code.
     *
     * @param options sets options
     * @return the answer
     */
    public List<ProviderCountry> listCountries(Consumer<PlainOptions> options) {
        var call = new Call("GET", "/openbanking/v1/providers/countries", null, false);
        options.accept(new PlainOptions(call));
        return transport.send(call, ProviderCountryListResponse.class).data().countries();
    }

    /**
     * List or search banks. Ordered by name. With bic or bankCode, ordered by country.
     *
     * @return the answer
     */
    public Pages<Provider> list() {
        return list(options -> {});
    }

    /**
     * List or search banks, with options. Ordered by name. With bic or bankCode, ordered by country.
     *
     * @param options sets options
     * @return the answer
     */
    public Pages<Provider> list(Consumer<ListProvidersOptions> options) {
        var call = new Call("GET", "/openbanking/v1/providers", null, false);
        options.accept(new ListProvidersOptions(call));
        return new Pages<>(transport, call, ProviderListResponse.class,
                answer -> new Page<>(answer.data().providers(), answer.meta().pagination().nextToken()));
    }

    /** Options of {@code listProviders}. */
    public static final class ListProvidersOptions extends CallOptions<ListProvidersOptions> {

        ListProvidersOptions(Call call) {
            super(call);
        }

        /**
         * Maximum number of elements in the response; more than 200 count as 200.
         *
         * @param limit the value
         * @return these options
         */
        public ListProvidersOptions limit(int limit) {
            return query("limit", limit);
        }

        /**
         * The nextToken of the previous page.
         *
         * @param nextToken the value
         * @return these options
         */
        public ListProvidersOptions nextToken(String nextToken) {
            return query("nextToken", nextToken);
        }

        /**
         * Only providers in this country. Case does not matter.
         *
         * @param countryCode the value
         * @return these options
         */
        public ListProvidersOptions countryCode(String countryCode) {
            return query("countryCode", countryCode);
        }

        /**
         * Only providers with this text in their name. Case, accents and the spelling of umlauts do not matter: töchter, toechter and tochter are the same.
         *
         * @param providerNameFilter the value
         * @return these options
         */
        public ListProvidersOptions providerNameFilter(String providerNameFilter) {
            return query("providerNameFilter", providerNameFilter);
        }

        /**
         * Only providers with this BIC. Case does not matter, and a BIC without branch is the same as one that ends with XXX.
         *
         * @param bic the value
         * @return these options
         */
        public ListProvidersOptions bic(String bic) {
            return query("bic", bic);
        }

        /**
         * Only providers with this national bank code, such as a German Bankleitzahl. Case does not matter.
         *
         * @param bankCode the value
         * @return these options
         */
        public ListProvidersOptions bankCode(String bankCode) {
            return query("bankCode", bankCode);
        }
    }
}
