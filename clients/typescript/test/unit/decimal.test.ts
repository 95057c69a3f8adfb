import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { Decimal } from "../../src/index.js";
import { parse, stringify } from "../../src/json.js";

const d = Decimal.from;

test("a decimal keeps its digits", () => {
  for (const text of ["0", "12.30", "-23.90", "-0.05", "1234567.89", "12345678901234567890.123456789"]) {
    assert.equal(d(text).toString(), text);
  }
  const others: [string | number | bigint, string][] = [
    ["1e3", "1000"], ["1.5E-3", "0.0015"], [0.1, "0.1"], [1e21, "1000000000000000000000"], [7n, "7"],
    ["-0.00", "0.00"],
  ];
  for (const [from, to] of others) assert.equal(d(from).toString(), to);
  for (const bad of ["", "1.", ".5", "1,5", "NaN", "1e99999", " 1", "0x10"]) assert.throws(() => d(bad), RangeError);
});

test("decimals are computed exactly", () => {
  assert.equal(d("0.1").add(d("0.2")).toString(), "0.3");
  assert.equal(d("1").subtract(d("0.01")).toString(), "0.99");
  assert.equal(Decimal.sum(Array.from({ length: 1652 }, () => d("1234567.89"))).toString(), "2039506154.28");
  assert.equal(d("12.3").equals(d("12.30")), true);
  assert.deepEqual(["3", "-1", "2.5"].map(d).sort((a, b) => a.compare(b)).map(String), ["-1", "2.5", "3"]);
});

test("a decimal is written with a number of places", () => {
  const cases: [string, number, string][] = [
    ["12.3", 2, "12.30"], ["12.345", 2, "12.35"], ["-12.345", 2, "-12.35"], ["12.344", 2, "12.34"], ["0.5", 0, "1"],
    ["-0.004", 2, "0.00"], ["7", 0, "7"], ["1234.5", 2, "1234.50"],
  ];
  for (const [from, places, to] of cases) assert.equal(d(from).toFixed(places), to, from);
});

test("a decimal is not a number", () => {
  const [a, b] = [d("1.10"), d("2.20")];
  // @ts-expect-error: it does not compile either
  assert.throws(() => a + b, TypeError);
  // @ts-expect-error: nor is it assignable
  const number: number = a;
  assert.throws(() => Number(number), TypeError);
  assert.equal(`${a}`, "1.10");
  assert.equal(inspect({ a }), "{ a: 1.10 }");
  assert.equal(JSON.stringify({ a }), '{"a":"1.10"}');
  assert.equal(b.toNumber(), 2.2);
  assert.throws(() => Object.assign(a, { more: 1 }), TypeError);
});

test("JSON keeps the digits of amounts, and other numbers are numbers", () => {
  const text = String.raw`{"amount":-9007199254740993.01,"limit":5,"list":[{"balance" : 12.30}],` +
    String.raw`"note":"\"amount\":1.50","x\"amount":7,"yearlyCost":1e2,"deep":{"amount":null}}`;
  const value = parse(text) as Record<string, any>;
  assert.equal(String(value["amount"]), "-9007199254740993.01");
  assert.equal(value["limit"], 5);
  assert.equal(String(value["list"][0].balance), "12.30");
  assert.equal(value["note"], '"amount":1.50');
  assert.equal(value['x"amount'], 7);
  assert.equal(String(value["yearlyCost"]), "100");
  assert.equal(value["deep"].amount, null);
  assert.throws(() => parse('{"amount":01}'), SyntaxError);
  assert.deepEqual(parse('{"amount":"12.30"}'), { amount: "12.30" });
});

test("JSON is written with every digit", () => {
  const rows = [d("1.10"), undefined];
  const value = { amount: d("-9007199254740993.01"), rows, left: undefined, at: new Date(0), no: null, text: 'ä"' };
  assert.equal(stringify(value), '{"amount":-9007199254740993.01,"rows":[1.10,null],' +
    String.raw`"at":"1970-01-01T00:00:00.000Z","no":null,"text":"ä\""}`);
});
