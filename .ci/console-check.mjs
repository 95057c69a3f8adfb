// Lets things happen at AVISO_BASE_URL, because pages without data show little: a user connects a
// bank and cancels a contract, and callbacks reach nobody. Then signs in to the console and opens
// every page that its links lead to, on a phone and on a desk, light and dark. Fails for
// violations of axe's rules, for errors (also of the content security policy), requests
// elsewhere, answers that are not a page, and pages that scroll sideways. Then breaks receivers in
// five ways, and answers with the console alone: which, since when, what was lost, what it said, and
// whether it is mended. PICTURES names a folder for pictures of the pages, for you to look at.
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { browser, faults, go } from "./browser.mjs";

const base = process.env.AVISO_BASE_URL;
const [clientId, clientSecret] = [process.env.AVISO_CLIENT_ID ?? "sandbox", process.env.AVISO_CLIENT_SECRET ?? "sandbox-secret"];
const pictures = process.env.PICTURES;
const looks = [["light", 1280], ["dark", 1280], ["light", 390], ["dark", 390]];
const perKind = 2; // pages that differ in an ID only

/** Returns an address without what differs between pages of a kind. */
const kind = (url) => url.replace(/\?.*/, "?").replaceAll(/\/[^/]*\d[^/]*/g, "/1");

