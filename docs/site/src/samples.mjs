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

/** Returns the samples of the operation that a page is about. */
export function samples(page) {
  const operation = page.match(/^reference\/operations\/(.*)/)?.[1];
  return Object.entries(languages).flatMap(([language, { name, lang }]) =>
    filesOf(language)
      .filter((file) => slug(path.parse(file).name) === operation)
      .map((file) => ({ name, lang, code: readFileSync(path.join(folder, language, file), "utf8").trim() })),
  );
}

function filesOf(language) {
  try {
    return readdirSync(path.join(folder, language));
  } catch {
    return []; // no samples in this language yet
  }
}
