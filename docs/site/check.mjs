// Opens a page of each kind of the built site in Chromium, on a phone and on a desk, light and
// dark, as a static host serves it. Fails for violations of axe's rules, for errors (also of
// the content security policy), requests elsewhere, and pages that scroll sideways.
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { browser, faults } from "../../.ci/browser.mjs"; // from .build/site

const site = path.resolve(import.meta.dirname, "../docs");
const pages = ["", "guides/first-hour/", "reference/", "reference/operations/listtransactions/",
  "reference/operations/createcancellation/", "events/", "problems/", "problems/terms_not_accepted/", "law/", "law/de/", "data-model/", "nothing/"];
const types = { ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".svg": "image/svg+xml", ".webp": "image/webp" };
const lines = readFileSync(path.join(site, "_headers"), "utf8").matchAll(/^ +([^:]+): (.*)$/gm);
const headers = Object.fromEntries([...lines].map((line) => line.slice(1)));

const server = createServer((request, response) => {
  let file = path.join(site, decodeURIComponent(request.url.split("?")[0]).replace(/^\/docs/, ""));
  if (existsSync(file) && statSync(file).isDirectory()) file = path.join(file, "index.html");
  if (!existsSync(file)) file = path.join(site, "404.html");
  response.writeHead(200, { ...headers, "Content-Type": types[path.extname(file)] ?? "application/octet-stream" });
  response.end(readFileSync(file));
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const base = `http://127.0.0.1:${server.address().port}/docs/`;

const wrong = [];
const page = await browser.newPage();
let where = "";
page.on("console", (message) => message.type() === "error" && wrong.push(`${where}: ${message.text()}`));
page.on("pageerror", (error) => wrong.push(`${where}: ${error.message}`));
page.on("request", (request) => {
  const url = request.url();
  if (!/^(data|blob):/.test(url) && !url.startsWith(base) && !url.endsWith("/oauth2/token")) wrong.push(`${where} requests ${url}`);
});

for (const name of pages) {
  for (const [scheme, width] of [["light", 1280], ["dark", 390]]) {
    where = `/${name} (${scheme}, ${width} px)`;
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await page.goto(base + name, { waitUntil: "load" });
    await new Promise((settled) => setTimeout(settled, 500)); // scripts make code scroll by keyboard
    for (const fault of await faults(page)) wrong.push(`${where}: ${fault}`);
  }
}

where = "the search";
await page.setViewport({ width: 1280, height: 900 });
await page.goto(base);
await page.click("button[data-open-modal]");
await page.waitForSelector("dialog input");
await page.type("dialog input", "consent");
await page.waitForSelector("dialog a[href*='/docs/']", { timeout: 10_000 }).catch(() => wrong.push("the search finds nothing"));

// The page that a partner wants comes first. Tests, and the tables of headers, are not searched.
const first = {
  "retry schedule": "webhooks/", "rate limit": "errors/", refund: "guides/cancel/", errors: "errors/",
  "webhook signature": "webhooks/", "test event": "guides/test/", webhooks: "webhooks/", "next token": "guides/read/",
  template_mismatch: "errors/", already_cancelled: "guides/cancel/", nextAttemptAt: "webhooks/",
};
for (const [query, want] of Object.entries(first)) {
  const found = await page.evaluate(async (query, base) => {
    const { results } = await (await import(base + "pagefind/pagefind.js")).search(query);
    return results.length > 0 ? (await results[0].data()).url : "nothing";
  }, query, base);
  if (found !== "/docs/" + want) wrong.push(`the search for "${query}" finds ${found} first`);
}

await page.goto(base + "reference/operations/createcancellation/");
const height = await page.evaluate(() => document.documentElement.scrollHeight);
if (height > 7000) wrong.push(`the page of an operation is ${height} px long`);

// What the samples send can be tried. Here, no stack answers.
const tries = { createcancellation: "$ORGANIZATION_ID", listproviders: "No local stack answers here." };
for (const [name, says] of Object.entries(tries)) {
  await page.goto(`${base}reference/operations/${name}/`);
  await page.click("details.try summary");
  await page.click("details.try button");
  await page.waitForFunction((text) => document.querySelector("details.try [role=status]").textContent.includes(text), { timeout: 10_000 }, says)
    .catch(() => wrong.push(`trying ${name} does not say "${says}"`));
  for (const fault of await faults(page)) wrong.push(`${name}, tried: ${fault}`);
}

await browser.close();
server.close();
if (wrong.length > 0) {
  console.error(wrong.join("\n"));
  process.exit(1);
}
console.log(`${pages.length} pages looked at, nothing wrong`);
