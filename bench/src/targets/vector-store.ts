import { createDenseEncoders, createSparseEncoder, type DenseEncoder, documentQuery } from '@lectern/embeddings';
import { analyzeQuery } from '@lectern/text';
import {
  createVectorStore,
  DOCUMENT_WEIGHT,
  type HybridSearch,
  learnedRanking,
  SEARCH_DEFAULTS,
  type SearchRequest,
  type SpaceQuery,
} from '@lectern/vector-store';
import type { CorpusQuery } from '#corpus/corpus';
import type { IndexedCorpus } from '#ingest/ingest';
import { VECTOR_STORE_KEY } from '#system/lectern';
import { type CollectionAccess, readTeamSpaces, type TeamSpace } from '#system/team-spaces';
import { RESULTS, type SearchTarget } from '#targets/search-target';

/** The store and the team whose documents are in it. */
export interface StoreAccess extends CollectionAccess {
  readonly qdrantUrl: string;
}

/**
 * The vector store alone, with the queries of the search service, built by the same code: hybrid,
 * the same number of candidates, the same scope. Queries are encoded in advance.
 */
export async function vectorStoreTarget(
  { qdrantUrl, ...access }: StoreAccess,
  { collection, embeddingModel, corpusIds }: IndexedCorpus,
  queries: readonly CorpusQuery[],
  signal: AbortSignal,
): Promise<SearchTarget> {
  const store = createVectorStore({ url: qdrantUrl, apiKey: VECTOR_STORE_KEY });
  const spaces = await readTeamSpaces(access, collection, signal);
  const requests = await encode(queries, embeddingModel, spaces, { team: access.teamId, collections: [collection] });
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

type DenseLeg = Pick<HybridSearch, 'dense' | 'weights' | 'feedback'>;

async function encode(
  queries: readonly CorpusQuery[],
  model: string,
  spaces: readonly TeamSpace[],
  scope: Pick<HybridSearch, 'team' | 'collections'>,
): Promise<ReadonlyMap<string, SearchRequest>> {
  const encoder = createDenseEncoders().get(model);
  const sparse = createSparseEncoder();
  const requests = new Map<string, SearchRequest>();
  for (const { id, text } of queries) {
    requests.set(id, {
      ...scope,
      mode: 'hybrid',
      sparse: sparse.encodeQuery(analyzeQuery(text)),
      document: { words: documentQuery(analyzeQuery(text)), weight: DOCUMENT_WEIGHT },
      ...(await denseLeg(text, encoder, spaces)),
      offset: 0,
      limit: RESULTS,
      passagesPerDocument: SEARCH_DEFAULTS.passagesPerDocument,
      candidates: SEARCH_DEFAULTS.candidates,
    });
  }
  return requests;
}

/** Encodes the query for every space that has passages. The newest one determines the weights. */
async function denseLeg(text: string, base: DenseEncoder, spaces: readonly TeamSpace[]): Promise<DenseLeg> {
  const inBase = async () => ({
    vector: await base.embedQuery(text),
    ranking: { weights: { keyword: 1, semantic: base.hybridWeight } },
  });
  const queries: (SpaceQuery & { readonly ranking: Omit<DenseLeg, 'dense'> })[] = [];
  for (const { id, encoder } of spaces) {
    const query = encoder?.encodeQuery(analyzeQuery(text));
    const encoded = query ? { vector: query.vector, ranking: learnedRanking(query.known) } : await inBase();
    queries.push({ space: id, ...encoded });
  }
  const [newest] = queries;
  if (newest) return { dense: queries, ...newest.ranking };
  const { vector, ranking } = await inBase();
  return { dense: vector, ...ranking };
}
