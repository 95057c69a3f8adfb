import { Group, type Body, type Data, type Query } from "./caller.js";
import type { WebhookSecret } from "./core/types.js";
import type { CallOptions } from "./session.js";

/** Your users: the people that you act for. */
export class Users extends Group {
  /** Creates a user, or returns the one that has this `externalId` already. */
  async create(user: Body<"createUser">, options?: CallOptions) {
    return (await this.call.data("createUser", { body: user }, options)).user;
  }

  /** Finds a user by your own ID. */
  async find(externalId: string, options?: CallOptions) {
    return (await this.call.data("findUser", { query: { externalId } }, options)).user;
  }

  async get(userId: string, options?: CallOptions) {
    return (await this.call.data("getUser", { path: { userId } }, options)).user;
  }

  /** Changes the members that are given. */
  async update(userId: string, changes: Body<"updateUser">, options?: CallOptions) {
    return (await this.call.data("updateUser", { path: { userId }, body: changes }, options)).user;
  }

  /** Erases a user with all data. `getErasure` says how far that is. */
  async delete(userId: string, options?: CallOptions) {
    return (await this.call.data("deleteUser", { path: { userId } }, options)).erasure;
  }

  /** Returns links to archives of all of a user's data. Each works for an hour. */
  async createExport(userId: string, options?: CallOptions) {
    return (await this.call.data("createExport", { path: { userId } }, options)).export;
  }

  /** Returns new links. */
  async getExport(userId: string, exportId: string, options?: CallOptions) {
    return (await this.call.data("getExport", { path: { userId, exportId } }, options)).export;
  }

  async getErasure(erasureId: string, options?: CallOptions) {
    return (await this.call.data("getErasure", { path: { erasureId } }, options)).erasure;
  }
}

/** The terms that users accept: see `user(id).terms`. */
export class Terms extends Group {
  /** Lists the terms in force. */
  list(options?: CallOptions) {
    return this.call.list("listTerms", "terms", {}, options);
  }
}

/** The banks. */
export class Providers extends Group {
  /** Lists or searches banks. */
  list(query?: Query<"listProviders">, options?: CallOptions) {
    return this.call.list("listProviders", "providers", { query }, options);
  }

  /** Lists the countries that have banks. */
  listCountries(options?: CallOptions) {
    return this.call.list("listProviderCountries", "countries", {}, options);
  }

  async get(providerId: string, options?: CallOptions) {
    return (await this.call.data("getProvider", { path: { providerId } }, options)).provider;
  }
}

/** What is the same for the transactions of all users. */
export class TransactionKinds extends Group {
  /** Lists the top-level categories with their subcategories. */
  listCategories(options?: CallOptions) {
    return this.call.list("listTransactionCategories", "categories", {}, options);
  }
}

/** What can be cancelled. */
export class Catalogue extends Group {
  listCategories(query?: Query<"listCancellationCategories">, options?: CallOptions) {
    return this.call.list("listCancellationCategories", "categories", { query }, options);
  }

  /** Lists organizations, sorted by name. */
  listOrganizations(query?: Query<"listOrganizations">, options?: CallOptions) {
    return this.call.list("listOrganizations", "organizations", { query }, options);
  }

  async getOrganization(organizationId: string, options?: CallOptions) {
    return (await this.call.data("getOrganization", { path: { organizationId } }, options)).organization;
  }

  listProducts(organizationId: string, query?: Query<"listProducts">, options?: CallOptions) {
    return this.call.list("listProducts", "products", { path: { organizationId }, query }, options);
  }

  /** Returns a product with its template: the fields that the letter needs. */
  async getProduct(organizationId: string, productId: string, query?: Query<"getProduct">, options?: CallOptions) {
    return (await this.call.data("getProduct", { path: { organizationId, productId }, query }, options)).product;
  }

  /** Returns when a contract for the product can end, and until when its cancellation must be sent. */
  async getDeadline(organizationId: string, productId: string, query?: Query<"getDeadline">, options?: CallOptions) {
    return (await this.call.data("getDeadline", { path: { organizationId, productId }, query }, options)).deadline;
  }

