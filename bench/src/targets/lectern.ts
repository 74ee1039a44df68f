import { z } from 'zod';
import type { IndexedCorpus } from '#ingest/ingest';
import type { Api } from '#system/api';
import { RESULTS, type SearchTarget } from '#targets/search-target';

const answer = z.object({ data: z.object({ results: z.array(z.object({ documentId: z.string() })) }) });

/** Lectern as its users reach it: `POST /api/v1/search` at the gateway, hybrid mode. The API client stays the caller's. */
export function lecternTarget(api: Api, { collection, corpusIds }: IndexedCorpus): SearchTarget {
  return {
    name: 'Lectern, end to end',
    async search({ text }) {
      const body = { query: text, collections: [collection], limit: RESULTS };
      const { results } = answer.parse(await api.call('POST', '/api/v1/search', body)).data;
      return results.map(({ documentId }) => corpusIds.get(documentId) ?? documentId);
    },
    close: () => undefined,
  };
}
