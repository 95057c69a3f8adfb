// These tests need a local stack at AVISO_BASE_URL, and its credentials.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Aviso, Decimal, NotFoundError, type UserView, ValidationError } from "../../src/index.js";
import { approve } from "../bank.js";

const aviso = new Aviso();

test("the quickstart: a connected bank, a callback, and transactions", { timeout: 60_000 }, async () => {
  const program = spawn(process.execPath, ["examples/quickstart.mjs"], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(program, "exit");
  try {
    let output = "";
    let back = "";
    for await (const chunk of program.stdout.setEncoding("utf8")) {
      output += chunk;
      const [link] = back ? [] : (/http\S+(?=\n)/.exec(output) ?? []);
      if (link) back = await approve(link, "anna");
    }
    assert.match(back, /status=success/);
    assert.match(output, /^\d{4}-\d\d-\d\d\S* -?\d+\.\d\d EUR .+$/m);
    assert.match(output, /^\d{3,} transactions, in all -?\d+\.\d\d$/m);
    assert.deepEqual(await ended, [0, null]);
  } finally {
    program.kill();
  }
});

test("1,652 transactions add up to the service's own sums, to the cent", { timeout: 120_000 }, async () => {
  const user = await newUser();
  for (const persona of ["family", "anna"] as const) await connect(user, persona);
  const rows = await user.transactions.list({ limit: 200 }).all();
  const counted = rows.filter((row) => row.recordState !== "Void").map((row) => row.amount);
  const sums = [];
  for (const transactionType of ["Income", "Expense"] as const) {
    sums.push(...(await user.insights.listCategories({ transactionType, granularity: "alltime" }).all()));
  }
  assert.ok(rows.length >= 1652, `${rows.length} transactions`);
  assert.equal(sums.reduce((count, sum) => count + sum.numberOfTransactions, 0), counted.length);
  assert.equal(Decimal.sum(counted).toFixed(2), Decimal.sum(sums.map((sum) => sum.amount)).toFixed(2));
});

test("amounts that are sent arrive exactly", { timeout: 120_000 }, async () => {
  const user = await newUser();
  const connectionId = await connect(user, "anna");
  const [account] = await user.accounts.list().all();
  assert.ok(account);
  const amount = Decimal.from("-8191.07");
  const { accountId } = account;
  await user.sandbox.createTestTransactions({ accountId, transactions: [{ amount, note: "exact" }] });
  await user.connections.refresh(connectionId, { "X-Psu-Ip-Address": "192.0.2.1" });
  for (;;) {
    const [row] = await user.transactions.list({ amountFrom: String(amount), amountTo: String(amount) }).all();
    if (row) return assert.equal(row.amount.toFixed(2), "-8191.07");
    await sleep(200);
  }
});

test("problems of the service are typed, with what a program needs", async () => {
  const user = await newUser();
  await assert.rejects(user.transactions.get(crypto.randomUUID()), (error: NotFoundError) =>
    error instanceof NotFoundError && error.code === "not_found" && error.traceId !== "");
  await assert.rejects(user.transactions.list({ limit: -1 }).page(), (error: ValidationError) =>
    error instanceof ValidationError && error.errors[0]?.parameter === "limit");
});

test("pages continue where the last one ended", async () => {
  const list = aviso.providers.list({ limit: 5 });
  const [first, all] = [await list.page(), await list.all()];
  const second = await list.page(first.nextToken);
  assert.deepEqual([...first.items, ...second.items].map((bank) => bank.id), all.slice(0, 10).map((bank) => bank.id));
});

test("a key that is given is taken once", async () => {
  const options = { idempotencyKey: crypto.randomUUID() };
  const create = () => aviso.users.create({ countryCode: "DE", languageCode: "en" }, options);
  assert.equal((await create()).userId, (await create()).userId);
});

async function newUser(): Promise<UserView> {
  const { userId } = await aviso.users.create({ countryCode: "DE", languageCode: "en" });
  const user = aviso.user(userId);
  for await (const terms of aviso.terms.list()) await user.terms.accept(terms);
  return user;
}

async function connect(user: UserView, persona: "family" | "anna"): Promise<string> {
  const [bank] = await aviso.providers.list({ providerNameFilter: "linden" }).all();
  assert.ok(bank);
  const returnUrl = "http://localhost:8090/";
  const { connectionId, redirectUrl } = await user.connections.create({ providerId: bank.id, returnUrl });
  assert.match(await approve(redirectUrl, persona), /status=success/);
  for (;;) {
    const { lastSuccessAt } = await user.connections.get(connectionId);
    if (!lastSuccessAt.startsWith("0001")) return connectionId;
    await sleep(200);
  }
}
