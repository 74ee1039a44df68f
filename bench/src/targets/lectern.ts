import { z } from 'zod';
import type { IndexedCorpus } from '#ingest/ingest';
import type { Api } from '#system/api';
import { RESULTS, type SearchTarget } from '#targets/search-target';

const answer = z.object({ data: z.object({ results: z.array(z.object({ documentId: z.string() })) }) });

/**
 * Lectern through its REST API: `POST /api/v1/search`, hybrid mode. The caller closes the API
 * client.
 */
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
