import assert from "node:assert/strict";
import { test } from "node:test";
import { operationTable } from "../../src/core/operations.js";
import { serve } from "../server.js";

// Tokens are the client's own business; the others are for OAuth libraries and tools.
const notOffered = ["createToken", "getAuthorizationServerMetadata", "getDocument", "getKeySet", "sendTestMail"];

test("every operation of the document has a method, and acts for a user where it should", async () => {
  await using server = await serve(() => ({ body: { data: { changes: [] }, meta: {} } }));
  const aviso = server.aviso();
  for (const view of [aviso, aviso.user("user-1")]) {
    for (const group of Object.values(view)) {
      if (typeof group !== "object") continue;
      const names = Object.getOwnPropertyNames(Object.getPrototypeOf(group));
      for (const method of names.filter((name) => name !== "constructor")) {
        const made = group[method]("id1", "id2");
        if (Symbol.asyncIterator in made) await made[Symbol.asyncIterator]().next().catch(() => {});
        else await made.catch(() => {});
      }
    }
  }
  const called = new Set<string>();
  for (const { method, url, headers } of server.asked) {
    const pattern = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "(id\\d|user-1)")}$`);
    const [name, operation] = Object.entries(operationTable)
      .find(([, o]) => o.method === method && pattern(o.path).test(url.pathname)) ?? [];
    assert.ok(name && operation, `${method} ${url.pathname}`);
    assert.equal(headers["x-user-id"], "forUser" in operation ? "user-1" : undefined, name);
    assert.equal("idempotency-key" in headers, "takesKey" in operation, name);
    called.add(name);
  }
  assert.deepEqual(Object.keys(operationTable).filter((name) => !called.has(name)).sort(), notOffered);
});
