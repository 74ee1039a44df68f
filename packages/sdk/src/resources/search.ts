import type { Client } from '../client.ts';
import type { Body, CallOptions, Schemas } from '../types.ts';

type SearchBody = Body<'searchDocuments'>;

/** Finding documents. A publishable key may do all of it. */
export const createSearch = (client: Client) => ({
  /** The documents that match best, with their passages. */
  documents: (body: SearchBody, options?: CallOptions) => client.call('searchDocuments', { body }, options),
  /** As `documents`, with the counts of fields' values; without a query it lists. */
  faceted: (body: Body<'searchFaceted'>, options?: CallOptions) => client.call('searchFaceted', { body }, options),
  /** The short form for the search box of a page. */
  site: (body: Body<'searchDocsSite'>, options?: CallOptions) => client.call('searchDocsSite', { body }, options),
  /** Every result, page by page as they are needed. */
  async *all(body: SearchBody, options?: CallOptions): AsyncGenerator<Schemas['SearchResult'], void> {
    const { page: first = 1, limit = 100 } = body;
    for (let page = first; ; page += 1) {
      const { results } = await client.call('searchDocuments', { body: { ...body, page, limit } }, options);
      yield* results;
      if (results.length < limit) return;
    }
  },
});
