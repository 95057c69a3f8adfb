import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AuthenticationError, ConnectionFailedError, RateLimitedError, ServerError, type Aviso, type ProblemError,
} from "../../src/index.js";
import { problem, serve, type Reply } from "../server.js";

const done: Reply = { body: { data: { user: { userId: "u" }, terms: [] }, meta: {} } };
const lost: Reply = { lost: true };
const reading = (aviso: Aviso) => aviso.terms.list().all();
const creating = (aviso: Aviso) => aviso.users.create({ countryCode: "DE", languageCode: "en" });
const deleting = (aviso: Aviso) => aviso.webhooks.deleteSubscription("s");
const updating = (aviso: Aviso) => aviso.users.update("u", { languageCode: "de" });

test("what is repeated, and what is not", async (t) => {
  t.mock.method(Math, "random", () => 0);
  const busy = problem(409, "idempotency_in_progress", { "retry-after": "0" });
  const cases: [string, (aviso: Aviso) => Promise<unknown>, Reply, boolean][] = [
    ["reading, lost", reading, lost, true],
    ["reading, 429", reading, problem(429, "rate_limited"), true],
    ["reading, 502", reading, { status: 502, body: "" }, true],
    ["reading, 503", reading, problem(503, "temporarily_unavailable"), true],
    ["reading, 504", reading, { status: 504, body: "" }, true],
    ["reading, 500", reading, problem(500, "internal_error"), false],
    ["reading, 404", reading, problem(404, "not_found"), false],
    ["with a key, lost", creating, lost, true],
    ["with a key, 502", creating, { status: 502, body: "" }, true],
    ["with a key, in progress", creating, busy, true],
    ["with a key, 422", creating, problem(422, "validation_failed"), false],
    ["without a key, lost", updating, lost, false],
    ["without a key, 502", updating, { status: 502, body: "" }, false],
    ["without a key, 429", updating, problem(429, "rate_limited"), true],
    ["without a key, 503", updating, problem(503, "temporarily_unavailable"), false],
    ["deleting, lost", deleting, lost, true],
  ];
  for (const [name, call, reply, isRepeated] of cases) {
    await using server = await serve((_, count) => (count === 1 ? reply : done));
    const failed = await call(server.aviso()).then(() => false, () => true);
    assert.deepEqual({ calls: server.asked.length, failed }, { calls: isRepeated ? 2 : 1, failed: !isRepeated }, name);
  }
});

test("the idempotency key is the same in every repetition, and can be given", async (t) => {
  t.mock.method(Math, "random", () => 0);
  await using server = await serve((_, count) => (count % 3 === 0 ? done : lost));
  const aviso = server.aviso();
  await creating(aviso);
  await creating(aviso);
  await aviso.users.create({ countryCode: "DE", languageCode: "en" }, { idempotencyKey: "mine" });
  const keys = server.asked.map((asked) => asked.headers["idempotency-key"]);
  assert.deepEqual(keys.map((key) => keys.indexOf(key)), [0, 0, 0, 3, 3, 3, 6, 6, 6]);
  assert.equal(keys[6], "mine");
});

test("the number of repetitions is bounded, and can be zero", async (t) => {
  t.mock.method(Math, "random", () => 0);
  await using server = await serve(() => problem(503, "temporarily_unavailable"));
  for (const [options, calls] of [[{}, 4], [{ retries: 1 }, 2], [{ retries: 0 }, 1]] as const) {
    server.asked.length = 0;
    await assert.rejects(reading(server.aviso(options)), ServerError);
    assert.equal(server.asked.length, calls);
  }
  server.asked.length = 0;
  await assert.rejects(server.aviso().terms.list({ retries: 0 }).all(), ServerError);
  assert.equal(server.asked.length, 1);
});

test("Retry-After is honoured, in seconds and as a date", async (t) => {
  t.mock.method(Math, "random", () => 0);
  const soon = () => new Date(Date.now() + 2000).toUTCString(); // it has no fractions
  for (const value of [() => "1", soon]) {
    await using server = await serve((_, count) =>
      count === 1 ? problem(429, "rate_limited", { "retry-after": value() }) : done);
    const start = Date.now();
    await reading(server.aviso());
    const waited = Date.now() - start;
    assert.ok(waited > 900 && waited < 3000, `waited ${waited} ms`);
  }
});

