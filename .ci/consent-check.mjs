// Opens the consent page of the stack at AVISO_BASE_URL in every language, on a phone and on a desk, light and dark,
// and checks it with axe, with the largest text that browsers offer, and for requests elsewhere. Then one user agrees
// and one leaves. PICTURES names a folder for pictures.
import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { browser, faults, go } from "./browser.mjs";

const base = process.env.AVISO_BASE_URL;
const pictures = process.env.PICTURES;
const wrong = new Set();
const basic = Buffer.from(`${process.env.AVISO_CLIENT_ID}:${process.env.AVISO_CLIENT_SECRET}`).toString("base64");
const granted = await fetch(`${base}/oauth2/token`, {
  method: "POST", headers: { Authorization: `Basic ${basic}` }, body: new URLSearchParams({ grant_type: "client_credentials" }),
});
const { access_token: token } = await granted.json();

async function call(route, body, user = {}) {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...user };
  const answer = await fetch(base + route, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
  if (!answer.ok) throw new Error(`${route}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()).data;
}

const { providers } = await call("/openbanking/v1/providers?limit=1");
const { terms } = await call("/identity/v1/terms");

/** Returns a link for a new user who speaks the language, and what the user's connection is. */
async function link(languageCode) {
  const { user } = await call("/identity/v1/users", { countryCode: "DE", languageCode });
  for (const { termsType, version } of terms) await call(`/identity/v1/users/${user.userId}/terms-acceptances`, { termsType, version });
  const who = { "X-User-Id": user.userId };
  return { who, ...(await call("/openbanking/v1/connections", { providerId: providers[0].id, returnUrl: "http://localhost:8080/" }, who)) };
}

const page = await browser.newPage();
let where = "";
page.on("console", (message) => where && message.type() === "error" && wrong.add(`${where}: ${message.text()}`));
page.on("request", (request) => where && !request.url().startsWith(base) && wrong.add(`${where} requests ${request.url()}`));
let looks = 0;
for (const file of readdirSync(new URL("../internal/pfm/pfmapi/words", import.meta.url))) {
  const language = path.basename(file, ".json");
  const { redirectUrl } = await link(language);
  await page.goto(redirectUrl);
  if ((await page.$eval("html", (html) => html.lang)) !== language) wrong.add(`${language}: another language`);
  for (const width of [320, 390, 1280]) {
    await page.setViewport({ width, height: 844, deviceScaleFactor: pictures ? 2 : 1 });
    for (const scheme of ["light", "dark"]) {
      where = `${language} (${scheme}, ${width} px)`;
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      for (const fault of await faults(page)) wrong.add(`${where}: ${fault}`);
      looks++;
      if (pictures && width !== 320) {
        mkdirSync(pictures, { recursive: true });
        await page.screenshot({ path: path.join(pictures, `consent-${language}-${scheme}-${width}.png`), fullPage: true });
      }
    }
  }
}

for (const [answer, status] of [["yes", "Given"], ["no", "Declined"]]) {
  const { who, redirectUrl, connectionId } = await link("en");
  await page.goto(redirectUrl);
  if (answer === "yes") {
    await go(page, "button[value=yes]");
    if (!page.url().includes("/sandbox/")) wrong.add(`yes leads to ${page.url()}`);
  } else {
    where = ""; // nobody listens at the return URL
    await page.setRequestInterception(true);
    page.on("request", (request) => request.url().startsWith(base) ? request.continue() : request.respond({ body: "back" }));
    await go(page, "button[value=no]");
    if (!page.url().includes("status=cancelled")) wrong.add(`no leads to ${page.url()}`);
  }
  const { consents } = await call(`/openbanking/v1/connections/${connectionId}/consents`, undefined, who);
  if (consents[0]?.consentStatus !== status) wrong.add(`${answer}: ${JSON.stringify(consents)}`);
}
await browser.close();
for (const fault of wrong) console.error(fault);
console.log(`${looks} looks at the consent page, ${wrong.size} faults`);
process.exit(wrong.size ? 1 : 0);
