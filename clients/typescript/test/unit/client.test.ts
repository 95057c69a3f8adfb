import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  AuthenticationError, Aviso, ConflictError, NotFoundError, PermissionDeniedError, RateLimitedError, ServerError,
  ValidationError, version, type ProblemError,
} from "../../src/index.js";
import { problem, serve } from "../server.js";

const terms = { data: { terms: [] }, meta: { pagination: {} } };

test("a token is fetched once for many calls at once", async () => {
  await using server = await serve(() => ({ body: terms }));
  const aviso = server.aviso();
  await Promise.all(Array.from({ length: 20 }, () => aviso.terms.list().all()));
  assert.equal(server.tokens, 1);
  assert.equal(server.asked[0]?.headers.authorization, "Bearer token-1");
});

test("a token is renewed before it ends", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  await using server = await serve(() => ({ body: terms }), { expiresIn: 3600 });
  const aviso = server.aviso();
  const tokensAfter = async (seconds: number) => {
    t.mock.timers.setTime(1_000_000 + seconds * 1000);
    await aviso.terms.list().all();
    return server.tokens;
  };
  assert.deepEqual([await tokensAfter(0), await tokensAfter(3539), await tokensAfter(3541)], [1, 1, 2]);
});

test("a token that is refused is renewed once", async () => {
  await using server = await serve((asked) =>
    asked.headers.authorization === "Bearer token-1" ? problem(401, "unauthorized") : { body: terms });
  await server.aviso().terms.list().all();
  assert.equal(server.tokens, 2);

  await using never = await serve(() => problem(401, "unauthorized"));
  await assert.rejects(never.aviso().terms.list().all(), AuthenticationError);
  assert.deepEqual([never.tokens, never.asked.length], [2, 2]);
});

test("wrong credentials are an AuthenticationError, and the next call tries again", async () => {
  const refused = { status: 401, body: { error: "invalid_client", error_description: "No." } };
  await using server = await serve(() => ({ body: terms }), { reply: (count) => (count === 1 ? refused : undefined) });
  const aviso = server.aviso();
  await assert.rejects(aviso.terms.list().all(), (error: ProblemError) =>
    error instanceof AuthenticationError && error.code === "invalid_client" && error.message === "401 invalid_client: No.");
  await aviso.terms.list().all();
});

test("settings come from the environment", () => {
  const create = () => new Aviso({ clientId: "id", clientSecret: "secret" });
  delete process.env["AVISO_BASE_URL"];
  assert.throws(create, /baseUrl is missing, and so is AVISO_BASE_URL/);
  process.env["AVISO_BASE_URL"] = "http://127.0.0.1";
  assert.ok(create());
  for (const baseUrl of ["localhost:3000", "ftp://localhost", "//localhost"]) {
    const scheme = new TypeError("the base URL must begin with http:// or https://");
    assert.throws(() => new Aviso({ clientId: "id", clientSecret: "secret", baseUrl }), scheme);
  }
  delete process.env["AVISO_BASE_URL"];
});

test("requests say who calls, for whom, and how it was meant", async () => {
  await using server = await serve(() => ({ body: { data: { connectionId: "c" }, meta: {} } }));
  const user = server.aviso({ baseUrl: server.baseUrl + "/" }).user("user-1");
  await user.connections.create({ providerId: "p", returnUrl: "https://x.example/" }, { requestId: "r-1" });
  const [asked] = server.asked;
  assert.equal(asked?.method + " " + asked?.url.pathname, "POST /openbanking/v1/connections");
  assert.equal(asked?.headers["x-user-id"], "user-1");
  assert.equal(asked?.headers["user-agent"], `aviso-typescript/${version}`);
  assert.equal(asked?.headers["x-request-id"], "r-1");
  assert.equal(asked?.headers["content-type"], "application/json");
  assert.match(String(asked?.headers["idempotency-key"]), /^[0-9a-f-]{36}$/);
  assert.deepEqual(JSON.parse(asked?.body ?? ""), { providerId: "p", returnUrl: "https://x.example/" });
});

test("path and query are escaped, and what is undefined is left out", async () => {
  await using server = await serve(() => ({ body: { data: { transactions: [] }, meta: {} } }));
  const { transactions } = server.aviso().user("u");
  await transactions.list({ text: "a&b", dateFrom: undefined as never, limit: 0 }).all();
  assert.equal(server.asked[0]?.url.search, "?text=a%26b&limit=0");
  await transactions.deleteCategory("../x");
  assert.equal(server.asked[1]?.url.pathname, "/openbanking/v1/transactions/..%2Fx/category");
  await assert.rejects(transactions.get(""), TypeError);
  await assert.rejects(transactions.get(".."), TypeError);
});

