// Signs in to the console at AVISO_BASE_URL and opens every page that its links lead to, on a
// phone and on a desk, light and dark. Fails for violations of axe's rules, for errors (also of
// the content security policy), requests elsewhere, answers that are not a page, and pages that
// scroll sideways. PICTURES names a folder for pictures of the pages, for you to look at.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const tools = createRequire(new URL("../.tools/site/package.json", import.meta.url));
const puppeteer = tools("puppeteer-core");
const axe = readFileSync(tools.resolve("axe-core/axe.min.js"), "utf8");
const base = process.env.AVISO_BASE_URL;
const pictures = process.env.PICTURES;
const looks = [["light", 1280], ["dark", 1280], ["light", 390], ["dark", 390]];
const perKind = 2; // pages that differ in an ID only

/** Returns the path of the browser, by the names that .ci/need knows. */
function chromium() {
  const names = ["headless_shell", "headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const places = names.flatMap((name) => process.env.PATH.split(":").map((folder) => path.join(folder, name)));
  return [...places, "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"].find(existsSync);
}

/** Returns an address without what differs between pages of a kind. */
const kind = (url) => url.replace(/\?.*/, "?").replaceAll(/\/[^/]*\d[^/]*/g, "/1");

const wrong = [];
const browser = await puppeteer.launch({ executablePath: chromium(), args: ["--no-sandbox"] });
const page = await browser.newPage();
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
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  for (const { id, help, nodes } of violations) {
    wrong.push(`${where}: ${id}: ${help}: ${nodes.slice(0, 3).map((node) => node.target.join(" ")).join(", ")}`);
  }
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  if (isWide) wrong.push(`${where} scrolls sideways`);
  if (pictures) {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
  }
}

async function open(url) {
  const response = await page.goto(base + url, { waitUntil: "load" });
  if (response.status() !== 200) wrong.push(`${where} answers ${response.status()}`);
}

const waiting = ["/console/sign-in"];
const seen = new Map();
while (waiting.length > 0) {
  const url = waiting.shift();
  const like = seen.get(kind(url)) ?? [];
  if (like.includes(url) || like.length === perKind) continue;
  seen.set(kind(url), [...like, url]);
  for (const [scheme, width] of looks) {
    where = `${url} (${scheme}, ${width} px)`;
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await open(url);
    await look(`${url.replace("/console", "").replaceAll(/[^a-zA-Z0-9]+/g, "-").replace(/^-/, "") || "overview"}-${scheme}-${width}`);
  }
  if (url === "/console/sign-in") {
    await page.$eval("#clientId", (field, id) => { field.value = id; }, process.env.AVISO_CLIENT_ID ?? "sandbox");
    await page.$eval("#clientSecret", (field, secret) => { field.value = secret; }, process.env.AVISO_CLIENT_SECRET ?? "sandbox-secret");
    await Promise.all([page.waitForNavigation(), page.click("main button")]);
    waiting.push("/console");
  }
  const links = await page.$$eval("a[href^='/console']:not([type])", (all) => all.map((link) => link.getAttribute("href").replace(/#.*/, "")));
  waiting.push(...links);
}

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
console.log(`${[...seen.values()].flat().length + 1} pages looked at, nothing wrong`);
