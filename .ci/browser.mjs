// What the checks of pages share: a browser, axe, and how to go from page to page.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const tools = createRequire(new URL("../.tools/site/package.json", import.meta.url));
const axe = readFileSync(tools.resolve("axe-core/axe.min.js"), "utf8");
// The names that .ci/need knows.
const names = ["headless_shell", "headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const places = names.flatMap((name) => process.env.PATH.split(":").map((folder) => path.join(folder, name)));

export const browser = await tools("puppeteer-core").launch({
  executablePath: [...places, "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"].find(existsSync),
  args: ["--no-sandbox"],
});

/** Returns what is wrong with the page: violations of axe's rules, and that it scrolls sideways. */
export async function faults(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { iframes: false }));
  const found = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map((node) => node.target.join(" ")).join(", ")}`);
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  return isWide ? [...found, "scrolls sideways"] : found;
}

/** Clicks, and waits for the page that follows. Puppeteer's own wait misses the end of some navigations. */
export async function go(page, selector) {
  await page.evaluate(() => { globalThis.isLeft = true; });
  await page.click(selector);
  await page.waitForFunction(() => !globalThis.isLeft && document.readyState === "complete");
}