test("a list reads page after page, as they are needed", async () => {
  await using server = await serve(({ url }) => {
    const page = Number(url.searchParams.get("nextToken") ?? 0);
    const providers = page === 1 ? [] : [{ id: `${page}a` }, { id: `${page}b` }];
    return { body: { data: { providers }, meta: { pagination: page < 2 ? { nextToken: String(page + 1) } : {} } } };
  });
  const list = server.aviso().providers.list({ countryCode: "DE" });
  assert.equal(server.asked.length, 0);
  const ids: string[] = [];
  for await (const { id } of list) {
    ids.push(id);
    if (ids.length === 2) assert.equal(server.asked.length, 1);
  }
  assert.deepEqual(ids, ["0a", "0b", "2a", "2b"]);
  const queries = server.asked.map((asked) => asked.url.search);
  assert.deepEqual(queries, ["", "&nextToken=1", "&nextToken=2"].map((rest) => "?countryCode=DE" + rest));
  const page = await list.page("1");
  assert.deepEqual(page, { items: [], nextToken: "2" });
  assert.equal((await list.all()).length, 4);
});

test("changes are read until there are no more", async () => {
  await using server = await serve(({ url }) => {
    const since = url.searchParams.get("since");
    return { body: { data: { changes: since === "s2" ? [] : [{}], since: since ? "s2" : "s1" }, meta: {} } };
  });
  const since: string[] = [];
  for await (const portion of server.aviso().user("u").transactions.listChanges()) since.push(portion.since);
  assert.deepEqual(since, ["s1", "s2", "s2"]);
});

test("problems are errors of a class by kind", async () => {
  const kinds = [
    [400, ValidationError], [403, PermissionDeniedError], [404, NotFoundError], [409, ConflictError], [413, ValidationError],
    [422, ValidationError], [429, RateLimitedError], [500, ServerError],
  ] as const;
  for (const [status, kind] of kinds) {
    const errors = [{ parameter: "limit", code: "invalid", detail: "is wrong" }, { code: "Operator", detail: "Version 1" }];
    await using server = await serve(() => problem(status, "some_code", { "retry-after": "7" }, { errors }));
    await assert.rejects(server.aviso({ retries: 0 }).terms.list().all(), (error: ProblemError) => {
      assert.ok(error instanceof kind, String(status));
      assert.equal(error.name, kind.name);
      assert.equal(error.message, `${status} some_code: Detail. (limit is wrong) (Version 1), trace ID trace-1`);
      const said = [error.status, error.code, error.traceId, error.retryAfter];
      assert.deepEqual(said, [status, "some_code", "trace-1", 7]);
      assert.deepEqual(error.errors, errors);
      return true;
    });
  }
});

test("an error that is not a problem has its status as code", async () => {
  await using server = await serve(() => ({ status: 502, body: "<html>", headers: { "x-request-id": "r" } }));
  await assert.rejects(server.aviso({ retries: 0 }).terms.list().all(), (error: ProblemError) =>
    error instanceof ServerError && error.code === "http_502" && error.traceId === "r"
    && error.message === "502 without a problem document: is this Aviso's address?, trace ID r");
});

test("a redirect is not followed with the token", async () => {
  await using server = await serve(() => ({ status: 302, headers: { location: "/elsewhere" } }));
  await assert.rejects(server.aviso().terms.list().all(), ServerError);
  assert.equal(server.asked.length, 1);
});

test("amounts arrive and leave exactly, and unknown values and members pass", async () => {
  const row = '{"transactionId":"t","amount":-9007199254740993.10,"recordState":"Brandnew","more":{"x":1}}';
  await using server = await serve(() => ({ body: `{"data":{"transactions":[${row}]},"meta":{"new":1}}` }));
  const user = server.aviso().user("u");
  const [transaction] = await user.transactions.list().all();
  assert.equal(String(transaction?.amount), "-9007199254740993.10");
  assert.equal(transaction?.recordState, "Brandnew");
  assert.ok(transaction);
  const rows = [{ amount: transaction.amount, note: "n" }];
  await user.sandbox.createTestTransactions({ accountId: "a", transactions: rows });
  assert.match(server.asked[1]?.body ?? "", /"amount":-9007199254740993\.10,/);
});

test("a letter is bytes, and nothing is nothing", async () => {
  await using server = await serve(({ method }) => (method === "GET" ? { body: "%PDF" } : { status: 204 }));
  const user = server.aviso().user("u");
  assert.equal(new TextDecoder().decode(await user.cancellations.getLetter("c")), "%PDF");
  assert.equal(await user.connections.delete("c"), undefined);
});

test("the version is the package's", () => {
  assert.equal(version, JSON.parse(readFileSync("package.json", "utf8")).version);
});
