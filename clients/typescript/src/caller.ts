import type { operations } from "./core/schema.js";
import { List } from "./list.js";
import { json, type CallOptions, type OperationName, type Parts, type Session } from "./session.js";

type Parameters<K extends OperationName> = operations[K]["parameters"];

/** The query parameters of an operation. */
export type Query<K extends OperationName> = NonNullable<Parameters<K>["query"]>;

/** The body of an operation's request. */
export type Body<K extends OperationName> =
  NonNullable<operations[K]["requestBody"]> extends { content: { "application/json": infer B } } ? B : never;

type Success<R> = { [S in keyof R]: R[S] extends { content: { "application/json": infer B } } ? B : never }[keyof R];

/** What is in `data` of an operation's answer. */
export type Data<K extends OperationName> =
  Success<operations[K]["responses"]> extends infer B ? B extends { data: infer D } ? D : never : never;

type ListMember<K extends OperationName> =
  { [M in keyof Data<K>]: Data<K>[M] extends unknown[] ? M : never }[keyof Data<K>];

type Item<L> = L extends (infer T)[] ? T : never;

interface Envelope<D> {
  data: D;
  meta?: { pagination?: { nextToken?: string } };
}

/** Makes the calls of one group of operations, for a user or for none. */
export class Caller {
  constructor(readonly session: Session, readonly userId?: string) {}

  async data<K extends OperationName>(name: K, parts: Parts = {}, options?: CallOptions): Promise<Data<K>> {
    return (await this.envelope(name, parts, options)).data;
  }

  async envelope<K extends OperationName>(name: K, parts: Parts, options?: CallOptions): Promise<Envelope<Data<K>>> {
    return json(await this.session.call(name, this.userId, parts, options)) as Envelope<Data<K>>;
  }

  async bytes(name: OperationName, parts: Parts, options?: CallOptions): Promise<Uint8Array> {
    return (await this.session.call(name, this.userId, parts, options)).body;
  }

  async nothing(name: OperationName, parts: Parts, options?: CallOptions): Promise<void> {
    await this.session.call(name, this.userId, parts, options);
  }

  /** The list that is a member of an operation's data. */
  list<K extends OperationName, M extends ListMember<K>>(
    name: K, member: M, parts: Parts = {}, options?: CallOptions,
  ): List<Item<Data<K>[M]>> {
    return new List(async (token) => {
      const query = { ...parts.query, ...(token && { nextToken: token }) };
      const { data, meta } = await this.envelope(name, { ...parts, query }, options);
      return { items: data[member] as Item<Data<K>[M]>[], nextToken: meta?.pagination?.nextToken };
    });
  }
}

/** A group of operations. */
export abstract class Group {
  protected readonly call!: Caller;

  constructor(call: Caller) {
    Object.defineProperty(this, "call", { value: call }); // not enumerable: console.log stays short
  }
}
