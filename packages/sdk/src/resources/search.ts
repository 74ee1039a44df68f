import type { Client } from '../client.ts';
import type { Body, CallOptions, Schemas } from '../types.ts';

type SearchBody = Body<'searchDocuments'>;

/** Search. All methods except `suggest` work with publishable keys. */
export const createSearch = (client: Client) => ({
  /** Returns the best documents with their passages. */
  documents: (body: SearchBody, options?: CallOptions) => client.call('searchDocuments', { body }, options),
  /** Like `documents`, with facet counts. Lists documents if the query is omitted. */
  faceted: (body: Body<'searchFaceted'>, options?: CallOptions) => client.call('searchFaceted', { body }, options),
  /** The short form for the search box of a website. */
  site: (body: Body<'searchDocsSite'>, options?: CallOptions) => client.call('searchDocsSite', { body }, options),
  /** Completes a query while it is being typed. */
  suggest: (body: Body<'suggestQueries'>, options?: CallOptions) => client.call('suggestQueries', { body }, options),
  /** Records that a person opened a result of a search, for search analytics. */
  recordClick: (body: Body<'recordSearchClick'>, options?: CallOptions) =>
    client.call('recordSearchClick', { body }, options),
  /** Yields all results, requesting pages as needed. */
  async *all(body: SearchBody, options?: CallOptions): AsyncGenerator<Schemas['SearchResult'], void> {
    const { page: first = 1, limit = 100 } = body;
    for (let page = first; ; page += 1) {
      const { results } = await client.call('searchDocuments', { body: { ...body, page, limit } }, options);
      yield* results;
      if (results.length < limit) return;
    }
  },
});
