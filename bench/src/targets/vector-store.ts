import { createDenseEncoder, createSparseEncoder } from '@lectern/embeddings';
import { createVectorStore, type HybridSearch } from '@lectern/vector-store';
import type { CorpusQuery } from '#corpus/corpus';
import type { IndexedCorpus } from '#ingest/ingest';
import { RESULTS, type SearchTarget } from '#targets/search-target';
// The search service's own limits: asked for anything else, the store would answer another question.
import { SEARCH_LIMITS } from '../../../apps/search/src/search/limits.ts';

/** Where the store is, and whose documents are in it. */
export interface StoreAccess {
  readonly qdrantUrl: string;
  readonly teamId: string;
}

/**
 * The vector store alone, asked from here what the search service asks it, by the same code: hybrid, as many candidates, the same
 * scope. The queries are encoded beforehand.
 */
export async function vectorStoreTarget(
  { qdrantUrl, teamId }: StoreAccess,
  { collection, embeddingModel, corpusIds }: IndexedCorpus,
  queries: readonly CorpusQuery[],
): Promise<SearchTarget> {
  const store = createVectorStore({ url: qdrantUrl });
  const requests = await encode(queries, embeddingModel, { team: teamId, collections: [collection] });
  return {
    name: 'vector store alone',
    async search({ id }) {
      const request = requests.get(id);
      if (!request) throw new Error(`The query ${id} was not encoded.`);
      const { hits } = await store.search(embeddingModel, request);
      return hits.map(({ document }) => corpusIds.get(document) ?? document);
    },
    close: () => undefined,
  };
}

async function encode(
  queries: readonly CorpusQuery[],
  model: string,
  scope: Pick<HybridSearch, 'team' | 'collections'>,
): Promise<ReadonlyMap<string, HybridSearch>> {
  const dense = createDenseEncoder({ model });
  const sparse = createSparseEncoder();
  const requests = new Map<string, HybridSearch>();
  for (const { id, text } of queries) {
    requests.set(id, {
      ...scope,
      mode: 'hybrid',
      sparse: sparse.encodeQuery(text),
      dense: await dense.embedQuery(text),
      weights: { keyword: 1, semantic: dense.hybridWeight },
      offset: 0,
      limit: RESULTS,
      passagesPerDocument: SEARCH_LIMITS.passagesPerDocument.default,
      candidates: SEARCH_LIMITS.candidates,
    });
  }
  return requests;
}
