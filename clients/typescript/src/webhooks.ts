import type { webhooks } from "./core/schema.js";
import { AvisoError } from "./errors.js";
import { parse } from "./json.js";

/** An event of a type that this version knows: `eventType` tells which. */
export type KnownEvent = webhooks[keyof webhooks]["post"]["requestBody"]["content"]["application/json"];

// No text is equal to it, so a comparison of eventType with a known type leaves it out.
declare enum NewEventType {
  text = "an event type that this version does not know",
}

/** An event of a type that is newer than this version. */
export interface UnknownEvent extends Omit<KnownEvent, "eventType" | "data"> {
  eventType: NewEventType;
  data: Record<string, unknown>;
}

/** What a callback says. `switch (event.eventType)` tells TypeScript what `data` has. */
export type AvisoEvent = KnownEvent | UnknownEvent;

/** The callback is not Aviso's, or not of now. Answer 401. */
export class WebhookVerificationError extends AvisoError {
  constructor(
    readonly code: "headers_missing" | "too_old_or_new" | "wrong_signature" | "not_an_event", message: string,
  ) {
    super(message);
  }
}

export interface VerifyOptions {
  /** How many seconds a callback's time may be off. Default: 300. */
  tolerance?: number;
  /** The time now, for tests. */
  now?: Date;
}

type HeadersLike = Headers | Record<string, string | string[] | undefined>;

/**
 * Returns the event of a callback, once one of the secrets has signed it (Standard
 * Webhooks). The body has to be the bytes as they arrived: not parsed, not written anew.
 *
 * During a rotation, pass both secrets.
 */
export async function verify(
  body: string | Uint8Array | ArrayBuffer,
  headers: HeadersLike,
  secrets: string | readonly string[],
  { tolerance = 300, now = new Date() }: VerifyOptions = {},
): Promise<AvisoEvent> {
  const bytes = bytesOf(body);
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"]
    .map((name) => header(headers, name));
  if (!id || !timestamp || !signatures) {
    const message = "webhook-id, webhook-timestamp or webhook-signature is missing";
    throw new WebhookVerificationError("headers_missing", message);
  }
  const age = now.getTime() / 1000 - Number(timestamp);
  if (!/^\d+$/.test(timestamp) || Math.abs(age) > tolerance) {
    throw new WebhookVerificationError("too_old_or_new", `webhook-timestamp is not within ${tolerance} seconds of now`);
  }
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  if (!(await isSigned(signed, signatures, typeof secrets === "string" ? [secrets] : secrets))) {
    throw new WebhookVerificationError("wrong_signature", "no secret has made a signature of this body");
  }
  return eventOf(bytes);
}

/** Returns the body that acknowledges a callback, with status 200, once it is stored. */
export function acknowledgement(): string {
  return JSON.stringify({ isAcknowledged: true, timestamp: new Date().toISOString() });
}

type Bytes = Uint8Array<ArrayBuffer>; // not of shared memory

// crypto.subtle compares in constant time.
async function isSigned(signed: Bytes, signatures: string, secrets: readonly string[]): Promise<boolean> {
  const keys = await Promise.all(secrets.map(keyOf));
  const candidates = signatures.split(" ").filter((s) => s.startsWith("v1,")).map((s) => base64(s.slice(3)));
  for (const key of keys) {
    for (const signature of candidates) {
      if (signature && (await crypto.subtle.verify("HMAC", key, signature, signed))) return true;
    }
  }
  return false;
}

function keyOf(secret: string) {
  const bytes = base64(secret.replace(/^whsec_/, ""));
  if (!bytes?.length) throw new TypeError("a secret is whsec_ and base64: it must be passed as it was received");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function base64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError("verify needs the body as it arrived, as bytes or text: a framework has parsed this one");
}

function header(headers: HeadersLike, name: string): string | undefined {
  if (typeof headers["get"] === "function") return (headers as Headers).get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(found) ? found.join(" ") : found;
}

function concat(first: Uint8Array, second: Uint8Array): Bytes {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function eventOf(bytes: Uint8Array): AvisoEvent {
  try {
    const event = parse(new TextDecoder().decode(bytes)) as AvisoEvent;
    if (typeof event.eventType === "string") return event;
  } catch {
    // said below
  }
  throw new WebhookVerificationError("not_an_event", "the body is signed, but it is not an event");
}
