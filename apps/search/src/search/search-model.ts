import { type DenseEncoder, queryWords, type SparseEncoder } from '@lectern/embeddings';
import type { Logger } from '@lectern/service-kit';
import type {
  FoundPassage,
  ProbeRequest,
  RankedDocument,
  RankingResult,
  ScopedRequest,
  VectorStore,
} from '@lectern/vector-store';
import type { FacetFilters } from '#filters/read-facet-filters';
import { SEARCH_LIMITS } from '#limits';
import { documentsOf, type ModelMatch } from '#match/model-match';
import { type DenseLeg, denseLeg, denseLegIfPossible } from '#search/dense-leg';
import { bestPassages, semanticMatches } from '#search/match-set';
import { bestScore, queryParts, unknownWordScore } from '#search/relevance';
import { normalizedScore } from '#search/scores';
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

/** What a query can match in the collections of one embedding model. */
export interface ModelScope {
  readonly model: string;
  readonly request: ScopedRequest;
  readonly facetFilters: FacetFilters;
}

/** A matched document with its place in the order. */
export interface MatchedDocument extends RankedDocument {
  readonly model: string;
  /** 0 to 1, the same scale for every query. */
  readonly relevance: number;
}

/** The ranked documents of one model, and all that match. */
export interface ModelRanking {
  readonly match: ModelMatch;
  /** Best first, with scores from 0 to 1. */
  readonly documents: readonly MatchedDocument[];
  /** Whether `documents` are all matches. */
  readonly isComplete: boolean;
  /** Returns the relevance of a BM25 score. */
  readonly relevanceOf: (score: number) => number;
}

/**
 * Ranks the documents of one embedding model that match the query. Documents that only share
 * character grams with the query, or are less similar than the model requires, do not match.
 */
export async function searchModel(deps: SearchDeps, query: SearchQuery, scope: ModelScope): Promise<ModelRanking> {
  const { model, request, facetFilters } = scope;
  const { mode, minScore = 0 } = query;
  const words = queryWords(query.query.analyzed);
  const parts = queryParts(query.query.analyzed, request.principals);
  const wordPassages = minScore > 0 ? SEARCH_LIMITS.rankedByWords : SEARCH_LIMITS.candidates;
  const probes = { words, wordPassages, wholeScope: minScore > 0, parts: mode === 'semantic' ? [] : parts.ids };
  const { ranking, dense } = await rank(deps, query, scope, probes);

  const similar = semanticMatches(ranking.probes.nearest, dense.similarities);
  const byWords = bestPassages(ranking.probes.words);
  const { known, unknownWords } = bestScore(parts, ranking.probes.strongest);
  const unknown = mode === 'semantic' || unknownWords === 0 ? 0 : unknownWordScore(await countScope(deps, scope));
  const best = known + unknownWords * unknown;
  const relevanceOf = (score: number): number => (best === 0 ? 0 : Math.min(1, score / best));
  const relevance = (document: string): number =>
    Math.max(relevanceOf(byWords.get(document)?.score ?? 0), similar.get(document) ?? 0);

  const ranked = new Set(ranking.ranking.map(({ document }) => document));
  const documents = [
    ...ranking.ranking.filter(({ document }) => mode === 'keyword' || byWords.has(document) || similar.has(document)),
    ...(mode === 'hybrid'
      ? [...byWords.values()].filter(({ document }) => !ranked.has(document)).map(withoutScore)
      : []),
  ].map((found) => ({
    ...found,
    model,
    score: normalizedScore(mode, found.score),
    relevance: relevance(found.document),
  }));

  if (minScore > 0) {
    const isRelevant = ({ document, score }: FoundPassage) =>
      Math.max(relevanceOf(score), similar.get(document) ?? 0) >= minScore;
    const relevant = new Set([
      ...ranking.probes.wordsInScope.filter(isRelevant).map(({ document }) => document),
      ...[...similar].filter(([, value]) => value >= minScore).map(([document]) => document),
    ]);
    return {
      match: { model, matched: only(request, relevant), facetFilters },
      documents: documents.filter(({ document }) => relevant.has(document)),
      isComplete: true,
      relevanceOf,
    };
  }
  const matched = matchedBy(mode, request, words.indices, similar);
  return {
    match: { model, matched, facetFilters },
    documents,
    isComplete: mode === 'semantic' || !ranking.probes.areWordsCutOff,
    relevanceOf,
  };
}

/** Returns the documents of K, of S, or of both. */
function matchedBy(
  mode: SearchQuery['mode'],
  request: ScopedRequest,
  words: readonly number[],
  similar: ReadonlyMap<string, number>,
) {
  if (mode === 'semantic') return only(request, new Set(similar.keys()));
  return { ...request, words: [words], ...(mode === 'hybrid' ? { orDocuments: [...similar.keys()] } : {}) };
}

function only(request: ScopedRequest, documents: ReadonlySet<string>): ScopedRequest {
  const listed = request.only?.filter((document) => documents.has(document)) ?? [...documents];
  return { ...request, only: listed };
}

/** A document that no leg of the order found. */
function withoutScore({ document, id, score }: FoundPassage): RankedDocument {
  return { document, score: 0, passages: [{ id, score: 0, scores: { keyword: score } }] };
}

/** Counts the documents of the whole scope. */
function countScope({ store, shareCounts }: SearchDeps, { model, request }: ModelScope): Promise<number> {
  const { team, collections, principals } = request;
  const scope = { team, collections, principals };
  return shareCounts(JSON.stringify([model, scope]), () => store.countDocuments(model, scope));
}

/**
 * From this weight on, an encoder ranks as well as the keyword leg; fusing by rank is then better
 * than adding scores of different kinds.
 */
const EQUAL_WEIGHT = 1;

const NO_DENSE: DenseLeg = { dense: [], weight: 0, similarities: new Map() };

async function rank(
  deps: SearchDeps,
  query: SearchQuery,
  { model, request, facetFilters }: ModelScope,
  probes: ProbeRequest,
): Promise<{ readonly ranking: RankingResult; readonly dense: DenseLeg }> {
  const { store, sparse } = deps;
  const { mode } = query;
  const { analyzed } = query.query;
  const { signal } = request;
  const narrowed = documentsOf({ model, matched: request, facetFilters });
  const common = { ...narrowed, probes, candidates: SEARCH_LIMITS.candidates };
  if (mode === 'keyword') {
    const wanted = { ...common, candidates: probes.wordPassages };
    return { ranking: await store.rank(model, { ...wanted, mode, sparse: probes.words }), dense: NO_DENSE };
  }
  if (mode === 'semantic') {
    const dense = await denseLeg(deps, query, model, request, signal);
    return { ranking: await store.rank(model, { ...common, mode, dense: dense.dense }), dense };
  }
  const dense = await denseLegIfPossible(deps, query, model, request, signal);
  const weights = { keyword: 1, semantic: dense.weight };
  const fusion = dense.weight < EQUAL_WEIGHT ? 'score' : 'rank';
  const legs = { sparse: sparse.encodeQuery(analyzed), dense: dense.dense, weights, fusion } as const;
  return { ranking: await store.rank(model, { ...common, mode, ...legs }), dense };
}
