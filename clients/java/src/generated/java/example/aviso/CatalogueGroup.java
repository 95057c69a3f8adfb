// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso;

import example.aviso.model.*;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Organizations, and the contracts that can be cancelled with them. */
public final class CatalogueGroup {
    private final Transport transport;
    private final String userId;

    CatalogueGroup(Transport transport, String userId) {
        this.transport = transport;
        this.userId = userId;
    }

    /**
     * Calculate the deadline of a contract from more facts. Like getDeadline, but with facts that only the user knows. Nothing is stored.
     *
     * @param organizationId The organization, from listOrganizations. The example is one of the sandbox.
     * @param productId The product, from listProducts. The example is one of the sandbox.
     * @param body what to send
     * @return the answer
     */
    public Deadline calculateDeadline(String organizationId, String productId, CalculateDeadlineRequest body) {
        return calculateDeadline(organizationId, productId, body, options -> {});
    }

    /**
     * Calculate the deadline of a contract from more facts, with options. Like getDeadline, but with facts that only the user knows. Nothing is stored.
     *
     * @param organizationId The organization, from listOrganizations. The example is one of the sandbox.
     * @param productId The product, from listProducts. The example is one of the sandbox.
     * @param body what to send
     * @param options sets options
     * @return the answer
     */
    public Deadline calculateDeadline(String organizationId, String productId, CalculateDeadlineRequest body, Consumer<CalculateDeadlineOptions> options) {
        var call = new Call("POST", "/cancellations/v1/organizations/{organizationId}/products/{productId}/deadline", null, false);
        call.path("organizationId", organizationId);
        call.path("productId", productId);
        call.body(body);
        options.accept(new CalculateDeadlineOptions(call));
        return transport.send(call, DeadlineResponse.class).data().deadline();
    }

    /**
     * Get the deadline of a contract. When a contract for the product can end, and by when a cancellation must be sent by each channel. Each step names its source: the product's terms, or the statute that overrides them. The deadline is computed without the contract itself, and is not legal advice.
     *
     * @param organizationId The organization, from listOrganizations. The example is one of the sandbox.
     * @param productId The product, from listProducts. The example is one of the sandbox.
     * @return the answer
     */
    public Deadline getDeadline(String organizationId, String productId) {
        return getDeadline(organizationId, productId, options -> {});
    }

    /**
     * Get the deadline of a contract, with options. When a contract for the product can end, and by when a cancellation must be sent by each channel. Each step names its source: the product's terms, or the statute that overrides them. The deadline is computed without the contract itself, and is not legal advice.
     *
     * @param organizationId The organization, from listOrganizations. The example is one of the sandbox.
     * @param productId The product, from listProducts. The example is one of the sandbox.
     * @param options sets options
     * @return the answer
     */
    public Deadline getDeadline(String organizationId, String productId, Consumer<GetDeadlineOptions> options) {
        var call = new Call("GET", "/cancellations/v1/organizations/{organizationId}/products/{productId}/deadline", null, false);
        call.path("organizationId", organizationId);
        call.path("productId", productId);
        options.accept(new GetDeadlineOptions(call));
        return transport.send(call, DeadlineResponse.class).data().deadline();
    }

    /**
     * Get an organization. The organization that a product, a cancellation or a recurring contract names by its organizationId.
     *
     * @param organizationId The organization, from listOrganizations. The example is one of the sandbox.
     * @return the answer
     */
    public Organization getOrganization(String organizationId) {
        return getOrganization(organizationId, options -> {});
    }

    /**
     * Get an organization, with options. The organization that a product, a cancellation or a recurring contract names by its organizationId.
     *
     * @param organizationId The organization, from listOrganizations. The example is one of the sandbox.
     * @param options sets options
     * @return the answer
     */
    public Organization getOrganization(String organizationId, Consumer<PlainOptions> options) {
        var call = new Call("GET", "/cancellations/v1/organizations/{organizationId}", null, false);
        call.path("organizationId", organizationId);
        options.accept(new PlainOptions(call));
        return transport.send(call, OrganizationResponse.class).data().organization();
    }

