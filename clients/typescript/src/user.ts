import { Caller, Group, type Body, type Data, type Query } from "./caller.js";
import type { operations } from "./core/schema.js";
import type { CallOptions, Session } from "./session.js";

/** What you tell the bank of a user who is present: `"X-Psu-Ip-Address"` and so on. */
export type PsuHeaders = Omit<
  NonNullable<operations["refreshConnection"]["parameters"]["header"]>, "X-User-Id" | "X-Request-Id" | "Idempotency-Key"
>;

/** The terms that a user has accepted. */
export class UserTerms extends Group {
  /** Lists what the user has accepted, the oldest first. */
  listAcceptances(options?: CallOptions) {
    return this.call.list("listTermsAcceptances", "termsAcceptances", {}, options);
  }

  /** Records that the user accepts terms that are in force, such as one of `aviso.terms.list`. */
  async accept({ termsType, version }: { termsType: string; version: string }, options?: CallOptions) {
    return (await this.call.data("acceptTerms", { body: { termsType, version } }, options)).termsAcceptance;
  }
}

/** A user's connections to banks. */
export class Connections extends Group {
  list(query?: Query<"listConnections">, options?: CallOptions) {
    return this.call.list("listConnections", "connections", { query }, options);
  }

  /** Creates a connection. Send the user to its `redirectUrl`. */
  create(connection: Body<"createConnection">, options?: CallOptions) {
    return this.call.data("createConnection", { body: connection }, options);
  }

  async get(connectionId: string, options?: CallOptions) {
    return (await this.call.data("getConnection", { path: { connectionId } }, options)).connection;
  }

  /** Lists the user's answers on the operator's consent page, the latest first. */
  listConsents(connectionId: string, options?: CallOptions) {
    return this.call.list("listConsents", "consents", { path: { connectionId } }, options);
  }

  /** Renews or repairs a connection: send the user to the new `redirectUrl`. */
  reconnect(connectionId: string, connection: Body<"reconnectConnection">, options?: CallOptions) {
    return this.call.data("reconnectConnection", { path: { connectionId }, body: connection }, options);
  }

  /** Has the bank read now. Without `psu`, banks allow that four times a day. */
  async refresh(connectionId: string, psu: PsuHeaders = {}, options?: CallOptions) {
    return (await this.call.data("refreshConnection", { path: { connectionId }, headers: psu }, options)).connection;
  }

  delete(connectionId: string, options?: CallOptions) {
    return this.call.nothing("deleteConnection", { path: { connectionId } }, options);
  }
}

/** A user's accounts. */
export class Accounts extends Group {
  list(query?: Query<"listAccounts">, options?: CallOptions) {
    return this.call.list("listAccounts", "accounts", { query }, options);
  }
}

/** A user's transactions. */
export class Transactions extends Group {
  /** Lists transactions, the newest day first. */
  list(query?: Query<"listTransactions">, options?: CallOptions) {
    return this.call.list("listTransactions", "transactions", { query }, options);
  }

  /**
   * Reads the changes since a previous call, in portions, until there are no more. Store
   * `since` of each portion once you have applied its changes.
   */
  async *listChanges(
    query?: Query<"listTransactionChanges">, options?: CallOptions,
  ): AsyncGenerator<Data<"listTransactionChanges">, void, undefined> {
    for (let since = query?.since; ;) {
      const portion = await this.call.data("listTransactionChanges", { query: { ...query, since } }, options);
      yield portion;
      if (portion.changes.length === 0) return;
      since = portion.since;
    }
  }

  async get(transactionId: string, options?: CallOptions) {
    return (await this.call.data("getTransaction", { path: { transactionId } }, options)).transaction;
  }

  /** Sets the category that the user chooses. */
  async update(transactionId: string, changes: Body<"updateTransaction">, options?: CallOptions) {
    const parts = { path: { transactionId }, body: changes };
    return (await this.call.data("updateTransaction", parts, options)).transaction;
  }

  /** Takes the user's choice back. */
  deleteCategory(transactionId: string, options?: CallOptions) {
    return this.call.nothing("deleteTransactionCategory", { path: { transactionId } }, options);
  }
}

/** What a user's transactions add up to. */
export class Insights extends Group {
  /** Sums transactions by category, currency and period. */
  listCategories(query?: Query<"listCategoryInsights">, options?: CallOptions) {
    return this.call.list("listCategoryInsights", "insights", { query }, options);
  }

  /** Sums transactions by merchant, currency and period. */
  listMerchants(query?: Query<"listMerchantInsights">, options?: CallOptions) {
    return this.call.list("listMerchantInsights", "insights", { query }, options);
  }

  /** Lists the contracts that are found in the user's payments. */
  listRecurringContracts(options?: CallOptions) {
    return this.call.list("listRecurringContracts", "subscriptions", {}, options);
  }

  /** Says when a contract began, or what it is for. Null takes it back. */
  async updateRecurringContract(
    subscriptionId: string,
    changes: Body<"updateRecurringContract">,
    options?: CallOptions,
  ) {
    const parts = { path: { subscriptionId }, body: changes };
    return (await this.call.data("updateRecurringContract", parts, options)).subscription;
  }

  /** Lists how prices of running contracts changed, and whether a rise gives a right to end one. */
  listPriceChanges(query?: Query<"listPriceChanges">, options?: CallOptions) {
    return this.call.list("listPriceChanges", "priceChanges", { query }, options);
  }