/** Calls the API, for the user if there is one, and returns the data of the answer. */
async function call(path, body, method = body ? "POST" : "GET") {
  const response = await fetch(base + path, {
    method, body: body && JSON.stringify(body),
    headers: { authorization: `Bearer ${token}`, ...(user && { "X-User-Id": user }), ...(body && { "Content-Type": "application/json" }) },
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return (await response.text().then((text) => text && JSON.parse(text))).data;
}

const answer = await fetch(`${base}/oauth2/token`, {
  method: "POST", headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
  body: new URLSearchParams({ grant_type: "client_credentials" }),
});
const { access_token: token } = await answer.json();
let user = "";
const { subscription: { subscriptionId } } = await call("/webhooks/v1/subscriptions", { serverUrl: "http://localhost:8888/", events: ["*"] });
user = (await call("/identity/v1/users", { countryCode: "DE", languageCode: "de" })).user.userId;
for (const { termsType, version } of (await call("/identity/v1/terms")).terms) {
  await call(`/identity/v1/users/${user}/terms-acceptances`, { termsType, version });
}
const { providers } = await call("/openbanking/v1/providers?limit=200");
const bank = providers.find(({ name }) => name.startsWith("Lindenmark"));
const { redirectUrl } = await call("/openbanking/v1/connections", { providerId: bank.id, returnUrl: "http://localhost:8080/" });
const { organizations: [organization] } = await call("/cancellations/v1/search?locale=en-GB&searchQuery=Nur%20E-Mail");
const ofOrganization = `/cancellations/v1/organizations/${organization.id}/products`;
const { products: [{ productId }] } = await call(`${ofOrganization}?locale=en-GB`);
const { product: { template } } = await call(`${ofOrganization}/${productId}?locale=en-GB`);
const known = { ZIP: "50667", EMAIL: "anna@example.org", DATA_DELETE_REQUEST: "true" };
const cancel = (number) => call("/cancellations/v1/cancellations", {
  organizationId: organization.id, productId, locale: "en-GB", signature: { type: "TEXT", data: "Anna" },
  parameters: template.map(({ fieldKey }) => ({ fieldKey, fieldValue: known[fieldKey] ?? number })),
});
await cancel("K-204817");

const wrong = [];
const page = await browser.newPage();
await page.goto(redirectUrl);
await go(page, "main button");
await go(page, "button[value=approve]").catch(() => {}); // nobody is there

let where = "";
page.on("console", (message) => message.type() === "error" && wrong.push(`${where}: ${message.text()}`));
page.on("pageerror", (error) => wrong.push(`${where}: ${error.message}`));
page.on("request", (request) => {
  const url = request.url();
  if (!url.startsWith("data:") && !url.startsWith(`${base}/console`)) wrong.push(`${where} requests ${url}`);
});

/** Checks the page that is open. */
async function look(name) {
  await page.evaluate(() => {
    for (const more of document.querySelectorAll("details")) more.open = true;
  });
  for (const fault of await faults(page)) wrong.push(`${where}: ${fault}`);
  if (pictures) {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
  }
}

async function open(url) {
  const response = await page.goto(base + url, { waitUntil: "load" });
  if (response.status() !== 200) wrong.push(`${where} answers ${response.status()}`);
}

/** Checks a page in every look. open is for pages that have to be opened. */
async function lookAround(name, open) {
  for (const [scheme, width] of looks) {
    where = `${name} (${scheme}, ${width} px)`;
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await open?.(name);
    await look(`${name.replace("/console", "").replaceAll(/[^a-zA-Z0-9]+/g, "-").replace(/^-/, "") || "overview"}-${scheme}-${width}`);
  }
}

const webhook = `/console/webhooks/${subscriptionId}`;
const waiting = ["/console/sign-in"];
const seen = new Map();
while (waiting.length > 0) {
  const url = waiting.shift();
  const like = seen.get(kind(url)) ?? [];
  if (like.includes(url) || like.length === perKind) continue;
  seen.set(kind(url), [...like, url]);
  await lookAround(url, open);
  if (url === "/console/sign-in") {
    await page.$eval("#clientId", (field, id) => { field.value = id; }, clientId);
    await page.$eval("#clientSecret", (field, secret) => { field.value = secret; }, clientSecret);
    await go(page, "main button");
    waiting.push("/console", `/console/users/${user}`, webhook);
  }
  const links = await page.$$eval("a[href^='/console']:not([type])", (all) => all.map((link) => link.getAttribute("href").replace(/#.*/, "")));
  waiting.push(...links);
}

// Receivers that are broken, each in its way. mended makes all of them acknowledge.
let mended = false;
const ways = {
  redirect: { badge: "Redirect (302)", said: "Location: /login", answer: [302, { location: "/login" }, "Please sign in"] },
  error: { badge: "Status 500", said: "no space left on device", answer: [500, {}, "no space left on device"] },
  page: { badge: "No valid acknowledgement", said: "<h1>Welcome</h1>", answer: [200, {}, "<h1>Welcome</h1>"] },
  refusal: { badge: "Said no", said: "isAcknowledged", answer: [200, {}, { isAcknowledged: false, timestamp: new Date() }] },
  gone: { badge: "No connection", said: "the connection was refused" },
};
function receive(request, response) {
  request.resume();
  const [status, headers, body] = mended ? [200, {}, { isAcknowledged: true, timestamp: new Date() }] : ways[request.url.slice(1)].answer;
  response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
}
const listen = (port) => new Promise((done) => {
  const server = createServer(receive).listen(port, "127.0.0.1", () => done(server));
});
const [receiver, missing] = [await listen(0), await listen(0)];
const missingPort = missing.address().port;
missing.close();
for (const [name, way] of Object.entries(ways)) {
  way.address = `127.0.0.1:${name === "gone" ? missingPort : receiver.address().port}/${name}`;
  const { subscription } = await call("/webhooks/v1/subscriptions", { serverUrl: `http://${way.address}`, events: ["cancellation.created"] });
  way.page = `/console/webhooks/${subscription.subscriptionId}`;
}
await cancel("K-204818");
await page.setViewport({ width: 1280, height: 900 });

/** Opens a page again and again until it has the text, or has it no more. */
async function see(url, text, has = true) {
  let shown;
  for (let i = 0; i < 100; i++) {
    await open(url);
    shown = await page.$eval("main", (main) => main.innerText);
    if (shown.includes(text) === has) return shown;
    await new Promise((wait) => { setTimeout(wait, 200); });
  }
  throw new Error(`${url} ${has ? "never said" : "still says"} ${text}: ${shown}`);
}

/** Returns the address of the first link whose address has the text. */
const link = (text) => page.$eval(`main a[href*="${text}"]`, (found) => found.getAttribute("href"));

for (const [name, way] of Object.entries(ways)) {
  where = `a receiver that is broken by ${name}`;
  await see(way.page, way.badge);
  const attempt = await link("/attempts/");
  const said = await see(attempt, way.said);
  if (!said.includes("webhook-signature: v1,")) wrong.push(`${where}: there is no signed call to repeat`);
  way.event = await link("/events/");
  for (const number of [2, 3]) { // nobody waits for the retries
    await see(way.event, `Attempt ${number} follows`);
    await page.$eval("main .confirm", (details) => { details.open = true; });
    await go(page, "main .confirm form button");
    await see(way.page, number === 3 ? "Given up" : "Made: see above");
  }
}
for (const [name, way] of Object.entries(ways)) {
  where = `a receiver that is broken by ${name}`;
  await see("/console", `${way.address}: Failing. 1 event was given up since`);
  await see(await link(`${way.page.slice("/console".length)}/outages`), "Ongoing");
  way.outage = await link("/outages/");
  await see(way.outage, "GET /cancellations/v1/cancellations");
  const file = await page.evaluate(async (url) => (await fetch(url)).text(), await link("/events.csv"));
  if (!file.includes(way.event.split("/").pop())) wrong.push(`${where}: ${way.event} is not in the CSV file: ${file}`);
}
await lookAround(ways.error.outage, open);
mended = true;
const back = await listen(missingPort);
for (const [name, way] of Object.entries(ways)) {
  where = `a receiver that was broken by ${name}`;
  await open(`${way.page}/send?type=cancellation.created`);
  await go(page, "main form button");
  await see(new URL(page.url()).pathname, "has acknowledged the event");
  const outage = await see(way.outage, "Over");
  if (!outage.includes("cancellation.created")) wrong.push(`${where}: the outage does not say what was lost`);
  await see("/console", way.address, false);
  await call(`/webhooks/v1/subscriptions/${way.page.split("/").pop()}`, undefined, "DELETE");
}
receiver.close();
back.close();

// What only a form leads to: a new secret, and a clock that is being advanced.
await open(`${webhook}/secrets`);
await page.$eval("main .confirm", (details) => { details.open = true; });
await go(page, "main .confirm form button");
await lookAround(`${webhook}/secrets/new`);
await call(`/sandbox/v1/users/${user}/clock`, { advanceBy: "P1M" });
await lookAround(`/console/sandbox/clock/${user}?follow=no`, open);
await call(`/webhooks/v1/subscriptions/${subscriptionId}`, undefined, "DELETE");

// A page that does not exist has the same look. The browser reports its status as an error.
page.removeAllListeners("console");
where = "/console/nothing";
await page.goto(base + where, { waitUntil: "load" });
await look("nothing");

await browser.close();
if (wrong.length > 0) {
  console.error([...new Set(wrong)].join("\n"));
  process.exit(1);
}
console.log(`${[...seen.values()].flat().length + 3} pages looked at, nothing wrong`);