  /** Calculates the deadline from facts that only the user knows. */
  async calculateDeadline(
    organizationId: string,
    productId: string,
    facts: Body<"calculateDeadline">,
    query?: Query<"calculateDeadline">,
    options?: CallOptions,
  ) {
    const parts = { path: { organizationId, productId }, query, body: facts };
    return (await this.call.data("calculateDeadline", parts, options)).deadline;
  }
}

/** The search for what can be cancelled. */
export class Search extends Group {
  /** Searches organizations and products by name. Returns one page, the best match first. */
  async catalogue(query: Query<"searchCatalogue">, options?: CallOptions): Promise<SearchPage> {
    const { data, meta } = await this.call.envelope("searchCatalogue", { query }, options);
    return { ...data, nextToken: meta?.pagination?.nextToken };
  }
}

/** One page of a search. Pass `nextToken` in the query of the next. */
export type SearchPage = Data<"searchCatalogue"> & { nextToken: string | undefined };

/** Subscriptions to events, which arrive as callbacks: see `verify`. */
export class Webhooks extends Group {
  listEventTypes(options?: CallOptions) {
    return this.call.list("listEventTypes", "eventTypes", {}, options);
  }

  /** Sends an event of your choice to your subscriptions. Not in production. */
  async simulateEvent(event: Body<"simulateEvent">, options?: CallOptions) {
    return (await this.call.data("simulateEvent", { body: event }, options)).event;
  }

  listSubscriptions(options?: CallOptions) {
    return this.call.list("listWebhookSubscriptions", "subscriptions", {}, options);
  }

  /** Subscribes to events. Store `secret.key`: no later answer has it. */
  async createSubscription(subscription: Body<"createWebhookSubscription">, options?: CallOptions) {
    const created = await this.call.data("createWebhookSubscription", { body: subscription }, options);
    return { ...created, secret: created.secret as NewSecret };
  }

  async getSubscription(subscriptionId: string, options?: CallOptions) {
    return (await this.call.data("getWebhookSubscription", { path: { subscriptionId } }, options)).subscription;
  }

  /** Changes the members that are given. */
  async updateSubscription(
    subscriptionId: string, changes: Body<"updateWebhookSubscription">, options?: CallOptions,
  ) {
    const parts = { path: { subscriptionId }, body: changes };
    return (await this.call.data("updateWebhookSubscription", parts, options)).subscription;
  }

  /** Pauses or resumes a subscription. */
  async updateSubscriptionStatus(
    subscriptionId: string, status: Body<"updateWebhookSubscriptionStatus">, options?: CallOptions,
  ) {
    const parts = { path: { subscriptionId }, body: status };
    return (await this.call.data("updateWebhookSubscriptionStatus", parts, options)).subscription;
  }

  deleteSubscription(subscriptionId: string, options?: CallOptions) {
    return this.call.nothing("deleteWebhookSubscription", { path: { subscriptionId } }, options);
  }

  /** Lists the callbacks of the last 30 days and their outcomes, the newest first. */
  listDeliveryAttempts(subscriptionId: string, query?: Query<"listDeliveryAttempts">, options?: CallOptions) {
    return this.call.list("listDeliveryAttempts", "attempts", { path: { subscriptionId }, query }, options);
  }

  /** Lists the secrets of a subscription, without their keys. */
  listSecrets(subscriptionId: string, options?: CallOptions) {
    return this.call.list("listWebhookSecrets", "secrets", { path: { subscriptionId } }, options);
  }

  /** Creates another secret. The previous one signs for another 24 hours. */
  async createSecret(subscriptionId: string, secret: Body<"createWebhookSecret"> = {}, options?: CallOptions) {
    const parts = { path: { subscriptionId }, body: secret };
    return (await this.call.data("createWebhookSecret", parts, options)).secret as NewSecret;
  }

  deleteSecret(subscriptionId: string, secretId: string, options?: CallOptions) {
    return this.call.nothing("deleteWebhookSecret", { path: { subscriptionId, secretId } }, options);
  }
}

/** A secret as the answer that creates it has it: with its key. */
export type NewSecret = WebhookSecret & { key: string };
