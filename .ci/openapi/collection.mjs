// Writes docs/aviso.postman_collection.json from docs/openapi.yaml with openapi-to-postmanv2, and adds
// what the document cannot say: how to get a token, which ID goes into which request, and an order
// in which all requests can be sent: by tag, as in docs/snippets/order.txt, deletions last.
//
// A partner shares its environment with colleagues. So a request acts only on what the collection has
// created, and never on what a list happens to begin with. IDs of banks and organizations are the
// document's examples: they are the sandbox's, and nobody owns them.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const tools = createRequire(new URL("../../.tools/openapi/package.json", import.meta.url));
const converter = tools("openapi-to-postmanv2");
const text = readFileSync("docs/openapi.yaml", "utf8");
const { paths } = tools("js-yaml").load(text);
const order = readFileSync("docs/snippets/order.txt", "utf8").trim().split("\n").map((line) => line.split(" ")[0]);
const beside = (name) => readFileSync(new URL(name, import.meta.url), "utf8").trim();

// Variables that later requests take from answers, by operation. Each list is of the run's own user.
const sets = {
  createUser: { userId: "user.userId", externalId: "user.externalId" },
  createConnection: { connectionId: "connectionId", redirectUrl: "redirectUrl" },
  listAccounts: { accountId: "accounts[0].accountId" },
  listTransactions: { transactionId: "transactions[0].id" },
  listRecurringContracts: { contractId: "subscriptions[0].subscriptionId" },
  createCancellation: { cancellationId: "cancellation.cancellationId", replyAddress: "cancellation.replyAddress" },
  listReplies: { replyId: "replies[0].replyId" },
  createWebhookSubscription: { subscriptionId: "subscription.subscriptionId", secretId: "secret.secretId" },
  createExport: { exportId: "export.exportId" },
  deleteUser: { erasureId: "erasure.erasureId" },
};
const unowned = ["providerId", "organizationId", "productId"];
const given = { baseUrl: "http://localhost:3000", clientId: "sandbox", clientSecret: "sandbox-secret",
  returnUrl: "http://localhost:8080/", serverUrl: "http://localhost:8080/" };

// What examples leave out, or what must differ each time.
const bodies = {
  createUser: { externalId: "customer-{{$guid}}" },
  createCancellation: { externalCancellationRequestIdentifier: "order-{{$guid}}" },
  createWebhookSubscription: { events: ["webhook.ping"] },
  simulateEvent: { subscriptionId: "{{subscriptionId}}" },
};
// A mail that an organization could send. It only acknowledges the letter.
const mail = `From: Vidorama <service@vidorama.example>
To: {{replyAddress}}
Subject: Your cancellation
Date: Mon, 2 Mar 2026 10:00:00 +0000
Content-Type: text/plain; charset=utf-8

We have received your message under the number 48201 and will get back to you.
`;
// Statuses other than success: a refresh comes too early, nothing was debited after the end, and the
// letter may be gone before it is withdrawn.
const refused = { refreshConnection: [429], createObjection: [409], sendObjection: [409], withdrawCancellation: [409],
  answerReply: [409], updateCancellationOutcome: [409] };

const take = `
  pm.collectionVariables.set("termsType", terms.termsType);
  pm.collectionVariables.set("version", terms.version);
  pm.collectionVariables.set("termsLeft", JSON.stringify(left));`;
const after = {
  listTerms: `const [terms, ...left] = pm.response.json().data.terms;${take.replace(/^ +/gm, "")}`,
  acceptTerms: `
// A run sends the request again, with the next of the terms that were listed.
const [terms, ...left] = JSON.parse(pm.collectionVariables.get("termsLeft"));
if (terms) {${take}
  pm.execution.setNextRequest(pm.info.requestName);
}`.trim(),
  getConnection: `
// Until the bank has been read, lastSuccessAt is in the year 0001. A run sends the request again.
const read = pm.response.json().data.connection.lastSuccessAt > "0002";
const tries = Number(pm.collectionVariables.get("tries") || 0);
pm.collectionVariables.set("tries", read ? "0" : String(tries + 1));
if (!read) {
  pm.expect(tries).to.be.below(60);
  setTimeout(() => {}, 500);
  pm.execution.setNextRequest(pm.info.requestName);
}`.trim(),
};

