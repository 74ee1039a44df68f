import { queryWords, type Similarity } from '@lectern/embeddings';
import type { AnalyzedQuery } from '@lectern/text';
import type { DenseQuery, HybridSearch, Scope } from '@lectern/vector-store';
import { BASE_SPACE, type LegRanking, learnedLeg } from '#search/learned-leg';
import type { SearchDeps } from '#search/search-model';
import type { SearchQuery } from '#search/search-query';

/** The semantic leg of a search. */
export interface DenseLeg {
  /** A zero vector leaves the leg out. */
  readonly dense: DenseQuery;
  readonly ranking: LegRanking & Pick<HybridSearch, 'fusion'>;
  /** What cosines mean, by space; undefined for a model without spaces. */
  readonly similarities: ReadonlyMap<string | undefined, Similarity>;
}

/** For a search without a semantic leg. */
export const NO_LEG: DenseLeg = { dense: [], ranking: {}, similarities: new Map() };

/**
 * From this weight on, an encoder ranks as well as the keyword leg; fusing by rank is then better
 * than adding scores of different kinds.
 */
const EQUAL_WEIGHT = 1;

/** Returns the query's vector, or one vector per space of the model's passages. */
export async function denseLeg(
  deps: Pick<SearchDeps, 'denseEncoder' | 'store'>,
  { query: { analyzed }, spaces }: Pick<SearchQuery, 'query' | 'spaces'>,
  model: string,
  scope: Scope,
  signal: AbortSignal | undefined,
): Promise<DenseLeg> {
  const encoder = deps.denseEncoder(model);
  const ids = spaces?.idsOf(model);
  if (spaces && ids) {
    const isLearned = ids.some((id) => id !== BASE_SPACE);
    const readable = isLearned ? await readableWords(deps, model, scope, analyzed, signal) : undefined;
    return learnedLeg(encoder, spaces, ids, analyzed, readable, signal);
  }
  const { hybridWeight: semantic, similarity } = encoder;
  return {
    dense: await encoder.embedQuery(analyzed.text, { signal }),
    ranking: { weights: { keyword: 1, semantic }, fusion: semantic < EQUAL_WEIGHT ? 'score' : 'rank' },
    similarities: new Map([[undefined, similarity]]),
  };
}

/**
 * The number of query words to look up. It is lower for callers in very many groups, because each
 * lookup names all of them. Other words count as unknown.
 */
const MAX_WORDS = 200;
const MAX_PRINCIPALS = 100_000;

/**
 * Returns the query's words that occur in documents the caller can read; undefined if the caller
 * can read all documents.
 */
async function readableWords(
  { store }: Pick<SearchDeps, 'store'>,
  model: string,
  { team, collections, principals, required }: Scope,
  query: AnalyzedQuery,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<number> | undefined> {
  if (principals === undefined && required === undefined) return undefined;
  const maxWords = Math.min(MAX_WORDS, Math.floor(MAX_PRINCIPALS / Math.max(1, principals?.length ?? 0)));
  const words = queryWords(query).indices.slice(0, maxWords);
  return store.wordsWithin(model, { team, collections, principals, required, words, signal });
}

/**
 * Returns the same as `denseLeg`, but logs the reason and leaves the leg out if the model's
 * provider fails or is no longer configured. A hybrid search then uses keywords only.
 */
export async function denseLegIfPossible(
  deps: Pick<SearchDeps, 'denseEncoder' | 'store' | 'log'>,
  query: Pick<SearchQuery, 'query' | 'spaces'>,
  model: string,
  scope: Scope,
  signal: AbortSignal | undefined,
): Promise<DenseLeg> {
  try {
    return await denseLeg(deps, query, model, scope, signal);
  } catch (err) {
    signal?.throwIfAborted();
    deps.log?.warn({ err, model }, 'searching by keywords only: the query could not be embedded');
    return NO_LEG;
  }
}
