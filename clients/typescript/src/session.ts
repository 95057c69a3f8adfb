import { operationTable } from "./core/operations.js";
import { AuthenticationError, type Answer } from "./errors.js";
import { bounds, send, within, type Ask, type Bounds, type Limits } from "./transport.js";
import { parse, stringify } from "./json.js";
import { version } from "./version.js";

export type OperationName = keyof typeof operationTable;

/** What a single call may say. */
export interface CallOptions extends Limits {
  /** Ends the call early: the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Your own ID for the request, which errors have as `traceId`. */
  requestId?: string | undefined;
  /** Replaces the key that the client makes, for an operation that takes one. */
  idempotencyKey?: string | undefined;
}

/** What a request is made of. */
export interface Parts {
  path?: Record<string, string>;
  query?: object | undefined;
  headers?: object | undefined;
  body?: object;
}

export interface Settings {
  clientId: string;
  clientSecret: string;
  baseUrl: string;
  scope?: string | undefined;
  fetch: typeof fetch;
  limits: Limits;
}

/** Knows the token, and makes requests of operations. */
export class Session {
  readonly #settings: Settings;
  #token: { text: string; renewAt: number } | undefined;
  #fetching: Promise<string> | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  async call(
    name: OperationName, userId: string | undefined, parts: Parts, options: CallOptions = {},
  ): Promise<Answer> {
    options.signal?.throwIfAborted();
    const limits = bounds({ ...this.#settings.limits, ...given(options) }, options.signal);
    const ask = this.#ask(name, userId, parts, options);
    const token = await within(this.#currentToken(), limits);
    try {
      return await this.#send(ask, token, limits);
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error;
      if (this.#token?.text === token) this.#token = undefined;
      return await this.#send(ask, await within(this.#currentToken(), limits), limits);
    }
  }

  #send(ask: Ask, token: string, limits: Bounds): Promise<Answer> {
    const headers = { ...ask.headers, Authorization: `Bearer ${token}` };
    return send(this.#settings.fetch, { ...ask, headers }, limits);
  }

  #ask(name: OperationName, userId: string | undefined, parts: Parts, options: CallOptions): Ask {
    const operation: { method: string; path: string; forUser?: true; takesKey?: true } = operationTable[name];
    const members: Record<string, string | undefined> = { userId, ...parts.path };
    const path = operation.path.replace(/\{(\w+)\}/g, (_, member: string) => segment(member, members[member]));
    const query = new URLSearchParams();
    for (const [member, value] of entries(parts.query)) query.append(member, String(value));
    const headers: Record<string, string> = { Accept: "application/json, application/problem+json, */*" };
    for (const [member, value] of entries(parts.headers)) headers[member] = String(value);
    if (parts.body) headers["Content-Type"] = "application/json";
    if (operation.forUser && userId !== undefined) headers["X-User-Id"] = userId;
    if (operation.takesKey) headers["Idempotency-Key"] = options.idempotencyKey ?? crypto.randomUUID();
    if (options.requestId) headers["X-Request-Id"] = options.requestId;
    return {
      method: operation.method,
      url: this.#url(path) + (query.size > 0 ? `?${query}` : ""),
      headers: { ...headers, "User-Agent": userAgent },
      body: parts.body && stringify(parts.body),
      repeatable: ["GET", "PUT", "DELETE"].includes(operation.method) || operation.takesKey === true,
    };
  }

  // Calls that need a token at the same time wait for one request.
  #currentToken(): Promise<string> {
    if (this.#token && Date.now() < this.#token.renewAt) return Promise.resolve(this.#token.text);
    this.#fetching ??= this.#fetchToken().finally(() => (this.#fetching = undefined));
    return this.#fetching;
  }

  // It has limits of its own: a caller who gives up must not end it for the others.
  async #fetchToken(): Promise<string> {
    const { clientId, clientSecret, scope, limits, fetch } = this.#settings;
    const form = new URLSearchParams({
      grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret, ...(scope && { scope }),
    });
    const ask: Ask = {
      method: "POST",
      url: this.#url(operationTable.createToken.path),
      headers: { "Content-Type": "application/x-www-form-urlencoded", "User-Agent": userAgent },
      body: form.toString(),
      repeatable: true,
    };
    const answer = await send(fetch, ask, bounds(limits));
    const { access_token: text, expires_in: seconds } = json(answer) as { access_token: string; expires_in: number };
    const margin = Math.min(60, seconds / 10); // so that it does not end on the way
    this.#token = { text, renewAt: Date.now() + (seconds - margin) * 1000 };
    return text;
  }

  #url(path: string): string {
    return this.#settings.baseUrl.replace(/\/+$/, "") + path;
  }
}

const userAgent = `aviso-typescript/${version}`;

export function json(answer: Answer): unknown {
  return parse(new TextDecoder().decode(answer.body));
}

function entries(values: object = {}): [string, unknown][] {
  return Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
}

// A limit that is undefined must not hide the client's own.
function given(limits: Limits): Limits {
  return Object.fromEntries(entries(limits)) as Limits;
}

// An empty segment would make the path that of another operation.
function segment(name: string, value = ""): string {
  if (["", ".", ".."].includes(value)) throw new TypeError(`${name}: it must not be "${value}"`);
  return encodeURIComponent(value);
}
