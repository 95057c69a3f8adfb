// Uses the service as partners do, with k6: make bench ONLY=load. First, a fixed number of
// clients each send the next request as soon as they have a response (closed loop).
// Then requests arrive at rising fixed rates, answered or not (open loop). The last
// step repeats the first rate, to show that the service recovers.
//
// BASE_URL is the service, on loopback only. OUT is the file for the Markdown table.
import http from "k6/http";
import { check, fail, sleep } from "k6";
import { Counter, Trend } from "k6/metrics";
import { uuidv4 } from "./uuid.js";

const base = __ENV.BASE_URL || "http://127.0.0.1:3000";
if (!/^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(base)) {
  throw new Error(`BASE_URL is ${base}; the load test only runs against this machine`);
}
const clients = 8;
const closedSeconds = 30;
const stepSeconds = 8;
const steps = [50, 100, 200, 400, 800, 50]; // requests a second
const pause = 4; // between steps, for requests in flight to end
const rest = 15; // before the last step
const people = 8; // users, so that clients do not change each other's rows

// How many of 100 requests are of each kind; 70 only read.
const mix = [
  [24, "GET transactions", transactions],
  [10, "GET insights/categories", (d) => get(d, "/openbanking/v1/insights/categories")],
  [10, "GET accounts", (d) => get(d, "/openbanking/v1/accounts")],
  [10, "GET providers", (d) => get(d, "/openbanking/v1/providers?countryCode=DE&limit=50")],
  [6, "GET organizations", (d) => get(d, "/cancellations/v1/organizations?limit=50")],
  [6, "GET search", (d) => get(d, "/cancellations/v1/search?searchQuery=fitnes")],
  [4, "GET cancellations", (d) => get(d, "/cancellations/v1/cancellations?limit=10")],
  [8, "POST cancellations", cancel],
  [8, "POST connections", connect],
  [6, "PATCH transaction", categorise],
  [4, "POST users", (d) => post(d, "/identity/v1/users", { externalId: uuidv4(), countryCode: "DE", languageCode: "de" })],
  [4, "POST token", () => token()],
];

const scenarios = {
  closed: { executor: "constant-vus", vus: clients, duration: `${closedSeconds}s`, gracefulStop: "5s" },
};
const names = ["closed"];
steps.forEach((rate, i) => {
  const name = i === steps.length - 1 ? `open ${rate}/s again` : `open ${rate}/s`;
  names.push(name);
  scenarios[name.replace(/[ /]/g, "_")] = {
    executor: "constant-arrival-rate", rate, timeUnit: "1s", duration: `${stepSeconds}s`, gracefulStop: `${pause}s`,
    preAllocatedVUs: Math.min(rate, 200), maxVUs: 400,
    startTime: `${closedSeconds + 6 + i * (stepSeconds + pause) + (i === steps.length - 1 ? rest : 0)}s`, env: { PHASE: name },
  };
});
scenarios.closed.env = { PHASE: "closed" };

export const options = {
  scenarios, summaryTrendStats: ["count", "med", "p(95)", "p(99)", "max"], setupTimeout: "90s", noConnectionReuse: false,
  discardResponseBodies: false, batch: 1, userAgent: "aviso-load",
};

// One set of metrics for each phase.
const took = {}, errors = {};
for (const name of names) {
  const id = name.replace(/[^A-Za-z0-9]+/g, "_");
  took[name] = new Trend(`took_${id}`);
  errors[name] = new Counter(`errors_${id}`);
}

export function setup() {
  const d = { token: JSON.parse(token().body).access_token, users: [] };
  const bank = data(get(d, "/openbanking/v1/providers?countryCode=DE&limit=200")).providers.find((p) => p.status === "Active");
  d.provider = bank.id;
  for (let i = 0; i < people; i++) d.users.push(person(d));
  const found = data(get(d, "/cancellations/v1/search?searchQuery=success%20society")).organizations[0];
  const product = data(get(d, `/cancellations/v1/organizations/${found.id}/products`)).products[0];
  const whole = data(get(d, `/cancellations/v1/organizations/${found.id}/products/${product.productId}?locale=de-DE`)).product;
  const values = { NAME: "Anna Sommer", ADDRESS: "Lindenallee 12", ZIP: "50667", CITY: "Köln", EMAIL: "anna.sommer@example.org", CUSTOMER_NUMBER: "K-204817", DATA_DELETE_REQUEST: "true" };
  d.cancellation = {
    organizationId: found.id, productId: product.productId, locale: "de-DE", signature: { type: "TEXT", data: "Anna Sommer" },
    parameters: whole.template.map((f) => ({ fieldKey: f.fieldKey, fieldValue: values[f.fieldKey] })),
  };
  return d;
}

