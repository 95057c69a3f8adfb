// The samples in docs/snippets: a folder for each language, a file for each operation.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { slug } from "github-slugger";

const folder = path.resolve("../../docs/snippets");
const languages = {
  curl: { name: "curl", lang: "sh" },
  typescript: { name: "TypeScript", lang: "ts" },
  python: { name: "Python", lang: "python" },
  go: { name: "Go", lang: "go" },
  java: { name: "Java", lang: "java" },
};
const order = Object.keys(languages);

/** Returns the samples of the operation that a page is about. */
export function samples(page) {
  const operation = page.match(/^reference\/operations\/(.*)/)?.[1];
  return readdirSync(folder, { recursive: true })
    .map((file) => ({ file, ...path.parse(file) }))
    .filter(({ dir, name }) => languages[dir] && slug(name) === operation)
    .map(({ file, dir }) => ({ dir, ...languages[dir], code: readFileSync(path.join(folder, file), "utf8").trim() }))
    .sort((a, b) => order.indexOf(a.dir) - order.indexOf(b.dir));
}

/**
 * Returns the request of a sample in curl as HTTP writes it, with the sample's variables; undefined without a token.
 * The tests run the samples, so what people try works.
 */
export function requestOf(curl) {
  if (!curl?.includes("Bearer $TOKEN")) return undefined;
  const [, body] = curl.match(/<<JSON\n([^]*)\nJSON/) ?? curl.match(/ -d '([^]*?)'/) ?? [];
  const [, quoted] = curl.match(/ -d "((?:\\"|[^"])*)"/) ?? [];
  const text = body ?? quoted?.replaceAll('\\"', '"');
  const query = [...curl.matchAll(/--data-urlencode "([^"=]+)=([^"]*)"/g)].map(([, name, value]) => `${name}=${encodeURIComponent(value)}`);
  const method = curl.match(/ -X (\w+)/)?.[1] ?? (text === undefined ? "GET" : "POST");
  const address = [curl.match(/"\$BASE_URL([^"]*)"/)[1], ...query.slice(0, 1)].join("?") + query.slice(1).map((part) => "&" + part).join("");
  const headers = [...curl.matchAll(/-H "([^"]+)"/g)].map(([, header]) => header).filter((header) => !header.startsWith("Authorization"));
  return [`${method} ${address}`, ...headers, ...(text === undefined ? [] : ["", text])].join("\n");
}
