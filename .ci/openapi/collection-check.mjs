// Runs docs/aviso.postman_collection.json twice on a stack that has objects of somebody else, made with
// the same client, before and between its own. They must stay as they are. Then it sends each request
// alone: one that needs an ID says what to send first, and sends nothing.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const newman = createRequire(new URL("../../.tools/openapi/package.json", import.meta.url))("newman");
const collection = JSON.parse(readFileSync("docs/aviso.postman_collection.json", "utf8"));
const { AVISO_BASE_URL: base, AVISO_CLIENT_ID: id, AVISO_CLIENT_SECRET: secret } = process.env;
const basic = { Authorization: "Basic " + Buffer.from(`${id}:${secret}`).toString("base64") };
const grant = { method: "POST", headers: basic, body: new URLSearchParams({ grant_type: "client_credentials" }) };
const { access_token } = await (await fetch(base + "/oauth2/token", grant)).json();

/** Calls the API, perhaps for a user, and returns data. */
async function call(path, body, user) {
  const json = { "Content-Type": "application/json" };
  const headers = { Authorization: "Bearer " + access_token, ...json, ...(user && { "X-User-Id": user }) };
  const method = body ? "POST" : "GET";
  const response = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  assert.ok(response.ok, `${path}: ${response.status}`);
  return (await response.json()).data;
}

/** Makes one of everything, as a colleague would. */
async function colleague() {
  const person = { externalId: "colleague-" + crypto.randomUUID(), countryCode: "DE", languageCode: "de" };
  const { user } = await call("/identity/v1/users", person);
  for (const { termsType, version } of (await call("/identity/v1/terms")).terms) {
    await call(`/identity/v1/users/${user.userId}/terms-acceptances`, { termsType, version });
  }
  const bank = (await call("/openbanking/v1/providers?providerNameFilter=linden")).providers[0];
  const link = await call("/openbanking/v1/connections", { providerId: bank.id }, user.userId);
  const form = new URLSearchParams({ persona: "anna", "account[]": "current", decision: "approve" });
  const open = async (url, options) => (await fetch(url, { redirect: "manual", ...options })).headers;
  const opened = await open(link.redirectUrl);
  const approved = await open(opened.get("location"), { method: "POST", body: form });
  await open(approved.get("location"), { headers: { Cookie: opened.get("set-cookie").split(";")[0] } });
  const connection = () => call("/openbanking/v1/connections/" + link.connectionId, null, user.userId);
  const unread = async () => (await connection()).connection.lastSuccessAt < "0002";
  while (await unread()) await new Promise((resolve) => setTimeout(resolve, 200));
  const webhook = { serverUrl: "http://localhost:8080/colleague", events: ["webhook.ping"] };
  const { subscription } = await call("/webhooks/v1/subscriptions", webhook);
  return { userId: user.userId, subscriptionId: subscription.subscriptionId };
}

/** What a colleague sees of their own objects. */
const seen = async ({ userId, subscriptionId }) => ({
  user: await call("/identity/v1/users/" + userId),
  terms: await call(`/identity/v1/users/${userId}/terms-acceptances`),
  clock: (await call(`/sandbox/v1/users/${userId}/clock`)).clock.status,
  connections: await call("/openbanking/v1/connections", null, userId),
  accounts: await call("/openbanking/v1/accounts", null, userId),
  transactions: await call("/openbanking/v1/transactions?limit=200", null, userId),
  contracts: await call("/openbanking/v1/insights/subscriptions", null, userId),
  cancellations: await call("/cancellations/v1/cancellations", null, userId),
  subscription: await call("/webhooks/v1/subscriptions/" + subscriptionId),
  secrets: await call(`/webhooks/v1/subscriptions/${subscriptionId}/secrets`),
  attempts: await call(`/webhooks/v1/subscriptions/${subscriptionId}/attempts`),
});
const subscriptions = () => call("/webhooks/v1/subscriptions");

const run = ({ environment, ...options }) => new Promise((resolve, reject) => {
  const variables = { baseUrl: base, clientId: id, clientSecret: secret, ...environment };
  const envVar = Object.entries(variables).map(([key, value]) => ({ key, value }));
  newman.run({ collection, envVar, timeout: 60000, timeoutRequest: 10000, ...options },
    (error, summary) => (error ? reject(error) : resolve(summary.run)));
});

const colleagues = [];
let before;
const look = () => Promise.all(colleagues.map(seen));
const unchanged = async (what) => assert.deepEqual(await look(), before, what + " changes what is not its own");
for (const time of ["first", "second"]) {
  colleagues.push(await colleague());
  before = await look();
  const listed = await subscriptions();
  const { failures, stats } = await run({ bail: true });
  assert.deepEqual(failures.map((f) => `${f.source?.name}: ${f.error.message}`), [], `the ${time} run fails`);
  await unchanged(`the ${time} run`);
  assert.deepEqual(await subscriptions(), listed, `the ${time} run leaves a subscription or deletes another`);
  console.log(`The ${time} run: ${stats.requests.total} requests, ${stats.assertions.total} assertions`);
}

const all = collection.item.flatMap((folder) => folder.item);
const needs = ({ request }) => /{{(?!baseUrl|returnUrl|serverUrl|client|\$)\w+}}/.test(JSON.stringify(request));
const folder = all.filter(needs).map(({ name }) => name);
/** Runs requests without the others, and returns the first error of each. */
async function alone(options) {
  const { failures, executions } = await run(options);
  for (const { item, response } of executions) assert.equal(response, undefined, `"${item.name}" alone is sent`);
  return executions.map(({ item }) => failures.find(({ source }) => source.name === item.name)?.error.message);
}
for (const error of await alone({ folder })) assert.match(error, /^\w+ is empty: send "[A-Z].+" first\.$/);
for (const value of ["", null, undefined, "{{typo}}"]) {
  const item = structuredClone(all.find(({ name }) => name === "Get an organization"));
  item.request.url.variable[0].value = value;
  const [error] = await alone({ collection: { ...collection, item: [item] } });
  assert.match(error, value ? /^typo is empty: set it/ : /^The address has an empty part/, String(value));
}
const [error] = await alone({ folder: "Update a Partner User", environment: { userId: colleagues[0].userId } });
assert.match(error, /^userId is not of this collection/);
await unchanged("a request alone");
console.log(`Alone, ${folder.length} requests say what to send first`);
