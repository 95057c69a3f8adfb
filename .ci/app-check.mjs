// Walks the sample app at AVISO_BASE_URL once on a phone and once on a desk: chooses a person, connects a
// bank, cancels a contract, and lets months pass until the savings show. Every page is checked with axe,
// light and dark. Fails for violations, errors (also of the content security policy), requests
// elsewhere, and pages that scroll sideways. PICTURES names a folder for pictures of the pages.
import { mkdirSync } from "node:fs";
import path from "node:path";
import { browser, faults, go as goOn } from "./browser.mjs";

const base = process.env.AVISO_BASE_URL;
const pictures = process.env.PICTURES;
const wrong = new Set();

async function walk(width) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  let where = "";
  page.setDefaultTimeout(30_000);
  page.on("console", (message) => message.type() === "error" && wrong.add(`${where}: ${message.text()}`));
  page.on("pageerror", (error) => wrong.add(`${where}: ${error.message}`));
  page.on("request", (request) => !/^(data|blob|chrome|chrome-extension):/.test(request.url()) && !request.url().startsWith(base) && wrong.add(`${where} requests ${request.url()}`));
  await page.setViewport({ width, height: 844, deviceScaleFactor: pictures ? 2 : 1 });

  /** Checks the page that is open, light and dark. */
  async function look(name) {
    for (const scheme of ["light", "dark"]) {
      where = `${name} (${scheme}, ${width} px)`;
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }, { name: "prefers-reduced-motion", value: "reduce" }]);
      for (const fault of await faults(page)) wrong.add(`${where}: ${fault}`);
      if (pictures) {
        mkdirSync(pictures, { recursive: true });
        await page.screenshot({ path: path.join(pictures, `${name}-${scheme}-${width}.png`), fullPage: !["reading", "passing"].includes(name) });
      }
    }
  }

  const go = (selector) => goOn(page, selector);
  const open = (address) => page.goto(`${base}/app${address}`);
  const at = (part) => page.waitForFunction((wanted) => location.pathname.endsWith(wanted), {}, part);

  try {
    await steps();
  } catch (error) {
    const text = await page.evaluate(() => document.body.innerText.slice(0, 500)).catch(String);
    wrong.add(`${width} px, at ${page.url()}: ${error.stack}\nThe page says: ${text}`);
  }
  await context.close();

  async function steps() {
    await page.goto(`${base}/`);
    await look("front");
    await open("/");
    await look("welcome");
    await go("button[value=anna]");
    await look("terms");
    await page.click("[name=accepted]");
    await go("main form button");
    await look("banks");
    await page.type("#q", "linden");
    await go(".search button");
    await go("button[name=bank]");
    await look("bank-login");
    await go(".actions button");
    await look("bank-accounts");
    await go("button[value=approve]");
    if (page.url().endsWith("/reading")) await look("reading").catch(() => {}); // it may be over by then
    await at("/spending");
    await page.waitForSelector(".months");
    await look("spending");
    await go(".months a:nth-of-type(4)"); // an earlier month
    await go("a.row");
    await look("rows");
    await page.$eval("#q", (field) => { field.value = "no such payment"; });
    await go(".filters button");
    await look("rows-empty");
    await open("/savings");
    await look("savings-empty");
    await open("/contracts");
    await look("contracts");
    await go(".risen .button"); // the one whose price rose
    await look("cancel");
    await page.$eval("#f-ZIP", (field) => { field.value = "???"; });
    await page.$eval("main form", (form) => { form.noValidate = true; });
    for (const box of await page.$$("[name=terms]")) await box.click();
    await go("main form > button");
    await look("cancel-wrong");
    await page.$eval("#f-ZIP", (field) => { field.value = "50667"; });
    const pad = await (await page.$("canvas")).boundingBox();
    await page.evaluate(() => document.querySelector("canvas").scrollIntoView({ block: "center" }));
    const box = await (await page.$("canvas")).boundingBox();
    await page.mouse.move(box.x + pad.width * 0.2, box.y + pad.height * 0.6);
    await page.mouse.down();
    for (let i = 1; i <= 30; i++) await page.mouse.move(box.x + pad.width * (0.2 + i * 0.018), box.y + pad.height * (0.5 + 0.3 * Math.sin(i * 0.9)));
    await page.mouse.up();
    await go("main form > button");
    await page.waitForSelector(".review");
    await look("review");
    // Puppeteer loses a page that is left while the PDF of a frame in it is refused: this browser shows none.
    await page.$eval(".paper iframe", (frame) => frame.remove());
    await go("form[action$=send] button");
    // The page moves by itself, by callbacks.
    await page.waitForFunction(() => document.querySelectorAll(".way .done").length >= 4);
    await look("way");
    for (let month = 0; month < 4 && !await page.$(".won"); month++) {
      await go(".clock form button");
      if (month === 0 && page.url().includes("/passing")) await look("passing").catch(() => {});
      await page.waitForFunction(() => document.querySelector(".way"), { timeout: 60_000 });
    }
    await page.waitForSelector(".won");
    await look("way-ended");
    await open("/savings");
    await look("savings");
    const archive = await page.evaluate(async () => {
      const answer = await fetch(document.querySelector("form[action$=data]").action, { method: "POST" });
      return [answer.status, answer.headers.get("content-type"), (await answer.blob()).size > 10_000].join(" ");
    });
    if (archive !== "200 application/zip true") wrong.add(`the copy of the data: ${archive}`);
    await open("/spending?lang=de");
    await look("spending-de");
  }
}

await Promise.all([390, 1280].map(walk));
await browser.close();
if (wrong.size > 0) {
  console.error([...wrong].join("\n"));
  process.exit(1);
}
console.log("walked from a person to savings twice, nothing wrong");
