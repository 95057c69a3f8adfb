// Finishes the built site in the folder that is named: mends what its generators get wrong for
// people with a keyboard or a screen reader, folds the fields of answers, weighs pages for the
// search, checks the links, and writes _headers, which static hosts and the local stack read: a
// content security policy with the hashes of inline scripts.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createIndex } from "pagefind";

const folder = process.argv[2];
const base = (process.env.DOCS_BASE || "/docs").replace(/\/$/, "");
const html = new Map(
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".html"))
    .map((name) => [path.join(folder, name), finished(name, readFileSync(path.join(folder, name), "utf8"))]),
);
for (const [file, text] of html) writeFileSync(file, text);

// The index of the build has neither weights nor what is left out.
const { index } = await createIndex();
await index.addDirectory({ path: folder });
await index.writeFiles({ outputPath: path.join(folder, "pagefind") });

/** Returns the weight of a page's words: what a partner builds with comes first, what the project says of itself last. */
function weightOf(name) {
  if (/^guides\b/.test(name)) return 7;
  if (/^(webhooks|errors|sandbox|evidence|versioning|index)\b/.test(name)) return 4;
  if (/^(reference|law|events)\b/.test(name)) return 0.5;
  if (/^problems\b/.test(name)) return 1.4;
  return /^(clients|banks|deploy|operator|runbook|search|enrichment|readme)\b/.test(name) ? 1 : 0.2;
}

/** Returns the page of an operation with its samples below its method and path, so that nothing moves while it loads. */
function inOrder(text) {
  const samples = text.indexOf('<div class="samples">');
  const path = text.search(/<div class="not-content[^>]*> <details class="operation-description-urls/);
  if (samples < 0 || path < samples) return text;
  const end = text.indexOf("</div>", text.indexOf("</details>", path)) + "</div>".length;
  return text.slice(0, samples) + text.slice(path, end) + text.slice(samples, path) + text.slice(end);
}

/** Returns a page with its weight. Names of tests, and the answers of operations, are not searched. */
function finished(name, text) {
  const [head, answers] = inOrder(mended(text)).split(/(?=<div class="sl-heading-wrapper level-h2"><h2 id="responses">)/);
  const folded = answers
    ?.replace(/<details class="root ([^"]*)" open> <summary/g, '<details class="answer $1"> <summary')
    .replaceAll("<section ", "<section data-pagefind-ignore ");
  return (head + (folded ?? ""))
    .replace("<main data-pagefind-body", `<main data-pagefind-body data-pagefind-weight="${weightOf(name)}"`)
    .replace(/<code([^>]*)>([^<]*\bTest[A-Z]\w*)<\/code>/g, "<code$1 data-pagefind-ignore>$2</code>");
}

/** Returns a page whose tables scroll by keyboard too, and whose headings skip no level. */
function mended(text) {
  return text
    .replaceAll("<table>", '<table tabindex="0">')
    .replace(/<h5[^>]*>([^]*?)<\/h5>/g, '<p class="label">$1</p>');
}

/** Returns the file that an address of the site leads to. */
function fileAt(address) {
  if (address !== base && !address.startsWith(base + "/")) return undefined;
  const file = path.join(folder, decodeURIComponent(address.slice(base.length)));
  return existsSync(file) && statSync(file).isDirectory() ? path.join(file, "index.html") : file;
}

const anchors = new Map();
function hasAnchor(file, anchor) {
  if (!anchors.has(file)) anchors.set(file, new Set([...html.get(file).matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)));
  return anchors.get(file).has(anchor);
}

function problemOf(from, link) {
  const page = base + "/" + path.relative(folder, from).replace(/index\.html$/, "");
  const to = new URL(link.replaceAll("&amp;", "&"), "http://site" + page);
  if (to.host !== "site") return undefined;
  const file = fileAt(to.pathname);
  if (!file || !existsSync(file)) return "no such page";
  const anchor = decodeURIComponent(to.hash.slice(1));
  return anchor && html.has(file) && !hasAnchor(file, anchor) ? "no such anchor" : undefined;
}

const wrong = [];
for (const [file, text] of html) {
  for (const [, tag, link] of text.matchAll(/<(\w+)[^>]*? (?:href|src)="([^"]*)"/g)) {
    const problem = problemOf(file, link);
    if (problem) wrong.push(`${path.relative(folder, file)} links to ${link}: ${problem}`);
    if (tag !== "a" && tag !== "link" && /^(https?:)?\/\//.test(link)) wrong.push(`${file} loads ${link}`);
  }
}
if (wrong.length > 0) {
  console.error([...new Set(wrong)].join("\n"));
  process.exit(1);
}

const hashes = new Set();
for (const text of html.values()) {
  for (const [, script] of text.matchAll(/<script(?![^>]* src=)[^>]*>([^]+?)<\/script>/g)) {
    hashes.add(`'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  }
}
// Highlighted code has style attributes. The search runs as WebAssembly.
const policy = [
  "default-src 'none'",
  `script-src 'self' 'wasm-unsafe-eval' ${[...hashes].sort().join(" ")}`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
writeFileSync(
  path.join(folder, "_headers"),
  `/*\n  Content-Security-Policy: ${policy}\n  Referrer-Policy: no-referrer\n  X-Content-Type-Options: nosniff\n`,
);
console.log(`${html.size} pages, no dead links`);
