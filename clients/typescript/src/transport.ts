import { ConnectionFailedError, ProblemError, problemOf, type Answer } from "./errors.js";

/** How long to wait and how often to repeat; for all calls or for one. */
export interface Limits {
  /** Milliseconds for one attempt, from connecting to the last byte. Default: 30,000. */
  timeout?: number | undefined;
  /** Milliseconds for the whole call, with its repetitions and waits. Default: 120,000. */
  callTimeout?: number | undefined;
  /** How often to repeat a failed call at most. Default: 3; 0 switches repetitions off. */
  retries?: number | undefined;
}

/** A request, as it is sent once or several times. */
export interface Ask {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Whether the request does no harm if the service gets it twice. */
  repeatable: boolean;
}

/** A call's limits, resolved when it starts. */
export interface Bounds {
  timeout: number;
  deadline: number;
  retries: number;
  signal?: AbortSignal | undefined;
}

const firstWait = 500;
const longestWait = 8_000;

export function bounds(limits: Limits, signal?: AbortSignal): Bounds {
  const { timeout = 30_000, callTimeout = 120_000, retries = 3 } = limits;
  return { timeout, deadline: Date.now() + callTimeout, retries, signal };
}

/** Sends a request, and again where that is safe, until an answer is a success. */
export async function send(fetcher: typeof fetch, ask: Ask, bounds: Bounds): Promise<Answer> {
  for (let repetition = 0; ; repetition++) {
    const failure = await attempt(fetcher, ask, bounds);
    if (!(failure instanceof Error)) return failure;
    const seconds = failure instanceof ProblemError ? failure.retryAfter : undefined;
    const wait = seconds === undefined ? backoff(repetition) : seconds * 1000;
    if (repetition >= bounds.retries || !worthRepeating(failure, ask)) throw failure;
    if (Date.now() + wait >= bounds.deadline) throw failure;
    await sleep(wait, bounds.signal);
  }
}

/** Waits for a promise, but no longer than the call may take. What it waits for goes on. */
export async function within<T>(promise: Promise<T>, { deadline, signal }: Bounds): Promise<T> {
  const stop = stopper(deadline - Date.now(), signal);
  try {
    return await Promise.race([promise, stop.stopped]);
  } finally {
    stop.release();
  }
}

type Failure = ProblemError | ConnectionFailedError;

async function attempt(fetcher: typeof fetch, ask: Ask, bounds: Bounds): Promise<Answer | Failure> {
  const { signal } = bounds;
  const stop = stopper(Math.min(bounds.timeout, bounds.deadline - Date.now()), signal);
  try {
    const { method, url, headers, body = null } = ask;
    const response = await fetcher(url, { method, headers, body, redirect: "manual", signal: stop.signal });
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      body: new Uint8Array(await response.arrayBuffer()),
    };
    return response.ok ? answer : problemOf(answer);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof ConnectionFailedError) return cause;
    return new ConnectionFailedError("connection_failed", `${ask.method} ${ask.url}: the connection failed`, { cause });
  } finally {
    stop.release();
  }
}

async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", giveUp);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", giveUp, { once: true });
  });
}

/** Returns a signal for when the time is up or the caller gives up, whichever is first. */
function stopper(milliseconds: number, caller?: AbortSignal) {
  const control = new AbortController();
  const stopped = new Promise<never>((_, reject) => {
    control.signal.addEventListener("abort", () => reject(control.signal.reason));
  });
  stopped.catch(() => {}); // not everyone waits for it
  const giveUp = () => control.abort(caller?.reason);
  caller?.addEventListener("abort", giveUp);
  if (caller?.aborted) giveUp();
  const timer = setTimeout(() => control.abort(new ConnectionFailedError("timeout", "no answer in time")), milliseconds);
  const release = () => {
    clearTimeout(timer);
    caller?.removeEventListener("abort", giveUp);
  };
  return { signal: control.signal, stopped, release };
}

// 429 and a key that is in use are answered before anything is done. A 503 may follow a
// write whose answer was lost.
function worthRepeating(failure: Failure, ask: Ask): boolean {
  if (failure instanceof ConnectionFailedError) return ask.repeatable || neverSent(failure);
  if (failure.status === 429 || failure.code === "idempotency_in_progress") return true;
  return ask.repeatable && [502, 503, 504].includes(failure.status);
}

// Reports whether there was no connection that the request could have been sent on, as
// Node says it.
function neverSent({ cause }: ConnectionFailedError): boolean {
  const { code } = ((cause as Error | undefined)?.cause ?? {}) as { code?: string };
  return ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"].includes(code ?? "");
}

// Full jitter: clients that failed together do not come back together.
function backoff(repetition: number): number {
  return Math.random() * Math.min(longestWait, firstWait * 2 ** repetition);
}