test("a wait that the call has no time for ends it at once", async () => {
  await using server = await serve(() => problem(429, "refresh_too_early", { "retry-after": "3600" }));
  await assert.rejects(reading(server.aviso()), (error: ProblemError) =>
    error instanceof RateLimitedError && error.retryAfter === 3600);
  assert.equal(server.asked.length, 1);
});

test("a token request is repeated too", async (t) => {
  t.mock.method(Math, "random", () => 0);
  await using server = await serve(() => done, { reply: (count) => (count === 1 ? { lost: true } : undefined) });
  await reading(server.aviso());
  assert.equal(server.tokens, 2);
});

test("an attempt and the whole call are timed", async (t) => {
  t.mock.method(Math, "random", () => 0);
  await using server = await serve((_, count) => (count === 1 ? { hangs: true } : done));
  await reading(server.aviso({ timeout: 200 }));
  assert.equal(server.asked.length, 2);

  await using never = await serve(() => ({ hangs: true }));
  const timedOut = (error: ConnectionFailedError) => error instanceof ConnectionFailedError && error.code === "timeout";
  await assert.rejects(reading(never.aviso({ callTimeout: 300 })), timedOut);
  assert.equal(never.asked.length, 1);

  await using noToken = await serve(() => done, { reply: () => ({ hangs: true }) });
  await assert.rejects(reading(noToken.aviso({ callTimeout: 300 })), timedOut);
});

test("nobody there is a ConnectionFailedError with its cause", async () => {
  const server = await serve(() => done);
  const aviso = server.aviso({ retries: 0 });
  await server[Symbol.asyncDispose]();
  await assert.rejects(reading(aviso), (error: ConnectionFailedError) =>
    error instanceof ConnectionFailedError && error.code === "connection_failed" && error.cause instanceof TypeError);
});

test("what could not be sent is repeated without a key, too", async (t) => {
  t.mock.method(Math, "random", () => 0);
  const gone = await serve(() => done);
  await gone[Symbol.asyncDispose]();
  await using server = await serve(() => done);
  let calls = 0;
  const aviso = server.aviso({
    fetch: (url, options) => fetch(++calls === 2 ? gone.baseUrl : url, options), // the first is for the token
  });
  await updating(aviso);
  assert.equal(calls, 3);
});

test("a caller can give up: while it asks, while it waits, and without harm to others", async () => {
  const reason = new Error("enough");
  await using hanging = await serve(() => ({ hangs: true }));
  await assert.rejects(hanging.aviso().terms.list({ signal: soonAborted(reason) }).all(), reason);
  await assert.rejects(hanging.aviso().terms.list({ signal: AbortSignal.abort(reason) }).all(), reason);

  await using busy = await serve(() => problem(429, "rate_limited", { "retry-after": "30" }));
  await assert.rejects(busy.aviso().terms.list({ signal: soonAborted(reason) }).all(), reason);

  let give = () => {};
  const token = new Promise<undefined>((resolve) => (give = () => resolve(undefined)));
  await using server = await serve(() => done, { reply: () => token });
  const aviso = server.aviso();
  const [one, other] = [aviso.terms.list({ signal: soonAborted(reason) }).all(), reading(aviso)];
  await assert.rejects(one, reason);
  give();
  await other;
  assert.equal(server.tokens, 1);
});

test("a call that was given up before asks for nothing", async () => {
  const reason = new Error("enough");
  await using server = await serve(() => done, { reply: () => ({ status: 401, body: { error: "invalid_client" } }) });
  await assert.rejects(server.aviso().terms.list({ signal: AbortSignal.abort(reason) }).all(), reason);
  await new Promise((wake) => setTimeout(wake, 100)); // for what nobody waits for
  assert.equal(server.tokens, 0);
});

test("a 401 in the middle keeps the key", async () => {
  await using server = await serve((_, count) => (count === 1 ? problem(401, "unauthorized") : done));
  await creating(server.aviso());
  const keys = server.asked.map((asked) => asked.headers["idempotency-key"]);
  assert.deepEqual([keys.length, keys[0]], [2, keys[1]]);
  await using never = await serve(() => problem(401, "unauthorized"));
  await assert.rejects(creating(never.aviso()), AuthenticationError);
});

function soonAborted(reason: Error): AbortSignal {
  const control = new AbortController();
  setTimeout(() => control.abort(reason), 100);
  return control.signal;
}
