import {
  type DenseEncoder,
  documentQuery,
  queryAlternatives,
  queryWords,
  type SparseEncoder,
} from '@lectern/embeddings';
import type { Logger } from '@lectern/service-kit';
import {
  DOCUMENT_WEIGHT,
  type DocumentHit,
  type ProbeRequest,
  type RankedDocument,
  type RankedDocuments,
  type ScopedRequest,
  type VectorStore,
  type WordGroup,
} from '@lectern/vector-store';
import type { FacetFilters } from '#filters/read-facet-filters';
import { SEARCH_LIMITS } from '#limits';
import { documentsOf, type ModelMatch } from '#match/model-match';
import { wordMatches } from '#match/word-matches';
import { type DenseLeg, denseLeg, denseLegIfPossible, NO_LEG } from '#search/dense-leg';
import { bestScores, semanticMatches } from '#search/match-set';
import {
  type BestScore,
  bestScore,
  queryParts,
  type TermScores,
  termScoresOf,
  unknownWordScore,
} from '#search/relevance';
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

/** What a query can match in the collections of one embedding model. */
export interface ModelScope {
  readonly model: string;
  /** The scope, filters, phrases and exclusions. */
  readonly request: ScopedRequest;
  readonly facetFilters: FacetFilters;
}

/** A document with its score and relevance, both from 0 to 1. */
export interface ScoredDocument extends RankedDocument {
  /** How well it matches: the same scale for every query. */
  readonly relevance: number;
}

/** The ranked documents of a model, and all that match. */
export interface RankedModel {
  readonly match: ModelMatch;
  /** Best first. */
  readonly ranking: readonly ScoredDocument[];
  /** Whether `ranking` contains all matches. */
  readonly isComplete: boolean;
  readonly termScores: TermScores;
  /** Returns the relevance of a BM25 score. */
  readonly relevanceOf: (score: number) => number;
  /** Reads ranked documents in the order of `documents`. */
  read(documents: readonly string[]): Promise<readonly DocumentHit[]>;
}

/**
 * Ranks the documents of one embedding model that match the query. Documents that only share
 * character grams with the query, or are less similar than the model requires, do not match.
 */
export async function searchModel(deps: SearchDeps, query: SearchQuery, scope: ModelScope): Promise<RankedModel> {
  const { mode, passagesPerDocument, minScore = 0 } = query;
  const { model, request, facetFilters } = scope;
  const words = queryWords(query.query.analyzed);
  const parts = queryParts(query.query.analyzed, request);
  const found = await rank(deps, query, scope, {
    words,
    wordPassages: minScore > 0 ? SEARCH_LIMITS.rankedByWords : SEARCH_LIMITS.candidates,
    wholeScope: minScore > 0,
    parts: parts.ids,
  });
  const { probes, read } = found.ranked;

  const similar = semanticMatches(probes.nearest, found.similarities);
  const alternatives = queryAlternatives(query.query.analyzed);
  const candidates = [...found.ranked.ranking, ...probes.words, ...probes.wordsInScope];
  const hasWords = await wordMatches(deps.store, model, request, alternatives, mode === 'semantic' ? [] : candidates);
  const byWords = bestScores(probes.words.filter(hasWords));
  const termScores = termScoresOf(parts, probes.strongest);
  const best = mode === 'semantic' ? 0 : await bestPossible(deps, scope, bestScore(parts, termScores));
  const relevanceOf = (score: number): number => (best === 0 ? 0 : Math.min(1, score / best));
  const relevanceFrom = (scores: ReadonlyMap<string, number>, document: string): number =>
    Math.max(relevanceOf(scores.get(document) ?? 0), similar.get(document) ?? 0);

  const withWords = new Set([...byWords.keys(), ...probes.documents.filter((document) => hasWords({ document }))]);
  const isMatch = (document: string): boolean =>
    mode === 'keyword' ? hasWords({ document }) : withWords.has(document) || similar.has(document);
  const ranked = new Map(found.ranked.ranking.map(({ document, score }) => [document, normalizedScore(mode, score)]));
  // Documents with words of the query that no leg found among its best passages come last.
  const others = mode === 'hybrid' ? [...byWords.keys()].filter((document) => !ranked.has(document)) : [];
  const ranking = [...ranked, ...others.map((document): [string, number] => [document, 0])]
    .filter(([document]) => isMatch(document))
    .map(([document, score]) => ({ document, score, relevance: relevanceFrom(byWords, document) }));

  const inScope = minScore > 0 ? bestScores(probes.wordsInScope.filter(hasWords)) : undefined;
  const relevant =
    inScope &&
    new Set([...inScope.keys(), ...similar.keys()].filter((document) => relevanceFrom(inScope, document) >= minScore));
  const matched = relevant ? only(request, relevant) : matchedBy(mode, request, alternatives, similar);
  return {
    match: { model, matched, facetFilters },
    ranking: relevant ? ranking.filter(({ document }) => relevant.has(document)) : ranking,
    isComplete: relevant !== undefined || mode === 'semantic' || !probes.areWordsCutOff,
    termScores,
    relevanceOf,
    read: async (documents) => {
      const hits = await read(documents, passagesPerDocument);
      return hits.map((hit) => withNormalizedScores(mode, hit));
    },
  };
}

