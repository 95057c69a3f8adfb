/** One page of a list. */
export interface Page<T> {
  items: T[];
  /** Where the next page starts; undefined after the last one. Valid for 24 hours. */
  nextToken: string | undefined;
}

/**
 * A list. `for await (const item of list)` reads all pages, one after the other as they
 * are needed. Nothing is read before.
 */
export class List<T> implements AsyncIterable<T> {
  readonly #read: (nextToken?: string) => Promise<Page<T>>;

  constructor(read: (nextToken?: string) => Promise<Page<T>>) {
    this.#read = read;
  }

  /** Reads one page: the first, or the one that `nextToken` is of. */
  page(nextToken?: string): Promise<Page<T>> {
    return this.#read(nextToken);
  }

  /** Reads all pages into an array. */
  async all(): Promise<T[]> {
    const items: T[] = [];
    for await (const item of this) items.push(item);
    return items;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let nextToken: string | undefined;
    do {
      const page = await this.#read(nextToken);
      yield* page.items;
      nextToken = page.nextToken;
    } while (nextToken);
  }
}
