// Writes src/core from docs/openapi.yaml: the types, and what the client has to know of
// each operation while it runs.
import { readFile, writeFile } from "node:fs/promises";
import { load } from "js-yaml";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const header = "// Generated from docs/openapi.yaml by generate.mjs. Do not edit.\n";

const document = load(await readFile(new URL("../../docs/openapi.yaml", import.meta.url), "utf8"));
trim();

// A number is an exact decimal; an enum that may grow takes any text, and still completes.
function transform(schema) {
  if (schema.type === "number") return ts.factory.createTypeReferenceNode("Decimal");
  const known = schema["x-extensible-enum"];
  if (schema.type !== "string" || !known) return undefined;
  const other = ts.factory.createIntersectionTypeNode([
    ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    ts.factory.createTypeLiteralNode([]),
  ]);
  return ts.factory.createUnionTypeNode([
    ...known.map((value) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value))),
    ts.factory.createParenthesizedType(other),
  ]);
}

const types = await openapiTS(document, {
  transform,
  inject: 'import type { Decimal } from "../decimal.js";\n',
});
await write("schema.ts", astToString(types).replace(/^\/\*\*[^]*?\*\/\n+/, ""));
await write("types.ts", names());
await write("operations.ts", table() + "\n" + amounts());

// Removes what no type of the client refers to: the errors of each operation (all are
// problems), the headers of answers and callbacks, and examples of whole bodies.
function trim() {
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item)) {
      for (const [status, response] of Object.entries(operation.responses)) {
        delete response.headers;
        withoutExamples(response.content);
        if (!status.startsWith("2")) delete operation.responses[status];
      }
      withoutExamples(operation.requestBody?.content);
    }
  }
  for (const { post } of Object.values(document.webhooks)) {
    delete post.parameters;
    post.responses = {};
    withoutExamples(post.requestBody.content);
  }
  document.components = { schemas: document.components.schemas };
}

function withoutExamples(content = {}) {
  for (const media of Object.values(content)) {
    delete media.example;
    delete media.examples;
  }
}

// A name of its own for each schema but the envelopes of answers.
function names() {
  const names = Object.keys(document.components.schemas).filter((name) => !name.endsWith("Response")).sort();
  return 'import type { components } from "./schema.js";\n\n' +
    names.map((name) => `export type ${name} = components["schemas"]["${name}"];\n`).join("");
}

// What the client has to know of an operation: where it is, whether it acts for a user,
// and whether it takes an idempotency key.
function table() {
  const rows = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const headers = (operation.parameters ?? []).map((parameter) => resolve(parameter).name);
      const row = { method: method.toUpperCase(), path };
      if (headers.includes("X-User-Id")) row.forUser = true;
      if (headers.includes("Idempotency-Key")) row.takesKey = true;
      rows.push(`  ${operation.operationId}: ${literal(row)},\n`);
    }
  }
  return `export const operationTable = {\n${rows.sort().join("")}} as const;\n`;
}

function literal(row) {
  const members = Object.entries(row).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `{ ${members.join(", ")} }`;
}

// The members that are decimals. They are found by name, so no other member may have one.
function amounts() {
  const types = new Map();
  for (const schema of Object.values(document.components.schemas)) {
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      types.set(name, new Set(types.get(name)).add(resolve(member).type));
    }
  }
  const names = [...types].filter(([, all]) => all.has("number")).map(([name]) => name).sort();
  const unclear = names.filter((name) => types.get(name).size > 1);
  if (unclear.length > 0) throw new Error(`members that are not always numbers: ${unclear}`);
  const list = names.map((name) => JSON.stringify(name)).join(", ");
  return `export const decimalMembers: ReadonlySet<string> = new Set([${list}]);\n`;
}

function resolve(node) {
  if (!node.$ref) return node;
  return resolve(node.$ref.slice(2).split("/").reduce((at, name) => at[name], document));
}

function write(name, text) {
  return writeFile(new URL(`src/core/${name}`, import.meta.url), header + text);
}