/** Returns the score of a passage that is the best one for every word of the query. */
async function bestPossible(deps: SearchDeps, scope: ModelScope, { known, unknownWords }: BestScore): Promise<number> {
  return unknownWords === 0 ? known : known + unknownWords * unknownWordScore(await countScope(deps, scope));
}

/** Returns the documents that match by their words, by meaning, or by either. */
function matchedBy(
  mode: SearchQuery['mode'],
  request: ScopedRequest,
  words: WordGroup,
  similar: ReadonlyMap<string, number>,
) {
  if (mode === 'semantic') return only(request, new Set(similar.keys()));
  return { ...request, words: [words], ...(mode === 'hybrid' ? { orDocuments: [...similar.keys()] } : {}) };
}

function only(request: ScopedRequest, documents: ReadonlySet<string>): ScopedRequest {
  const listed = request.only?.filter((document) => documents.has(document)) ?? [...documents];
  return { ...request, only: listed };
}

/** Counts the documents of the whole scope. */
function countScope({ store, shareCounts }: SearchDeps, { model, request }: ModelScope): Promise<number> {
  const { team, collections, principals } = request;
  const scope = { team, collections, principals };
  return shareCounts(JSON.stringify([model, scope]), () => store.countDocuments(model, scope));
}

async function rank(
  deps: SearchDeps,
  query: SearchQuery,
  { model, request, facetFilters }: ModelScope,
  probes: ProbeRequest,
): Promise<{ readonly ranked: RankedDocuments; readonly similarities: DenseLeg['similarities'] }> {
  const { store, sparse } = deps;
  const { mode } = query;
  const { analyzed } = query.query;
  const { signal } = request;
  const narrowed = documentsOf({ model, matched: request, facetFilters });
  const common = { ...narrowed, probes, candidates: SEARCH_LIMITS.candidates };
  if (mode === 'semantic') {
    const { dense, similarities } = await denseLeg(deps, query, model, request, signal);
    return { ranked: await store.rank(model, { ...common, mode, dense }), similarities };
  }
  const document = { words: documentQuery(analyzed), weight: DOCUMENT_WEIGHT };
  if (mode === 'keyword') {
    const wanted = { ...common, candidates: probes.wordPassages };
    const ranked = await store.rank(model, { ...wanted, mode, sparse: probes.words, document });
    return { ranked, similarities: NO_LEG.similarities };
  }
  const { dense, ranking, similarities } = await denseLegIfPossible(deps, query, model, request, signal);
  const legs = { sparse: sparse.encodeQuery(analyzed), document, dense, ...ranking };
  return { ranked: await store.rank(model, { ...common, mode, ...legs }), similarities };
}