    /**
     * Get a product with its template. The template lists the fields that the user fills in to cancel the product.
     *
     * @param organizationId The organization, from listOrganizations. The example is one of the sandbox.
     * @param productId The product, from listProducts. The example is one of the sandbox.
     * @return the answer
     */
    public ProductDetail getProduct(String organizationId, String productId) {
        return getProduct(organizationId, productId, options -> {});
    }

    /**
     * Get a product with its template, with options. The template lists the fields that the user fills in to cancel the product.
     *
     * @param organizationId The organization, from listOrganizations. The example is one of the sandbox.
     * @param productId The product, from listProducts. The example is one of the sandbox.
     * @param options sets options
     * @return the answer
     */
    public ProductDetail getProduct(String organizationId, String productId, Consumer<GetProductOptions> options) {
        var call = new Call("GET", "/cancellations/v1/organizations/{organizationId}/products/{productId}", null, false);
        call.path("organizationId", organizationId);
        call.path("productId", productId);
        options.accept(new GetProductOptions(call));
        return transport.send(call, ProductResponse.class).data().product();
    }

    /**
     * List the categories of organizations. All categories, in display order.
     *
     * @return the answer
     */
    public List<OrganizationCategory> listCancellationCategories() {
        return listCancellationCategories(options -> {});
    }

    /**
     * List the categories of organizations, with options. All categories, in display order.
     *
     * @param options sets options
     * @return the answer
     */
    public List<OrganizationCategory> listCancellationCategories(Consumer<ListCancellationCategoriesOptions> options) {
        var call = new Call("GET", "/cancellations/v1/categories", null, false);
        options.accept(new ListCancellationCategoriesOptions(call));
        return transport.send(call, OrganizationCategoryListResponse.class).data().categories();
    }

    /**
     * List organizations. Organizations whose contracts can be cancelled, sorted by name.
     *
     * @return the answer
     */
    public Pages<Organization> listOrganizations() {
        return listOrganizations(options -> {});
    }

    /**
     * List organizations, with options. Organizations whose contracts can be cancelled, sorted by name.
     *
     * @param options sets options
     * @return the answer
     */
    public Pages<Organization> listOrganizations(Consumer<ListOrganizationsOptions> options) {
        var call = new Call("GET", "/cancellations/v1/organizations", null, false);
        options.accept(new ListOrganizationsOptions(call));
        return new Pages<>(transport, call, OrganizationListResponse.class,
                answer -> new Page<>(answer.data().organizations(), answer.meta().pagination().nextToken()));
    }

    /**
     * List an organization's products. What can be cancelled with the organization.
     *
     * @param organizationId The organization, from listOrganizations. The example is one of the sandbox.
     * @return the answer
     */
    public List<Product> listProducts(String organizationId) {
        return listProducts(organizationId, options -> {});
    }

    /**
     * List an organization's products, with options. What can be cancelled with the organization.
     *
     * @param organizationId The organization, from listOrganizations. The example is one of the sandbox.
     * @param options sets options
     * @return the answer
     */
    public List<Product> listProducts(String organizationId, Consumer<ListProductsOptions> options) {
        var call = new Call("GET", "/cancellations/v1/organizations/{organizationId}/products", null, false);
        call.path("organizationId", organizationId);
        options.accept(new ListProductsOptions(call));
        return transport.send(call, ProductListResponse.class).data().products();
    }

    /** Options of {@code calculateDeadline}. */
    public static final class CalculateDeadlineOptions extends CallOptions<CalculateDeadlineOptions> {

        CalculateDeadlineOptions(Call call) {
            super(call);
        }

        /**
         * The language of the texts, and the country whose law applies: one of the product's locales, the first by default.
         *
         * @param locale the value
         * @return these options
         */
        public CalculateDeadlineOptions locale(String locale) {
            return query("locale", locale);
        }
    }

