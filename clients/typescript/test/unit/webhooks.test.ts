import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { acknowledgement, verify, WebhookVerificationError, type AvisoEvent } from "../../src/index.js";

const now = new Date("2026-03-02T09:35:00Z");
const seconds = now.getTime() / 1000;
const secret = secretOf("0123456789abcdef0123456789abcdef");
const other = secretOf("fedcba9876543210fedcba9876543210");
const body = JSON.stringify({
  eventId: "1f0d8a52", eventType: "connection.refreshed", occurredAt: "2026-03-02T09:34:58Z", environment: "local",
  isSimulated: false, userId: "u",
  data: { connectionId: "c", connectionStatus: "Active", providerId: "p", statusReason: "" },
});

function secretOf(key: string): string {
  return "whsec_" + Buffer.from(key).toString("base64");
}

function sign(text: string, key: string, at = seconds, id = "1f0d8a52"): string {
  const mac = createHmac("sha256", Buffer.from(key.slice("whsec_".length), "base64"));
  return "v1," + mac.update(`${id}.${at}.${text}`).digest("base64");
}

function headersOf(signature: string, at: number | string = seconds): Record<string, string> {
  return { "Webhook-Id": "1f0d8a52", "webhook-timestamp": String(at), "webhook-signature": signature };
}

test("a signed callback is the event, whatever the body and the headers come as", async () => {
  const signed = headersOf(sign(body, secret));
  const bytes = new TextEncoder().encode(body);
  for (const raw of [body, bytes, Buffer.from(body), bytes.buffer as ArrayBuffer]) {
    for (const headers of [signed, new Headers(signed)]) {
      const event = await verify(raw, headers, secret, { now });
      assert.ok(event.eventType === "connection.refreshed"); // which tells TypeScript what is in data
      assert.equal(event.data.connectionId, "c");
    }
  }
});

test("the specification's own example", async () => {
  const headers = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  };
  const key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const signed = verify('{"test": 2432232314}', headers, key, { now: new Date(1614265330_000) });
  await assert.rejects(signed, { reason: "payload_invalid" }); // so the signature is right
});

test("callbacks that are refused", async () => {
  const good = sign(body, secret);
  const cases: [string, string, Record<string, string>][] = [
    ["signature_mismatch", body, headersOf(sign(body, other))],
    ["signature_mismatch", body + " ", headersOf(good)],
    ["signature_mismatch", body, headersOf(good, seconds + 1)],
    ["signature_mismatch", body, headersOf("v1,")],
    ["signature_mismatch", body, headersOf("v1,***")],
    ["signature_mismatch", body, headersOf(good.replace("v1,", "v2,"))],
    ["timestamp_too_old", body, headersOf(sign(body, secret, seconds - 301), seconds - 301)],
    ["timestamp_too_new", body, headersOf(sign(body, secret, seconds + 301), seconds + 301)],
    ["timestamp_invalid", body, headersOf(good, "soon")],
    ["timestamp_invalid", body, headersOf(good, `${seconds}.0`)],
    ["header_missing", body, {}],
    ["header_missing", body, { ...headersOf(good), "webhook-signature": "" }],
    ["payload_invalid", "[]", headersOf(sign("[]", secret))],
    ["payload_invalid", "null", headersOf(sign("null", secret))],
    ["payload_invalid", "{", headersOf(sign("{", secret))],
  ];
  for (const [reason, text, headers] of cases) {
    await assert.rejects(verify(text, headers, secret, { now }), (error: WebhookVerificationError) =>
      error instanceof WebhookVerificationError && error.reason === reason, `${reason}: ${JSON.stringify(headers)}`);
  }
});

test("a missing header is named", async () => {
  await assert.rejects(verify(body, {}, secret), { message: "webhook-id is missing" });
});

test("the time may be off by five minutes, or as much as the caller says", async () => {
  for (const at of [seconds - 300, seconds + 300]) {
    assert.ok(await verify(body, headersOf(sign(body, secret, at), at), secret, { now }));
  }
  const old = headersOf(sign(body, secret, seconds - 900), seconds - 900);
  assert.ok(await verify(body, old, secret, { now, tolerance: 1000 }));
});

test("during a rotation, either secret and either signature will do", async () => {
  const both = headersOf(`${sign(body, other)} ${sign(body, secret)}`);
  assert.ok(await verify(body, both, secret, { now }));
  assert.ok(await verify(body, both, other, { now }));
  assert.ok(await verify(body, headersOf(sign(body, secret)), [other, secret], { now }));
  assert.ok(await verify(body, headersOf(sign(body, secret)), [secret, "", undefined], { now }));
});

test("what is not a secret or not a body is a mistake of the program", async () => {
  const headers = headersOf(sign(body, secret));
  const issued = new TypeError("the webhook secret must be given as it was issued, with whsec_");
  for (const wrong of ["", "whsec_", "whsec_***", secret.slice("whsec_".length), undefined, null, [], [""]]) {
    await assert.rejects(verify(body, {}, wrong as string, { now }), issued); // before the headers are read
  }
  await assert.rejects(verify(JSON.parse(body), headers, secret, { now }), /a framework has parsed this one/);
});

test("an event of an unknown type is returned", async () => {
  const text = JSON.stringify({ eventType: "moon.full", eventId: "e", data: { phase: 1, amount: 2 } });
  const event: AvisoEvent = await verify(text, headersOf(sign(text, secret)), secret, { now });
  switch (event.eventType) {
    case "connection.expired": assert.fail(event.data.consentExpiresAt); break;
    case "transactions.updated": assert.fail(event.data.since); break;
    default: assert.equal(String(event.eventType), "moon.full");
  }
  assert.ok(!("connectionId" in event.data));
});

test("an acknowledgement has what the service wants", () => {
  const { isAcknowledged, timestamp } = JSON.parse(acknowledgement());
  assert.equal(isAcknowledged, true);
  assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 5000);
});
