import { decimalMembers } from "./core/operations.js";
import { Decimal } from "./decimal.js";

// A text, and the number that follows if the text is a member's name. As each text is
// matched whole, nothing inside one is taken for a name.
const textAndNumber = /("(?:[^"\\]|\\.)*")(?:(\s*:\s*)(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?))?/g;
const mark = "\0";

/** Parses JSON with the members that are decimals as such: JSON.parse would round them. */
export function parse(json: string): unknown {
  const marked = json.replace(textAndNumber, (all, name: string, colon?: string, digits?: string) =>
    digits !== undefined && decimalMembers.has(name.slice(1, -1)) ? `${name}${colon}"\\u0000${digits}"` : all);
  return JSON.parse(marked, (name, value: unknown) => {
    const isMarked = typeof value === "string" && value.startsWith(mark) && decimalMembers.has(name);
    return isMarked ? Decimal.from(value.slice(mark.length)) : value;
  });
}

/** Writes JSON with decimals as numbers, every digit kept. */
export function stringify(value: unknown): string {
  if (value instanceof Decimal) return value.toString();
  if (Array.isArray(value)) return `[${value.map((item) => stringify(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null || "toJSON" in value) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${stringify(member)}`).join(",")}}`;
}