    /** Options of {@code getDeadline}. */
    public static final class GetDeadlineOptions extends CallOptions<GetDeadlineOptions> {
        /** A value of {@code channel}. */
        public static final String CHANNEL_EMAIL = "Email";
        /** A value of {@code channel}. */
        public static final String CHANNEL_MAIL = "Mail";
        /** A value of {@code channel}. */
        public static final String CHANNEL_REGISTERED_MAIL = "RegisteredMail";
        /** A value of {@code channel}. */
        public static final String CHANNEL_FAX = "Fax";

        GetDeadlineOptions(Call call) {
            super(call);
        }

        /**
         * The language of the texts, and the country whose law applies: one of the product's locales, the first by default.
         *
         * @param locale the value
         * @return these options
         */
        public GetDeadlineOptions locale(String locale) {
            return query("locale", locale);
        }

        /**
         * First day of the contract.
         *
         * @param contractStart the value
         * @return these options
         */
        public GetDeadlineOptions contractStart(LocalDate contractStart) {
            return query("contractStart", contractStart);
        }

        /**
         * The day on which the cancellation is sent; today by default, where the recipient is.
         *
         * @param cancelledOn the value
         * @return these options
         */
        public GetDeadlineOptions cancelledOn(LocalDate cancelledOn) {
            return query("cancelledOn", cancelledOn);
        }

        /**
         * The channel that counts for earliestEnd; the product's first by default.
         *
         * @param channel the value
         * @return these options
         */
        public GetDeadlineOptions channel(String channel) {
            return query("channel", channel);
        }
    }

    /** Options of {@code getProduct}. */
    public static final class GetProductOptions extends CallOptions<GetProductOptions> {

        GetProductOptions(Call call) {
            super(call);
        }

        /**
         * The language of the labels: one of the product's locales, the first by default.
         *
         * @param locale the value
         * @return these options
         */
        public GetProductOptions locale(String locale) {
            return query("locale", locale);
        }
    }

    /** Options of {@code listCancellationCategories}. */
    public static final class ListCancellationCategoriesOptions extends CallOptions<ListCancellationCategoriesOptions> {

        ListCancellationCategoriesOptions(Call call) {
            super(call);
        }

        /**
         * The language of the names; English by default, and for a name without a translation.
         *
         * @param locale the value
         * @return these options
         */
        public ListCancellationCategoriesOptions locale(String locale) {
            return query("locale", locale);
        }
    }

    /** Options of {@code listOrganizations}. */
    public static final class ListOrganizationsOptions extends CallOptions<ListOrganizationsOptions> {
        /** A value of {@code confirmed}. */
        public static final String CONFIRMED_TRUE = "true";
        /** A value of {@code confirmed}. */
        public static final String CONFIRMED_FALSE = "false";

        ListOrganizationsOptions(Call call) {
            super(call);
        }

        /**
         * Maximum number of elements in the response; more than 200 count as 200.
         *
         * @param limit the value
         * @return these options
         */
        public ListOrganizationsOptions limit(int limit) {
            return query("limit", limit);
        }

        /**
         * The nextToken of the previous page.
         *
         * @param nextToken the value
         * @return these options
         */
        public ListOrganizationsOptions nextToken(String nextToken) {
            return query("nextToken", nextToken);
        }

        /**
         * Only organizations in this category.
         *
         * @param categoryId the value
         * @return these options
         */
        public ListOrganizationsOptions categoryId(String categoryId) {
            return query("categoryId", categoryId);
        }

        /**
         * Only organizations that offer this locale.
         *
         * @param locale the value
         * @return these options
         */
        public ListOrganizationsOptions locale(String locale) {
            return query("locale", locale);
        }

        /**
         * Only organizations whose address is confirmed, or only the others.
         *
         * @param confirmed the value
         * @return these options
         */
        public ListOrganizationsOptions confirmed(String confirmed) {
            return query("confirmed", confirmed);
        }
    }

    /** Options of {@code listProducts}. */
    public static final class ListProductsOptions extends CallOptions<ListProductsOptions> {

        ListProductsOptions(Call call) {
            super(call);
        }

        /**
         * Only products that offer this locale.
         *
         * @param locale the value
         * @return these options
         */
        public ListProductsOptions locale(String locale) {
            return query("locale", locale);
        }
    }
}