const script = (listen, lines) => ({ listen, script: { type: "text/javascript", exec: lines.join("\n").split("\n") } });
const keep = ([name, from]) => `pm.collectionVariables.set("${name}", ${from});`;
/** A script that runs after a request, as one test: what follows a wrong status is left out. */
const test = (codes, lines) => {
  const inside = [`pm.expect(pm.response.code).to.be.oneOf([${codes.join(", ")}]);`, ...lines];
  return script("test", ['pm.test("Answer", () => {', ...inside.map((line) => line.replace(/^/gm, "  ")), "});"]);
};

// What the user's browser does between the partner's page and the bank's. It sends the cookie by
// itself: it is Secure, and Postman sends none such over plain HTTP.
const location = `pm.response.headers.get("Location")`;
const page = (name, method, url, results, rest) => ({
  name, request: { method, url, auth: { type: "noauth" }, header: [], ...rest },
  event: [test([302, 303], Object.entries(results).map(keep))],
  protocolProfileBehavior: { followRedirects: false }, response: [],
});
const fields = { persona: "anna", "account[]": "current", decision: "approve" };
const browser = [
  page("Open the link, as the user's browser does", "GET", "{{redirectUrl}}",
    { bankPage: location, browserCookie: `String(pm.response.headers.get("Set-Cookie")).split(";")[0]` }),
  page("Approve at the sandbox bank, as the user does", "POST", "{{bankPage}}", { wayBack: location },
    { body: { mode: "urlencoded", urlencoded: Object.entries(fields).map(([key, value]) => ({ key, value })) } }),
  page("Follow the bank's redirect back", "GET", "{{wayBack}}", {},
    { header: [{ key: "Cookie", value: "{{browserCookie}}" }] }),
];

// The request that sets a variable, by name, for the message of one that has none.
const made = { redirectUrl: "", bankPage: browser[0].name, browserCookie: browser[0].name, wayBack: browser[1].name };
const summary = Object.fromEntries(Object.values(paths).flatMap(Object.values).map((o) => [o.operationId, o.summary]));
for (const [id, names] of Object.entries(sets)) for (const name of Object.keys(names)) made[name] = summary[id];
made.termsType = made.version = summary.listTerms;

/** Makes the converter's request fit into the collection. */
function adapt({ name, request }) {
  const path = request.url.path.join("/");
  const operation = paths["/" + path.replace(/:(\w+)/g, "{$1}")][request.method.toLowerCase()];
  const id = operation.operationId;
  const codes = [...Object.keys(operation.responses).filter((code) => code < "300"), ...(refused[id] ?? [])];
  const kept = Object.entries(sets[id] ?? {}).map(([variable, from]) => [variable, "pm.response.json().data." + from]);
  // What is deleted is not used again.
  if (request.method === "DELETE" && path.endsWith("Id")) kept.push([path.split(":").at(-1), '""']);
  for (const variable of request.url.variable ?? []) {
    const own = path.startsWith("openbanking/v1/insights") ? "contractId" : variable.key;
    if (own in made) variable.value = `{{${own}}}`;
    else if (!unowned.includes(own)) throw new Error(`No request gives ${own} to ${id}: add it to sets.`);
  }
  for (const parameter of request.url.query ?? []) {
    if (parameter.disabled) parameter.value = ""; // the converter invents other values each time
    else if (parameter.key in made) parameter.value = `{{${parameter.key}}}`;
  }
  request.header = (request.header ?? []).filter((h) => h.key !== "X-Request-Id");
  for (const header of request.header) {
    if (header.key === "X-User-Id") header.value = "{{userId}}";
    if (header.key === "Idempotency-Key") header.value = "{{$guid}}";
  }
  const query = (request.url.query ?? []).filter((p) => !p.disabled).map((p) => `${p.key}=${p.value}`).join("&");
  request.url.raw = `{{baseUrl}}/${path}${query && "?" + query}`; // Bruno reads no other part
  delete request.auth; // the collection's
  if (id === "sendTestMail") {
    request.body = { mode: "raw", raw: mail };
  } else if (request.body?.mode === "raw") {
    const body = JSON.parse(request.body.raw);
    for (const member in body) if (member in made || member in given) body[member] = `{{${member}}}`;
    request.body.raw = JSON.stringify({ ...body, ...bodies[id] }, null, 2);
  }
  if (id === "createToken") {
    const basic = Object.entries({ username: "{{clientId}}", password: "{{clientSecret}}" });
    request.auth = { type: "basic", basic: basic.map(([key, value]) => ({ key, value, type: "string" })) };
  }
  const lines = [...kept.map(keep), ...(after[id] ? [after[id]] : [])];
  return { id, name, request, event: [test(codes, lines)], response: [] };
}

