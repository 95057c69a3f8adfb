const text = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const maxExponent = 1000; // far above any amount; it bounds the work for a hostile text

/**
 * An exact decimal, such as an amount of money. It does not change, and it is not a
 * `number`: `a + b` does not compile (and throws), because sums of numbers lose cents.
 *
 *     const total = Decimal.sum(transactions.map((t) => t.amount)); // to the cent
 */
export class Decimal {
  static readonly zero = new Decimal(0n, 0);

  readonly #units: bigint; // the value is units / 10 ** scale
  readonly #scale: number;

  private constructor(units: bigint, scale: number) {
    this.#units = units;
    this.#scale = scale;
    Object.freeze(this);
  }

  /** Returns the value of a text such as "-23.90", or of a number's shortest text. */
  static from(value: string | number | bigint | Decimal): Decimal {
    if (value instanceof Decimal) return value;
    const found = text.exec(String(value));
    const exponent = Number(found?.[4] ?? 0);
    if (!found || Math.abs(exponent) > maxExponent) throw new RangeError(`not a decimal: ${String(value)}`);
    const [, sign = "", whole = "", fraction = ""] = found;
    const units = BigInt(sign + whole + fraction);
    const scale = fraction.length - exponent;
    return scale < 0 ? new Decimal(units * 10n ** BigInt(-scale), 0) : new Decimal(units, scale);
  }

  static sum(values: Iterable<Decimal>): Decimal {
    let total = Decimal.zero;
    for (const value of values) total = total.add(value);
    return total;
  }

  add(other: Decimal): Decimal {
    const scale = Math.max(this.#scale, other.#scale);
    return new Decimal(this.#at(scale) + other.#at(scale), scale);
  }

  subtract(other: Decimal): Decimal {
    return this.add(other.negate());
  }

  negate(): Decimal {
    return new Decimal(-this.#units, this.#scale);
  }

  /** Returns -1, 0 or 1, as `Array.sort` wants it. */
  compare(other: Decimal): -1 | 0 | 1 {
    const scale = Math.max(this.#scale, other.#scale);
    const [a, b] = [this.#at(scale), other.#at(scale)];
    return a < b ? -1 : a > b ? 1 : 0;
  }

  /** Reports whether both have the same value: 12.3 equals 12.30. */
  equals(other: Decimal): boolean {
    return this.compare(other) === 0;
  }

  /** Returns all digits, as they were read or computed. */
  toString(): string {
    return this.#write(this.#units, this.#scale);
  }

  /** Returns the value with this number of places; half a unit rounds away from zero. */
  toFixed(places: number): string {
    if (places >= this.#scale) return this.#write(this.#at(places), places);
    const divisor = 10n ** BigInt(this.#scale - places);
    const half = this.#units < 0n ? -divisor / 2n : divisor / 2n;
    return this.#write((this.#units + half) / divisor, places);
  }

  /** Returns the nearest `number`, for charts. Do not add these. */
  toNumber(): number {
    return Number(this.toString());
  }

  /** `JSON.stringify` writes the digits as a string, which keeps them. */
  toJSON(): string {
    return this.toString();
  }

  [Symbol.toPrimitive](hint: string): string {
    if (hint === "string") return this.toString();
    throw new TypeError("a Decimal is not a number: use add, compare or toString");
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }

  #at(scale: number): bigint {
    return this.#units * 10n ** BigInt(scale - this.#scale);
  }

  #write(units: bigint, scale: number): string {
    const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0");
    const whole = digits.slice(0, digits.length - scale);
    return (units < 0n ? "-" : "") + (scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`);
  }
}
