import { Caller } from "./caller.js";
import { Catalogue, Providers, Search, Terms, TransactionKinds, Users, Webhooks } from "./partner.js";
import { Session } from "./session.js";
import type { Limits } from "./transport.js";
import { UserView } from "./user.js";

/** How to reach the service. */
export interface AvisoOptions extends Limits {
  /** Default: the environment variable AVISO_CLIENT_ID. */
  clientId?: string | undefined;
  /** Default: the environment variable AVISO_CLIENT_SECRET. */
  clientSecret?: string | undefined;
  /** Default: the environment variable AVISO_BASE_URL. */
  baseUrl?: string | undefined;
  /** The scopes to ask for, separated by spaces. Default: all that you were granted. */
  scope?: string | undefined;
  /** Replaces `fetch`, such as for a proxy. */
  fetch?: typeof fetch | undefined;
}

/**
 * A client of Aviso. Create one and keep it: it gets a token on first use, and renews it.
 *
 *     const aviso = new Aviso({ clientId, clientSecret, baseUrl });
 *     for await (const transaction of aviso.user(userId).transactions.list()) …
 */
export class Aviso {
  readonly users: Users;
  readonly terms: Terms;
  readonly providers: Providers;
  readonly transactions: TransactionKinds;
  readonly catalogue: Catalogue;
  readonly search: Search;
  readonly webhooks: Webhooks;
  readonly #session: Session;

  constructor(options: AvisoOptions = {}) {
    const { scope, fetch: fetcher = fetch, timeout, callTimeout, retries } = options;
    const baseUrl = options.baseUrl ?? variable("AVISO_BASE_URL", "baseUrl");
    if (!/^https?:\/\//.test(baseUrl)) throw new TypeError("the base URL must begin with http:// or https://");
    this.#session = new Session({
      clientId: options.clientId ?? variable("AVISO_CLIENT_ID", "clientId"),
      clientSecret: options.clientSecret ?? variable("AVISO_CLIENT_SECRET", "clientSecret"),
      baseUrl,
      scope,
      fetch: fetcher,
      limits: { timeout, callTimeout, retries },
    });
    const call = new Caller(this.#session);
    this.users = new Users(call);
    this.terms = new Terms(call);
    this.providers = new Providers(call);
    this.transactions = new TransactionKinds(call);
    this.catalogue = new Catalogue(call);
    this.search = new Search(call);
    this.webhooks = new Webhooks(call);
  }

  /** Returns the operations that act for a user. Nothing is called. */
  user(userId: string): UserView {
    return new UserView(this.#session, userId);
  }
}

function variable(name: string, option: string): string {
  const value = globalThis.process?.env[name]; // not every runtime has a process
  if (!value) throw new TypeError(`${option} is missing, and so is ${name} in the environment`);
  return value;
}