const requests = (items) => items.flatMap((item) => (item.item ? requests(item.item) : [item]));
const options = { folderStrategy: "Tags", parametersResolution: "Example", requestParametersResolution: "Example",
  exampleParametersResolution: "Example", enableOptionalParameters: false };
const { output } = await new Promise((resolve, reject) =>
  converter.convert({ type: "string", data: text }, options, (error, result) =>
    error || !result.result ? reject(error ?? new Error(result.reason)) : resolve(result)));

const cleaning = (item) => item.request.method === "DELETE" || item.id === "getErasure";
const strip = ({ id, ...item }) => item;
const all = output[0].data.item.map((folder) => ({ ...folder, item: requests(folder.item).map(adapt) }));
// The organization answers before its answers are read.
const [answer] = all.flatMap((folder) => folder.item).filter((item) => item.id === "sendTestMail");
for (const folder of all) {
  folder.item = folder.item.filter((item) => item !== answer).concat(folder.name === "Cancellations" ? answer : []);
}
const sorted = (items) => items.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
  .flatMap((item) => (item.id === "createConnection" ? [strip(item), ...browser] : [strip(item)]));
const folders = all.map(({ name, description, item }) =>
  ({ name, description, item: sorted(item.filter((one) => !cleaning(one))) }));
folders.push({ name: "Clean up", description: "Deletes what the requests above have created.",
  item: sorted(all.flatMap((folder) => folder.item).filter(cleaning)) });

const collection = {
  info: {
    _postman_id: "6a1c6c3e-0b0e-4f0a-9a52-5f3b7d3c1e90", name: "Aviso",
    description: "Every operation of the Aviso API. Set `baseUrl`, `clientId` and `clientSecret`, and outside the " +
      "local stack (`make run`) also `returnUrl` and `serverUrl`. Scripts get the access token and pass IDs on to " +
      "later requests, which act only on what the collection has created.",
    schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
  },
  auth: { type: "bearer", bearer: [{ key: "token", value: "{{accessToken}}", type: "string" }] },
  event: [script("prerequest",
    [`const made = ${JSON.stringify(made, null, 2)};`, beside("guard.js"), beside("token.js")])],
  variable: Object.entries({ ...given, ...Object.fromEntries(Object.keys(made).map((name) => [name, ""])) })
    .map(([key, value]) => ({ key, value })),
  item: folders.filter((folder) => folder.item.length > 0),
};
// The converter makes new IDs each time.
const withoutIDs = (key, value) => (key === "id" && /^[0-9a-f-]{36}$/.test(value) ? undefined : value);
const written = JSON.stringify(collection, withoutIDs, 2);
writeFileSync("docs/aviso.postman_collection.json", written + "\n");
