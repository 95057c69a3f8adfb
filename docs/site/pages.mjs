// Writes the site's pages into src/content/docs: the Markdown files of the checkout with
// links that work on the site, the catalogue of events, a page for each problem type, and one
// for the law of each country.
// Make runs it in .build/site, a copy of this folder that is as far below the checkout.
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { slug as slugOf } from "github-slugger";
import { parse } from "yaml";
import { writeLaw } from "./law.mjs";

const checkout = path.resolve(import.meta.dirname, "../..");
const content = path.resolve(import.meta.dirname, "src/content/docs");
const files = path.resolve(import.meta.dirname, "public/files");
const read = (file) => readFileSync(path.join(checkout, file), "utf8");

// The pages by the path of their file: its Markdown, its title, and its path on the site.
const pages = new Map(
  ["", "docs/", "docs/guides/", ...clients()].flatMap((folder) =>
    readdirSync(path.join(checkout, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => {
        const text = read(folder + name);
        const title = text.match(/^# (.*)$/m)[1].replaceAll("`", "");
        return [folder + name, { text, title, slug: sitePath(folder + name) }];
      }),
  ),
);

function clients() {
  return readdirSync(path.join(checkout, "clients")).map((name) => `clients/${name}/`);
}

function sitePath(file) {
  if (file === "docs/README.md") return "";
  if (file.startsWith("clients/")) return path.posix.dirname(file);
  return file.replace(/^docs\//, "").replace(/\.md$/, "").toLowerCase();
}

/** Splits docs/README.md into the sections of the sidebar, one for each heading with a table. */
export function sections() {
  const seen = new Set();
  const found = [];
  for (const part of pages.get("docs/README.md").text.split(/^##+ /m).slice(1)) {
    const label = part.split("\n", 1)[0].replace(/^You (\w)/, (_, first) => first.toUpperCase());
    const items = [...part.matchAll(/^\| \[[^\]]*\]\(([^)#]+)\)/gm)]
      .map(([, target]) => pages.get(path.posix.join("docs", target)))
      .filter((page) => page && !seen.has(page))
      .map((page) => seen.add(page) && { label: page.title, slug: page.slug });
    if (items.length > 0) found.push({ label, items, collapsed: found.length > 1 });
  }
  return found;
}

/** Returns Markdown outside code, with each part changed. */
function outsideCode(text, change) {
  return text
    .split(/(^ *```[^]*?^ *```$)/m)
    .map((part, i) => (i % 2 ? part : change(part)))
    .join("");
}

/** Returns the link of a page with the path here to the page with the path there. */
const between = (here, there) => (path.posix.relative("/" + here, "/" + there) || ".") + "/";

// Programs read these files by their names, so they keep them.
const downloads = ["docs/openapi.yaml", "docs/aviso.postman_collection.json"];

const law = "internal/cancellation/deadline/law";

/** Returns where a link of a file leads on the site. Files that are not pages are copied. */
function destination(file, link) {
  if (/^([a-z]+:|#)/.test(link)) return link;
  const [target, anchor] = link.split("#");
  const to = path.posix.join(path.posix.dirname(file), target);
  const here = pages.get(file).slug;
  if (pages.has(to)) return between(here, pages.get(to).slug) + (anchor ? "#" + anchor : "");
  if (!existsSync(path.join(checkout, to))) throw new Error(`${file} links to ${link}, which does not exist`);
  if (to === law || to.startsWith(law + "/")) return between(here, "law" + to.slice(law.length).replace(".yaml", ""));
  if (downloads.includes(to)) return between(here, path.basename(to)).slice(0, -1);
  const copy = /\.(svg|webp)$/.test(to) ? to : to + ".txt";
  mkdirSync(path.dirname(path.join(files, copy)), { recursive: true });
  copyFileSync(path.join(checkout, to), path.join(files, copy));
  return between(here, "files/" + copy).slice(0, -1);
}

/** Returns the Markdown of a page for the site: without title and comments, with its links. */
function forSite(file, { text }) {
  return outsideCode(text.replace(/^# .*\n/m, ""), (part) =>
    part
      .replace(/<!--[^]*?-->\n?/g, "")
      // A page is named by its title, a picture is not processed by Astro.
      .replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (_, image, label, link) => {
        const target = pages.get(path.posix.join(path.posix.dirname(file), link));
        const to = destination(file, link);
        if (image) return `<img src="${to}" alt="${label}">`;
        return `[${target && label.endsWith(".md") ? target.title : label}](${to})`;
      }),
  );
}

function write(slug, { title, description, ...more }, text) {
  const file = path.join(content, (slug || "index") + ".md");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `---\n${JSON.stringify({ title, description, ...more })}\n---\n\n${text}`);
}

/** Returns the first sentence of a page, which search engines show. */
function summary(text) {
  const paragraph = text.split(/\n\n+/).find((p) => /^[A-Z]/.test(p)) ?? "";
  const plain = paragraph.replace(/\s+/g, " ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[*`]/g, "");
  return plain.match(/^.*?[.:](?= |$)/)?.[0];
}

/** Returns the operations of the document, each with its path on the site. */
function operationsOf(document) {
  return Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .filter((operation) => operation.operationId)
    .map((operation) => ({ ...operation, slug: "reference/operations/" + slugOf(operation.operationId) }));
}

/** Copies what operations share to each of them: responses, and the examples in these. */
function inline(document) {
  const copy = (part) => part.$ref
    ? structuredClone(part.$ref.split("/").slice(1).reduce((at, name) => at[name], document)) : part;
  for (const { responses = {} } of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    for (const status in responses) {
      responses[status] = copy(responses[status]);
      for (const { examples = {} } of Object.values(responses[status].content ?? {})) {
        for (const code in examples) examples[code] = copy(examples[code]);
      }
    }
  }
  return document;
}

/** Writes a page for each problem type, from the table in docs/errors.md, and their list. */
function writeProblems(document) {
  const rows = [...pages.get("docs/errors.md").text.matchAll(/^\| (\d{3}) \| `(\w+)` \| ([^|]+) \| ([^|]+) \|$/gm)];
  const link = (here, slug, label) => `[${label}](${between(here, slug)})`;
  for (const [, status, code, title, remedy] of rows) {
    const here = "problems/" + code;
    const answers = operationsOf(document).flatMap((operation) => {
      const problem = operation.responses[status]?.content?.["application/problem+json"]?.examples?.[code];
      return problem ? [{ operation, example: problem.value }] : [];
    });
    const example = answers[0] && `\`\`\`json\n${JSON.stringify(answers[0].example, null, 2)}\n\`\`\`\n\n`;
    const by = answers.map(({ operation }) => `- ${link(here, operation.slug, operation.summary)}\n`).join("");
    write(here, { title, description: `Problem ${code}, HTTP status ${status}: ${title}.` },
      `\`${code}\` comes with the HTTP status ${status}.\n\n## What to do\n\n${remedy.trim()}\n\n` +
      (answers.length ? `## Example\n\n${example}## Operations that return it\n\n${by}\n` : "") +
      `${link(here, "errors", "Errors")} explains the members of a problem. ` +
      `There is a ${link(here, "problems", "list of all problem types")}.\n`);
  }
  const all = rows.map(([, status, code, title]) =>
    `| ${status} | ${link("problems", "problems/" + code, "`" + code + "`")} | ${title} |\n`);
  write("problems", { title: "Problem types", description: "Every code of an error, with a page that says what to do." },
    "The `type` of a problem is the address of a page here. " +
    `${link("problems", "errors", "Errors")} explains how errors work.\n\n` +
    `| Status | Code | Meaning |\n|---|---|---|\n${all.join("")}`);
}

/** Writes the catalogue of events from the callbacks in the document. */
function writeEvents(document) {
  const rows = Object.entries(document.webhooks).map(([name, { post }]) => {
    const link = between("events", "reference/webhooks/" + slugOf(post.operationId));
    return `| [\`${name}\`](${link}) | ${post.description.replace(/\s+/g, " ")} |\n`;
  });
  write("events", { title: "Events", description: "Every event that Aviso reports to your server." },
    `Your server gets these events as signed callbacks. [Webhooks](${between("events", "webhooks")}) explains ` +
    `how to subscribe, verify and acknowledge.\n\n| Event | When |\n|---|---|\n${rows.join("")}`);
}

// Headers that nearly every answer has. The introduction of the reference explains them once.
const common = ["RateLimit", "RateLimit-Policy", "X-Request-Id", "WWW-Authenticate", "Retry-After", "Idempotency-Replayed"];

/** Writes the document that the reference shows: its errors are links to the problems' pages. */
function writeReference(document) {
  const known = (code) => existsSync(path.join(content, "problems", code + ".md"));
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    // The samples above show the body. If there are two successes, they have the same answer.
    for (const media of Object.values(operation.requestBody?.content ?? {})) delete media.example;
    if (operation.responses?.[201]) delete operation.responses[200]?.content?.["application/json"]?.example;
    for (const response of Object.values(operation.responses ?? {})) {
      for (const name of common) delete response.headers?.[name];
      if (Object.keys(response.headers ?? {}).length === 0) delete response.headers;
      if (!response.content?.["application/problem+json"]) continue;
      delete response.content;
      response.description = response.description.replace(/`(\w+)`/g, (text, code) =>
        known(code) ? `[${text}](../../../problems/${code}/)` : text);
    }
  }
  const { clientCredentials } = document.components.securitySchemes.oauth2.flows;
  clientCredentials.tokenUrl = new URL(clientCredentials.tokenUrl, document.servers[0].url).href;
  writeFileSync("reference.json", JSON.stringify(document));
}

function main() {
  rmSync(content, { recursive: true, force: true });
  for (const file of downloads) cpSync(path.join(checkout, file), path.join("public", path.basename(file)));
  cpSync(path.join(checkout, "internal/sandbox/favicon.svg"), "public/favicon.svg");
  for (const [file, page] of pages) {
    write(page.slug, { title: page.title, description: summary(page.text) }, forSite(file, page));
  }
  const document = inline(parse(read("docs/openapi.yaml")));
  writeProblems(document);
  writeEvents(document);
  writeLaw(path.join(checkout, law), write);
  writeReference(document);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main();
