/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly hasMore: boolean;
}

/** A list: `await` returns the requested page; `for await` yields its items and those of all later pages. */
export class Paged<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  readonly #read: (page?: number) => Promise<Page<T>>;
  #firstPage: Promise<Page<T>> | undefined;

  /** `read` without a page number reads the requested page. */
  constructor(read: (page?: number) => Promise<Page<T>>) {
    this.#read = read;
  }

  #readFirstPage(): Promise<Page<T>> {
    this.#firstPage ??= this.#read();
    return this.#firstPage;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a list returns one page
  then<A = Page<T>, B = never>(
    onFulfilled?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#readFirstPage().then(onFulfilled, onRejected);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (let page = await this.#readFirstPage(); ; page = await this.#read(page.page + 1)) {
      yield* page.items;
      if (!page.hasMore || page.items.length === 0) return;
    }
  }
}
