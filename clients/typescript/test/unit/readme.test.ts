import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

test("the README's quickstart is the example, in under 30 lines", () => {
  const quickstart = readFileSync("examples/quickstart.mjs", "utf8");
  assert.ok(readFileSync("README.md", "utf8").includes("```js\n" + quickstart + "```"));
  assert.ok(quickstart.split("\n").length <= 30);
});