  /** Lists what cancelled contracts save, by currency. */
  listSavings(options?: CallOptions) {
    return this.call.list("listSavings", "savings", {}, options);
  }
}

/** A user's cancellations of contracts. */
export class Cancellations extends Group {
  list(query?: Query<"listCancellations">, options?: CallOptions) {
    return this.call.list("listCancellations", "cancellations", { query }, options);
  }

  /** Writes a letter and sends it. With `dryRun`, it only returns the letter. */
  create(
    cancellation: Body<"createCancellation">, { dryRun, ...options }: CallOptions & { dryRun?: boolean } = {},
  ) {
    return this.call.data("createCancellation", { body: cancellation, query: { dryRun } }, options);
  }

  /** Writes a letter that objects to debits after the end of the contract. It is not sent. */
  async createObjection(cancellationId: string, needs: Body<"createObjection">, options?: CallOptions) {
    return (await this.call.data("createObjection", { path: { cancellationId }, body: needs }, options)).letter;
  }

  /** Writes the same letter and sends it. With `dryRun`, it only returns the letter. */
  sendObjection(
    cancellationId: string, needs: Body<"sendObjection">, { dryRun, ...options }: CallOptions & { dryRun?: boolean } = {},
  ) {
    return this.call.data("sendObjection", { path: { cancellationId }, body: needs, query: { dryRun } }, options);
  }

  /** Lists the letters that object to debits after the end of the contract. */
  listObjections(cancellationId: string, options?: CallOptions) {
    return this.call.list("listObjections", "objections", { path: { cancellationId } }, options);
  }

  async get(cancellationId: string, options?: CallOptions) {
    return (await this.call.data("getCancellation", { path: { cancellationId } }, options)).cancellation;
  }

  /** Returns the letter, a PDF. */
  getLetter(cancellationId: string, options?: CallOptions) {
    return this.call.bytes("getCancellationLetter", { path: { cancellationId } }, options);
  }

  /** Returns the evidence, a ZIP archive. */
  getEvidence(cancellationId: string, options?: CallOptions) {
    return this.call.bytes("getCancellationEvidence", { path: { cancellationId } }, options);
  }

  /** Lists the organization's answers, newest first. */
  listReplies(cancellationId: string, options?: CallOptions) {
    return this.call.list("listReplies", "replies", { path: { cancellationId } }, options);
  }

  /** Returns an answer with its text. */
  async getReply(cancellationId: string, replyId: string, options?: CallOptions) {
    return (await this.call.data("getReply", { path: { cancellationId, replyId } }, options)).reply;
  }

  /** Returns an answer as it was received, a mail. */
  getRawReply(cancellationId: string, replyId: string, options?: CallOptions) {
    return this.call.bytes("getRawReply", { path: { cancellationId, replyId } }, options);
  }

  /** Sends what the organization asks for, in the thread of its mail. */
  async answerReply(cancellationId: string, replyId: string, values: Body<"answerReply">, options?: CallOptions) {
    return (await this.call.data("answerReply", { path: { cancellationId, replyId }, body: values }, options)).reply;
  }

  /** Reports an answer that the user got in another way, such as by post. */
  async updateOutcome(cancellationId: string, answer: Body<"updateCancellationOutcome">, options?: CallOptions) {
    return (await this.call.data("updateCancellationOutcome", { path: { cancellationId }, body: answer }, options)).cancellation;
  }

  /** Withdraws a cancellation whose letter has not been handed over. */
  async withdraw(cancellationId: string, options?: CallOptions) {
    return (await this.call.data("withdrawCancellation", { path: { cancellationId } }, options)).cancellation;
  }
}

/** A user's open banking client. */
export class OpenBankingClients extends Group {
  /** @deprecated No longer needed: remove the call. */
  async create(client: Body<"createOpenBankingClient">, options?: CallOptions) {
    return (await this.call.data("createOpenBankingClient", { body: client }, options)).client;
  }
}

/** What only a sandbox can do. */
export class Sandbox extends Group {
  /** Returns the user's clock. Its `status` is `Advancing` until everything has happened that was due. */
  async getClock(options?: CallOptions) {
    return (await this.call.data("getClock", {}, options)).clock;
  }

  /** Advances the user's clock, `{ advanceBy: "P1M" }` or `{ advanceTo }`, and lets happen what is due until then. */
  async advanceClock(advance: Body<"advanceClock">, options?: CallOptions) {
    return (await this.call.data("advanceClock", { body: advance }, options)).clock;
  }

  /** Adds transactions to one of the user's accounts. The connection's next refresh reads them. */
  async createTestTransactions(rows: Body<"createTestTransactions">, options?: CallOptions) {
    return (await this.call.data("createTestTransactions", { body: rows }, options)).testTransactions;
  }
}

/** A user, as the operations that act for one see it. */
export class UserView {
  readonly terms: UserTerms;
  readonly connections: Connections;
  readonly accounts: Accounts;
  readonly transactions: Transactions;
  readonly insights: Insights;
  readonly cancellations: Cancellations;
  readonly clients: OpenBankingClients;
  readonly sandbox: Sandbox;

  constructor(session: Session, readonly userId: string) {
    const call = new Caller(session, userId);
    this.terms = new UserTerms(call);
    this.connections = new Connections(call);
    this.accounts = new Accounts(call);
    this.transactions = new Transactions(call);
    this.insights = new Insights(call);
    this.cancellations = new Cancellations(call);
    this.clients = new OpenBankingClients(call);
    this.sandbox = new Sandbox(call);
  }
}
