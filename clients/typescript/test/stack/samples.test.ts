// Runs the samples of docs/snippets, which `npm test` compiles in build/samples.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { format } from "node:util";
import { Aviso } from "../../src/index.js";
import { approve } from "../bank.js";

const aviso = new Aviso();
const order = readFileSync("../../docs/snippets/order.txt", "utf8").trim().split("\n");

// What the samples take for granted: samples.d.ts declares it.
const variables = globalThis as unknown as Record<string, string>;
variables["baseUrl"] = process.env["AVISO_BASE_URL"] ?? "";
variables["clientId"] = process.env["AVISO_CLIENT_ID"] ?? "";
variables["clientSecret"] = process.env["AVISO_CLIENT_SECRET"] ?? "";

/** What has to happen after a sample. It gets what the sample printed. */
const between: Record<string, (printed: string) => Promise<void>> = {
  acceptTerms: async () => {
    for await (const terms of aviso.terms.list()) await user().terms.accept(terms);
  },
  createConnection: async (printed) => {
    assert.match(await approve(first(/http\S+/, printed), "anna"), /status=success/);
    while ((await user().connections.get(id("connectionId"))).lastSuccessAt < "0002") await sleep(200);
  },
  simulateEvent: async () => {
    while ((await aviso.webhooks.listDeliveryAttempts(id("subscriptionId")).all()).length === 0) await sleep(200);
  },
};

test("the samples of all operations run", { timeout: 120_000 }, async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "samples-"));
  process.chdir(folder);
  t.after(() => rmSync(folder, { recursive: true }));
  t.after(() => aviso.users.delete(id("userId")).catch(() => {})); // if a sample failed
  const log = t.mock.method(console, "log", () => {});
  for (const [operation = "", variable] of order.map((line) => line.split(" "))) {
    log.mock.resetCalls();
    await import(`../../samples/${operation}.js`).catch((cause) => {
      // The letter may be gone before it is withdrawn.
      if (cause.code !== "cancellation_not_withdrawable") throw new Error(`${operation} failed`, { cause });
    });
    const printed = log.mock.calls.map((call) => format(...call.arguments)).join("\n");
    assert.doesNotMatch(printed, /undefined/, operation);
    if (variable) variables[variable] = first(/[0-9a-f]{8}-[0-9a-f-]{27}|^[\w-]{60,}$/m, printed);
    await between[operation]?.(printed);
  }
});

function user() {
  return aviso.user(id("userId"));
}

function id(variable: string): string {
  return variables[variable] ?? "";
}

function first(pattern: RegExp, printed: string): string {
  return pattern.exec(printed)?.[0] ?? assert.fail(`printed: ${printed}`);
}
