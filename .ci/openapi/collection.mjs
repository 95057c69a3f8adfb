// Writes docs/aviso.postman_collection.json from docs/openapi.yaml with openapi-to-postmanv2, and adds
// what the document cannot say: how to get a token, which ID goes into which request, and an order
// in which all requests can be sent: by tag, new objects first, deletions last.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const tools = createRequire(new URL("../../.tools/openapi/package.json", import.meta.url));
const converter = tools("openapi-to-postmanv2");
const document = readFileSync("docs/openapi.yaml", "utf8");
const order = ["POST", "GET", "PATCH", "PUT"];

// Variables that requests take from answers before them, by the member of a body or the parameter.
const carried = ["userId", "providerId", "connectionId", "transactionId", "organizationId", "productId", "cancellationId",
  "objectionId", "subscriptionId", "secretId", "erasureId"];
const given = { returnUrl: "http://localhost:8080/", serverUrl: "http://localhost:8080/", termsType: "", version: "" };

const afterEach = `
// Keeps the IDs of what was created or listed, for the requests below.
const carried = ${JSON.stringify(carried)};
let body = {};
try { body = pm.response.json(); } catch { /* a letter, or no body */ }
const keep = (object) => {
  for (const [name, value] of Object.entries(object ?? {})) {
    if (name === "example") continue;
    if (carried.includes(name) && typeof value === "string") pm.collectionVariables.set(name, value);
    else if (value !== null && typeof value === "object") keep(Array.isArray(value) ? value[0] : value);
  }
};
keep(body.data);
const list = Object.values(body.data ?? {}).find(Array.isArray)?.[0];
for (const name of ["provider", "organization", "transaction"]) {
  if (list?.id && body.data[name + "s"]) pm.collectionVariables.set(name + "Id", list.id);
}
pm.test("The token is accepted, and nothing is broken", () =>
  pm.expect([401, 403, 500, 502, 503]).not.to.include(pm.response.code));`.trim();

const acceptAll = {
  prerequest: `
// Each time, the next of the terms that were listed.
const left = JSON.parse(pm.collectionVariables.get("termsLeft"));
pm.collectionVariables.set("termsType", left[0].termsType);
pm.collectionVariables.set("version", left[0].version);
pm.collectionVariables.set("termsLeft", JSON.stringify(left.slice(1)));`.trim(),
  test: `if (pm.collectionVariables.get("termsLeft") !== "[]") postman.setNextRequest(pm.info.requestName);`,
};
const listed = `pm.collectionVariables.set("termsLeft", JSON.stringify(pm.response.json().data.terms));`;

const script = (listen, code) => ({ listen, script: { type: "text/javascript", exec: code.split("\n") } });

/** Replaces example IDs in a JSON value by variables. */
function withVariables(value) {
  if (Array.isArray(value)) return value.map(withVariables);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) =>
    [name, carried.includes(name) || name in given ? `{{${name}}}` : withVariables(member)]));
}

/** Makes the converter's request fit into the collection. */
function adapt(item) {
  const { request } = item;
  const statuses = item.response.map((r) => r.code);
  const events = [script("test", `pm.test("The document has this status", () =>
  pm.expect(${JSON.stringify(statuses)}).to.include(pm.response.code));`)];
  for (const variable of request.url.variable ?? []) variable.value = `{{${variable.key}}}`;
  // The converter invents other values each time.
  for (const parameter of request.url.query ?? []) if (parameter.disabled) parameter.value = "";
  request.header = (request.header ?? []).filter((h) => h.key !== "X-Request-Id");
  for (const header of request.header) {
    if (header.key === "X-User-Id") header.value = "{{userId}}";
    if (header.key === "Idempotency-Key") header.value = "{{$guid}}";
  }
  delete request.auth; // the collection's
  const path = request.url.path.join("/");
  if (request.body?.mode === "raw") {
    let body = JSON.parse(request.body.raw);
    if (!path.startsWith("oauth2")) body = withVariables(body);
    if (body.externalId) body.externalId = "customer-{{$guid}}";
    if (body.externalCancellationRequestIdentifier) body.externalCancellationRequestIdentifier = "order-{{$guid}}";
    request.body.raw = JSON.stringify(body, null, 2);
  }
  if (path.startsWith("oauth2")) {
    request.auth = { type: "basic", basic: [
      { key: "username", value: "{{clientId}}", type: "string" }, { key: "password", value: "{{clientSecret}}", type: "string" }] };
  }
  if (path === "identity/v1/terms") events.push(script("test", listed));
  if (path.endsWith("terms-acceptances") && request.method === "POST") {
    events.push(script("prerequest", acceptAll.prerequest), script("test", acceptAll.test));
  }
  return { name: item.name, request, event: events, response: [] };
}

const requests = (items) => items.flatMap((item) => (item.item ? requests(item.item) : [item]));
// Terms are listed before they are accepted.
const rank = ({ request: { method, url } }) => [url.path.at(-1) === "terms" ? -1 : order.indexOf(method), url.path.length];

const options = { folderStrategy: "Tags", parametersResolution: "Example", requestParametersResolution: "Example",
  exampleParametersResolution: "Example", enableOptionalParameters: false };
const { output } = await new Promise((resolve, reject) =>
  converter.convert({ type: "string", data: document }, options, (error, result) =>
    error || !result.result ? reject(error ?? new Error(result.reason)) : resolve(result)));
const converted = output[0].data;
const deletions = [];
const folders = converted.item.filter((folder) => folder.item.length > 0).map((folder) => {
  const all = requests(folder.item).map(adapt);
  deletions.unshift(...all.filter((item) => item.request.method === "DELETE"));
  const item = all.filter((one) => one.request.method !== "DELETE");
  item.sort((a, b) => rank(a)[0] - rank(b)[0] || rank(a)[1] - rank(b)[1]);
  return { name: folder.name, description: folder.description, item };
});
folders.push({ name: "Clean up", description: "Deletes what the requests above have created.", item: deletions });

const collection = {
  info: {
    _postman_id: "6a1c6c3e-0b0e-4f0a-9a52-5f3b7d3c1e90", name: "Aviso",
    description: "Every operation of the Aviso API. Set `baseUrl`, `clientId` and `clientSecret`, and outside the local " +
      "stack (`make run`) also `returnUrl` and `serverUrl`. Scripts get the access token and pass IDs on to later requests.",
    schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
  },
  auth: { type: "bearer", bearer: [{ key: "token", value: "{{accessToken}}", type: "string" }] },
  event: [script("prerequest", readFileSync(new URL("token.js", import.meta.url), "utf8").trim()), script("test", afterEach)],
  variable: Object.entries({ baseUrl: "http://localhost:3000", clientId: "sandbox", clientSecret: "sandbox-secret", ...given,
    ...Object.fromEntries(carried.map((id) => [id, ""])) }).map(([key, value]) => ({ key, value })),
  item: folders,
};
// The converter makes new IDs each time.
const text = JSON.stringify(collection, (key, value) => (key === "id" && /^[0-9a-f-]{36}$/.test(value) ? undefined : value), 2);
writeFileSync("docs/aviso.postman_collection.json", text + "\n");
