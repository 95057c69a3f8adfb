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
    readonly reason: "header_missing" | "timestamp_invalid" | "timestamp_too_old" | "timestamp_too_new"
      | "signature_mismatch" | "payload_invalid",
    message: string,
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
 * During a rotation, pass both secrets. Empty ones are ignored if there is another.
 */
export async function verify(
  body: string | Uint8Array | ArrayBuffer,
  headers: HeadersLike,
  secrets: string | readonly (string | undefined)[],
  { tolerance = 300, now = new Date() }: VerifyOptions = {},
): Promise<AvisoEvent> {
  const keys = await keysOf(secrets);
  const bytes = bytesOf(body);
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"]
    .map((name) => need(headers, name)) as [string, string, string];
  checkTime(timestamp, tolerance, now);
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  if (!(await isSigned(signed, signatures, keys))) {
    const message = "no signature matches: the secret is of another subscription, or the body was changed";
    throw new WebhookVerificationError("signature_mismatch", message);
  }
  return eventOf(bytes);
}

/** Returns the body that acknowledges a callback, with status 200, once it is stored. */
export function acknowledgement(): string {
  return JSON.stringify({ isAcknowledged: true, timestamp: new Date().toISOString() });
}

type Bytes = Uint8Array<ArrayBuffer>; // not of shared memory
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

// crypto.subtle compares in constant time.
async function isSigned(signed: Bytes, signatures: string, keys: readonly Key[]): Promise<boolean> {
  const candidates = signatures.split(" ").filter((s) => s.startsWith("v1,")).map((s) => base64(s.slice(3)));
  for (const key of keys) {
    for (const signature of candidates) {
      if (signature && (await crypto.subtle.verify("HMAC", key, signature, signed))) return true;
    }
  }
  return false;
}

function checkTime(timestamp: string, tolerance: number, now: Date): void {
  if (!/^\d+$/.test(timestamp)) {
    throw new WebhookVerificationError("timestamp_invalid", "webhook-timestamp is not a number of seconds");
  }
  const age = now.getTime() / 1000 - Number(timestamp);
  if (age > tolerance) {
    throw new WebhookVerificationError("timestamp_too_old", `the callback was signed more than ${tolerance} seconds ago`);
  }
  if (age < -tolerance) {
    const message = `the callback was signed more than ${tolerance} seconds in the future`;
    throw new WebhookVerificationError("timestamp_too_new", message);
  }
}

function keysOf(secrets: unknown): Promise<Key[]> {
  const given = [secrets].flat().filter((secret) => secret);
  if (given.length === 0) throw wrongSecret();
  return Promise.all(given.map(keyOf));
}

function keyOf(secret: unknown): Promise<Key> {
  const bytes = String(secret).startsWith("whsec_") && base64(String(secret).slice("whsec_".length));
  if (!bytes || bytes.length === 0) throw wrongSecret();
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

const wrongSecret = () => new TypeError("the webhook secret must be given as it was issued, with whsec_");

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

function need(headers: HeadersLike, name: string): string {
  const value = header(headers, name);
  if (!value) throw new WebhookVerificationError("header_missing", `${name} is missing`);
  return value;
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
  throw new WebhookVerificationError("payload_invalid", "the body is signed, but it is not an event");
}
