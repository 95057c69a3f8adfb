// Runs the README's cancellation as it stands.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Aviso } from "../../src/index.js";

const readme = readFileSync("README.md", "utf8");

test("the README's cancellation is accepted", { timeout: 60_000 }, async (t) => {
  const block = readme.match(/## Cancel a contract[^]*?```js\n([^]*?)```/)?.[1] ?? "";
  assert.match(block, /cancellations\.create/);
  const aviso = new Aviso();
  const { userId } = await aviso.users.create({ countryCode: "DE", languageCode: "en" });
  t.after(() => aviso.users.delete(userId));
  const user = aviso.user(userId);
  for await (const terms of aviso.terms.list()) await user.terms.accept(terms);
  const form = {
    NAME: "Anna Sommer", ADDRESS: "Lindenallee 12", ZIP: "50667", CITY: "Köln", EMAIL: "anna.sommer@example.org",
    CUSTOMER_NUMBER: "K-204817", DATA_DELETE_REQUEST: "false",
  };
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  const made = await new AsyncFunction("aviso", "user", "form", `${block}\nreturn cancellation;`)(aviso, user, form);
  assert.equal(made.status, "Created");
});
