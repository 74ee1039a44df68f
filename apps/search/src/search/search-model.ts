import { type DenseEncoder, documentQuery, queryWords, type SparseEncoder } from '@lectern/embeddings';
import type { Logger } from '@lectern/service-kit';
import {
  DOCUMENT_WEIGHT,
  type DocumentHit,
  type DocumentsRequest,
  type RankedDocument,
  type RankedDocuments,
  type VectorStore,
} from '@lectern/vector-store';
import { SEARCH_LIMITS } from '#limits';
import { type DenseLeg, denseLeg, denseLegIfPossible } from '#search/dense-leg';
import { normalizedScore, withNormalizedScores } from '#search/scores';
import type { SearchQuery } from '#search/search-query';
import type { SharedCall } from '#sharing/share-calls';

/** The dependencies of a search. */
export interface SearchDeps {
  readonly store: VectorStore;
  /** Joins concurrent searches that count the same documents. */
  readonly shareCounts: SharedCall<number>;
  readonly sparse: SparseEncoder;
  readonly denseEncoder: (model: string) => DenseEncoder;
  readonly log?: Logger;
}

/** The documents of one embedding model's collections that match a query. */
export interface ModelMatch {
  readonly model: string;
  readonly matched: DocumentsRequest;
}

/** The ranked documents of a model, with scores from 0 to 1. */
export interface RankedModel {
  /** Best first. */
  readonly ranking: readonly RankedDocument[];
  /** Reads ranked documents in the order of `documents`. */
  read(documents: readonly string[]): Promise<readonly DocumentHit[]>;
}

/**
 * Ranks the matched documents of one embedding model by their best passages. Documents without a
 * candidate in any leg are left out.
 */
export async function searchModel(
  deps: SearchDeps,
  query: SearchQuery,
  { model, matched }: ModelMatch,
): Promise<RankedModel> {
  const { mode, passagesPerDocument } = query;
  const { words: _words, ...narrowed } = matched;
  const { ranking, read } = await runLegs(deps, query, model, { ...narrowed, candidates: SEARCH_LIMITS.candidates });
  return {
    ranking: ranking.map(({ document, score }) => ({ document, score: normalizedScore(mode, score) })),
    read: async (documents) => {
      const hits = await read(documents, passagesPerDocument);
      return hits.map((hit) => withNormalizedScores(mode, hit));
    },
  };
}

type Narrowed = Omit<
  Parameters<VectorStore['rank']>[1],
  'mode' | 'sparse' | 'dense' | 'document' | keyof DenseLeg['ranking']
>;

async function runLegs(
  deps: SearchDeps,
  query: SearchQuery,
  model: string,
  narrowed: Narrowed,
): Promise<RankedDocuments> {
  const { store, sparse } = deps;
  const { mode } = query;
  const { analyzed } = query.query;
  if (mode === 'semantic') {
    const { dense } = await denseLeg(deps, query, model, narrowed, narrowed.signal);
    return store.rank(model, { ...narrowed, mode, dense });
  }
  const document = { words: documentQuery(analyzed), weight: DOCUMENT_WEIGHT };
  // Keyword mode excludes documents that share only character grams with the query.
  if (mode === 'keyword') return store.rank(model, { ...narrowed, mode, sparse: queryWords(analyzed), document });
  const { dense, ranking } = await denseLegIfPossible(deps, query, model, narrowed, narrowed.signal);
  return store.rank(model, { ...narrowed, mode, sparse: sparse.encodeQuery(analyzed), document, dense, ...ranking });
}
