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