// person creates a user who has accepted the terms and connected a bank.
function person(d) {
  const p = { token: d.token, provider: d.provider };
  p.user = data(post(p, "/identity/v1/users", { externalId: uuidv4(), countryCode: "DE", languageCode: "de" })).user.userId;
  for (const t of data(get(p, "/identity/v1/terms")).terms) {
    post(p, `/identity/v1/users/${p.user}/terms-acceptances`, { termsType: t.termsType, version: t.version });
  }
  authorise(data(connect(p)).redirectUrl);
  for (let i = 0; i < 100; i++) {
    const list = data(get(p, "/openbanking/v1/transactions?limit=100")).transactions;
    if (list.length === 100) return { user: p.user, rows: list.map((t) => t.id) };
    sleep(0.2);
  }
  fail("no transactions arrived from the sandbox bank");
}

export default function (all) {
  const mine = all.users[__VU % people];
  const d = { token: all.token, provider: all.provider, cancellation: all.cancellation, user: mine.user, rows: mine.rows };
  let n = Math.random() * 100;
  const [, , send] = mix.find(([share]) => (n -= share) < 0) || mix[0];
  const response = send(d);
  const phase = __ENV.PHASE;
  const good = response.status >= 200 && response.status < 300;
  took[phase].add(response.timings.duration);
  if (!good) errors[phase].add(1);
  check(response, { "the response is a success": () => good });
}

function token() {
  return http.post(`${base}/oauth2/token`, { grant_type: "client_credentials", client_id: "sandbox", client_secret: "sandbox-secret" });
}

function headers(d) {
  const h = { Authorization: `Bearer ${d.token}`, "Content-Type": "application/json" };
  if (d.user) h["X-User-Id"] = d.user;
  return { headers: h };
}

function get(d, path) {
  return http.get(base + path, headers(d));
}

function post(d, path, body) {
  return http.post(base + path, JSON.stringify(body), headers(d));
}

function data(response) {
  if (response.status < 200 || response.status > 299) fail(`${response.request.method} ${response.url}: ${response.status} ${response.body}`);
  return response.json("data");
}

function transactions(d) {
  return get(d, "/openbanking/v1/transactions?limit=100");
}

function connect(d) {
  return post(d, "/openbanking/v1/connections", { providerId: d.provider, returnUrl: "https://partner.example/" });
}

function cancel(d) {
  return post(d, "/cancellations/v1/cancellations", Object.assign({ externalCancellationRequestIdentifier: uuidv4(), repeat: true }, d.cancellation));
}

function categorise(d) {
  const row = d.rows[Math.floor(Math.random() * d.rows.length)];
  const categoryId = 520 + 10 * Math.floor(Math.random() * 5);
  return http.patch(`${base}/openbanking/v1/transactions/${row}`, JSON.stringify({ categoryId }), headers(d));
}

// authorise clicks through the sandbox bank's pages like a user.
function authorise(address) {
  let page = http.get(address);
  page = page.submitForm({ fields: { persona: "family", customer: uuidv4().slice(0, 8) } });
  const accounts = page.html().find("input[name='account[]']").toArray().map((e) => e.attr("value"));
  const form = page.html().find("form").first().attr("action");
  const body = accounts.map((a) => `account%5B%5D=${encodeURIComponent(a)}`).concat("decision=approve").join("&");
  const target = form.startsWith("http") ? form : base + form;
  // The last hop is the partner's own page, which does not exist.
  let response = http.post(target, body, { redirects: 0, headers: { "Content-Type": "application/x-www-form-urlencoded" } });
  while (response.status >= 300 && response.status < 400) {
    const next = response.headers.Location;
    if (next.startsWith("https://partner.example/")) return;
    response = http.get(next.startsWith("http") ? next : base + next, { redirects: 0 });
  }
  fail(`the bank did not redirect back to the partner: ${response.status}`);
}

export function handleSummary(summary) {
  const value = (metric, stat) => (summary.metrics[metric] ? summary.metrics[metric].values[stat] : 0) || 0;
  const id = (name) => name.replace(/[^A-Za-z0-9]+/g, "_");
  const row = (name, seconds) => {
    const count = value(`took_${id(name)}`, "count");
    const ms = (stat) => value(`took_${id(name)}`, stat).toFixed(1);
    return [name, String(count), (count / seconds).toFixed(0), ms("med"), ms("p(95)"), ms("p(99)"), String(value(`errors_${id(name)}`, "count"))];
  };
  const head = ["requests", "per second", "p50, ms", "p95, ms", "p99, ms", "errors"];
  const rows = [["Load", ...head], row("closed", closedSeconds), ...names.slice(1).map((name) => row(name, stepSeconds))];
  rows[1][0] = `closed, by ${clients} clients`;
  const text = table(rows);
  const out = { stdout: `\n${text}\n` };
  if (__ENV.OUT) out[__ENV.OUT] = text;
  return out;
}

function table(rows) {
  const width = rows[0].map((_, i) => Math.max(...rows.map((r) => r[i].length)));
  const line = (r) => `| ${r.map((c, i) => (i ? c.padStart(width[i]) : c.padEnd(width[i]))).join(" | ")} |\n`;
  const rule = `|${width.map((w, i) => "-".repeat(i ? w + 1 : w + 2) + (i ? ":" : "")).join("|")}|\n`;
  return line(rows[0]) + rule + rows.slice(1).map(line).join("");
}
