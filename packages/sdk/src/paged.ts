/** A part of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly hasMore: boolean;
}

/**
 * A list that is read page by page: `await` gives the page that was asked for, `for await` every item from it on, asking for further
 * pages as they are needed.
 */
export class Paged<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  readonly #read: (page?: number) => Promise<Page<T>>;
  #begun: Promise<Page<T>> | undefined;

  /** `read` without a page reads the one that was asked for. */
  constructor(read: (page?: number) => Promise<Page<T>>) {
    this.#read = read;
  }

  #firstPage(): Promise<Page<T>> {
    this.#begun ??= this.#read();
    return this.#begun;
  }

  // biome-ignore lint/suspicious/noThenProperty: a list is awaited for one page and iterated for all
  then<A = Page<T>, B = never>(
    onFulfilled?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#firstPage().then(onFulfilled, onRejected);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (let page = await this.#firstPage(); ; page = await this.#read(page.page + 1)) {
      yield* page.items;
      if (!page.hasMore || page.items.length === 0) return;
    }
  }
}
